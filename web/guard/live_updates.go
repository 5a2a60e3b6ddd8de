package guard

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"hearthline/internal/embed"
	"hearthline/internal/pubsub"
	"hearthline/web/page"
)

const (
	// Heartbeat is the interval at which a quiet stream sends a comment, so that proxies do not
	// close it, and at which it checks the session again.
	Heartbeat = 15 * time.Second
	// writeTimeout is how long one write may take before the client counts as gone.
	writeTimeout = 10 * time.Second
	// A browser whose connection is lost waits for minRetry and up to retrySpread longer.
	minRetry    = 300 * time.Millisecond
	retrySpread = 700 * time.Millisecond
)

// LiveUpdates are the open event streams.
type LiveUpdates struct {
	sessions  *Sessions
	embeds    *embed.Service
	open      StreamLimit
	access    accessRevision
	closing   chan struct{}
	closeOnce sync.Once
}

// Close ends the event streams, which would otherwise delay a shutdown. Pass it to
// http.Server.RegisterOnShutdown.
func (l *LiveUpdates) Close() { l.closeOnce.Do(func() { close(l.closing) }) }

// Open returns how many streams are open.
func (l *LiveUpdates) Open() int { return l.open.Open() }

// Events streams which leads have changed and whether the inbox has. It contains no lead data: a
// page that learns of a change fetches its content again through the normal route. The resync at
// the start covers changes before the stream was opened. The stream never renews the session. It
// ends within one heartbeat of the session's end, when the server closes, and when the user's role
// or company changes.
func (l *LiveUpdates) Events(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	release, ok := l.open.Acquire(v.User.UserID)
	if !ok {
		return &page.StatusError{Status: http.StatusTooManyRequests,
			Message: "Too many pages are open. Close some and reload this one."}
	}
	defer release()
	changes, stop := v.Desk.Changes()
	defer stop()
	check := &streamCheck{live: l, visit: v}
	// while pages open one by one, so that the first change does not have to look for all of them
	valid := check.validAgain(r)
	st := newStream(w)
	if !valid || !st.sendStart() {
		return nil
	}
	tick := time.NewTicker(Heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return nil
		case <-l.closing:
			return nil
		case c, ok := <-changes:
			if !ok || !check.validNow(r) || !st.sendChange(c) {
				return nil
			}
		case <-tick.C:
			if !check.validAgain(r) || !st.sendHeartbeat() {
				return nil
			}
		}
	}
}

// stream writes server-sent events. Its methods report whether the client is still connected.
type stream struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	seq int
}

// newStream opens a stream that is not subject to the server's timeouts; each write has its own
// deadline instead.
func newStream(w http.ResponseWriter) *stream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	h.Del("Session-Expires") // correct only at the start, because the stream does not renew the session
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Time{}) // some test writers have no deadline to lift
	w.WriteHeader(http.StatusOK)
	return &stream{w: w, rc: rc}
}

// sendStart also tells the browser how long to wait before it connects again when the connection is lost: browsers
// would wait for up to five seconds. The times differ, so that the pages of a stopped portal do not all come to the
// others at once.
func (st *stream) sendStart() bool {
	retry := minRetry + rand.N(retrySpread)
	return st.write(fmt.Sprintf("retry: %d\n", retry.Milliseconds()) + st.event("resync", "now"))
}

func (st *stream) sendChange(c pubsub.Event) bool {
	if c.Inbox {
		return st.send("inbox", "now")
	}
	if c.Resync() {
		return st.send("resync", "now")
	}
	return st.send("lead", fmt.Sprintf("%s %d", c.App, c.Revision))
}

func (st *stream) send(event, data string) bool { return st.write(st.event(event, data)) }

// event returns the text of the next event. Neither argument may contain a line break.
func (st *stream) event(name, data string) string {
	st.seq++
	return fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", st.seq, name, data)
}

func (st *stream) sendHeartbeat() bool { return st.write(": still here\n\n") }

func (st *stream) write(text string) bool {
	_ = st.rc.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := st.w.Write([]byte(text)); err != nil {
		return false
	}
	return st.rc.Flush() == nil
}

// streamCheck checks whether the session of a stream is still valid, in the database, because the request's own copy is
// from its start.
type streamCheck struct {
	live     *LiveUpdates
	visit    *page.Visit
	at       time.Time // of the last look at the session
	expires  time.Time // of the session, as of then
	revision int64     // from before then
}

// coverBoundary is what the days divide on which covers begin and end, in every time zone.
const coverBoundary = 15 * time.Minute

// validNow reports whether the session is valid. It looks at the session only if something can have changed since the
// last time, because a change at a large company is sent to thousands of streams at once.
func (c *streamCheck) validNow(r *http.Request) bool {
	now := c.live.sessions.Now()
	revision, err := c.live.access.read(r.Context(), c.live.sessions)
	if err != nil || c.visit.Embed != nil || revision != c.revision || !now.Before(c.expires) ||
		!now.Truncate(coverBoundary).Equal(c.at.Truncate(coverBoundary)) {
		return c.validAgain(r)
	}
	return true
}

// validAgain looks at the session.
func (c *streamCheck) validAgain(r *http.Request) bool {
	l, v := c.live, c.visit
	if v.Embed != nil {
		now, err := l.embeds.Visit(r.Context(), v.Embed.Client.Key, v.Embed.ID, v.Session.IDHash)
		return err == nil && now.User == v.User
	}
	revision, err := l.access.read(r.Context(), l.sessions)
	if err != nil {
		return false
	}
	now, err := l.sessions.lookUp(r.Context(), v.Session.IDHash)
	c.at, c.expires, c.revision = l.sessions.Now(), now.ExpiresAt, revision
	return err == nil && now.SignedIn && now.User == v.User
}

// accessRevisionAge is how long all streams use one reading of the access revision.
const accessRevisionAge = 20 * time.Millisecond

// accessRevision is the last reading of the access revision.
type accessRevision struct {
	mu sync.Mutex
	at time.Time
	n  int64
}

func (a *accessRevision) read(ctx context.Context, s *Sessions) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	if !a.at.IsZero() && now.Sub(a.at) < accessRevisionAge {
		return a.n, nil
	}
	n, err := s.rows.AccessRevision(ctx)
	if err == nil {
		a.at, a.n = now, n
	}
	return n, err
}
