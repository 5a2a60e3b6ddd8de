package page

import (
	"fmt"
	"net/http"
	"time"

	"hearthline/internal/desk"
)

const (
	// Heartbeat keeps proxies from closing a quiet stream, and is how often the
	// session is looked at again.
	Heartbeat = 15 * time.Second
	// writeTimeout is how long one write may take before the reader counts as gone.
	writeTimeout = 10 * time.Second
)

// Events streams which leads changed, and that the inbox did. It carries nothing of them: a page that
// hears of a change asks again through its own route. What happened before the
// stream opened is covered by the resync at its start. The stream never renews
// the session, ends within a heartbeat of its end and with the server, and says nothing
// more once the person's role or company has changed.
func (s *Server) Events(w http.ResponseWriter, r *http.Request) error {
	v := VisitOf(r)
	leave, room := s.openStreams.Acquire(v.User.UserID)
	if !room {
		return &StatusError{http.StatusTooManyRequests, "Too many pages are open. Close some and reload this one."}
	}
	defer leave()
	changes, stop := v.Desk.Changes()
	defer stop()
	st := newStream(w)
	if !st.send("resync", "now") {
		return nil
	}
	tick := time.NewTicker(Heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return nil
		case <-s.closing:
			return nil
		case c, open := <-changes:
			if !open || !s.sessionStillValid(r, v) || !st.sendChange(c) {
				return nil
			}
		case <-tick.C:
			if !s.sessionStillValid(r, v) || !st.sendHeartbeat() {
				return nil
			}
		}
	}
}

// sessionStillValid looks at the session anew, past what this request has remembered.
func (s *Server) sessionStillValid(r *http.Request, v *Visit) bool {
	if v.Embed != nil {
		now, err := s.Embeds.Visit(r.Context(), v.Embed.Client.Key, v.Embed.ID, v.Session.IDHash)
		return err == nil && now.User == v.User
	}
	now, err := s.Sessions.lookUp(r.Context(), v.Session.IDHash)
	return err == nil && now.SignedIn && now.User == v.User
}

// stream writes server-sent events. Its methods say whether the reader is there.
type stream struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	seq int
}

// newStream opens a stream that outlives the server's time-outs: each write has
// its own limit instead.
func newStream(w http.ResponseWriter) *stream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	h.Del("Session-Expires") // true at the start only; the stream renews nothing
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Time{}) // not every writer can; then there is none to lift
	w.WriteHeader(http.StatusOK)
	return &stream{w: w, rc: rc}
}

func (st *stream) sendChange(c desk.Change) bool {
	if c.Inbox {
		return st.send("inbox", "now")
	}
	if c.Resync() {
		return st.send("resync", "now")
	}
	return st.send("lead", fmt.Sprintf("%s %d", c.App, c.Revision))
}

// send writes one event. Neither argument holds a line end.
func (st *stream) send(event, data string) bool {
	st.seq++
	return st.write(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", st.seq, event, data))
}

func (st *stream) sendHeartbeat() bool { return st.write(": still here\n\n") }

func (st *stream) write(text string) bool {
	_ = st.rc.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := st.w.Write([]byte(text)); err != nil {
		return false
	}
	return st.rc.Flush() == nil
}
