package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/web"
	"hearthline/web/guard"
	"hearthline/web/webtest"
)

// streamReader is the receiving end of a stream. It may be read while it is written.
type streamReader struct {
	httptest.ResponseRecorder
	mu   sync.Mutex
	text strings.Builder
}

func (s *streamReader) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *streamReader) Flush() {}

func (s *streamReader) received() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// withStream runs test inside a synctest bubble with an open stream. ended reports whether the stream has ended.
func withStream(t *testing.T, test func(p *webtest.FakedServer, w *streamReader, leave func(), ended func() bool)) {
	synctest.Test(t, func(t *testing.T) {
		p := webtest.NewFakedServer(t, "http://localhost:8080")
		p.CurrentTime = time.Now()
		start := time.Now()
		p.Rebuild(func(d *web.Deps) { d.Now = func() time.Time { return p.CurrentTime.Add(time.Since(start)) } })
		b := p.SignedIn(t, access.Originator)
		ctx, leave := context.WithCancel(t.Context())
		r := httptest.NewRequest(http.MethodGet, "http://localhost/events", nil).WithContext(ctx)
		r.AddCookie(&http.Cookie{Name: "sid", Value: b.Cookies["sid"]})
		w := &streamReader{ResponseRecorder: *httptest.NewRecorder()}
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.ServeHTTP(w, r)
		}()
		ended := func() bool {
			synctest.Wait()
			select {
			case <-done:
				return true
			default:
				return false
			}
		}
		test(p, w, leave, ended)
		leave()
		<-done
	})
}

func TestStream_SendsOwnChangesOnly(t *testing.T) {
	t.Parallel()
	withStream(t, func(p *webtest.FakedServer, w *streamReader, leave func(), ended func() bool) {
		synctest.Wait() // until it has subscribed
		p.Hub.Publish(pubsub.Event{App: webtest.OwnLead, Revision: 7}, pubsub.Originator("o-1"))
		p.Hub.Publish(pubsub.Event{App: webtest.ForeignLead, Revision: 7}, pubsub.Originator("o-2"))
		p.Hub.Publish(pubsub.Event{}, pubsub.Originator("o-1"))
		synctest.Wait()
		want := "id: 1\nevent: resync\ndata: now\n\nid: 2\nevent: lead\ndata: " + webtest.OwnLead +
			" 7\n\nid: 3\nevent: resync\ndata: now\n\n"
		first, rest, _ := strings.Cut(w.received(), "\n")
		var retry int
		if _, err := fmt.Sscanf(first, "retry: %d", &retry); err != nil || retry < 300 || retry >= 1000 {
			t.Errorf("the stream starts with %q, want how many milliseconds to wait before connecting again", first)
		}
		if rest != want {
			t.Errorf("got %q, want %q", rest, want)
		}
		h := w.Header()
		if h.Get("Content-Type") != "text/event-stream" || h.Get("X-Accel-Buffering") != "no" ||
			h.Get("Cache-Control") != "no-store" ||
			h.Get("Content-Encoding") != "" {
			t.Errorf("got headers %v", h)
		}
		leave()
		if !ended() {
			t.Error("the stream remains open after its reader left")
		}
	})
}

func TestStream_Heartbeat_DoesNotRenewSession(t *testing.T) {
	t.Parallel()
	withStream(t, func(p *webtest.FakedServer, w *streamReader, _ func(), ended func() bool) {
		time.Sleep(4*guard.Heartbeat + time.Second)
		if ended() {
			t.Fatal("the stream ended")
		}
		if got := strings.Count(w.received(), ": still here\n\n"); got != 4 {
			t.Errorf("%d heartbeats in a minute, want 4", got)
		}
		time.Sleep(guard.IdleLimit)
		if !ended() {
			t.Error("the stream outlives an idle session")
		}
		if p.Rows.Touches != 0 {
			t.Error("the stream renewed the session")
		}
	})
}

func TestStream_SessionOrServerEnds_Closes(t *testing.T) {
	t.Parallel()
	for what, end := range map[string]func(p *webtest.FakedServer){
		"the session is revoked": func(p *webtest.FakedServer) {
			for hash := range p.Rows.Sessions(context.Background(), p.CurrentTime) {
				_ = p.Rows.EndSession(context.Background(), hash)
			}
		},
		"the account is closed": func(p *webtest.FakedServer) {
			p.Rows.ChangeUser("originator", func(u *access.User) { u.Disabled = true })
		},
		"the company changes": func(p *webtest.FakedServer) {
			p.Rows.ChangeUser("originator", func(u *access.User) { u.BrokerID = "lakeside" })
		},
		"for whom they work changes": func(p *webtest.FakedServer) {
			p.Rows.ChangeUser("originator", func(u *access.User) { u.WorksFor = "o-2" })
		},
		"the server closes": func(p *webtest.FakedServer) { p.Close(); p.Close() },
	} {
		t.Run(what, func(t *testing.T) {
			withStream(t, func(p *webtest.FakedServer, _ *streamReader, _ func(), ended func() bool) {
				if ended() {
					t.Fatal("the stream did not open")
				}
				end(p)
				time.Sleep(guard.Heartbeat)
				if !ended() {
					t.Error("the stream is still open")
				}
			})
		})
	}
}

// TestStream_OutlivesWriteTimeout uses a real connection, because a response recorder has no timeouts. A stream must
// outlive them.
func TestStream_OutlivesWriteTimeout(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	b := p.SignedIn(t, access.Originator)
	server := httptest.NewUnstartedServer(p)
	server.Config.WriteTimeout = 50 * time.Millisecond
	server.Config.RegisterOnShutdown(p.Close)
	server.Start()
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: "sid", Value: b.Cookies["sid"]})
	res, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	stream := bufio.NewReader(res.Body)
	if first := nextEvent(t, stream); !strings.Contains(first, "event: resync\n") {
		t.Fatalf("the stream starts with %q", first)
	}
	timer := time.AfterFunc(100*time.Millisecond, func() {
		p.Hub.Publish(pubsub.Event{App: webtest.OwnLead, Revision: 1}, pubsub.Originator("o-1"))
	})
	defer timer.Stop()
	if next := nextEvent(t, stream); !strings.HasPrefix(next, "id: 2\nevent: lead\n") {
		t.Errorf("after the server's timeout: got %q", next)
	}
	go func() { _ = server.Config.Shutdown(t.Context()) }()
	if _, err := io.ReadAll(stream); err != nil {
		t.Errorf("the shutdown broke the stream instead of ending it: %v", err)
	}
}

// nextEvent reads an event of a stream, up to its blank line.
func nextEvent(t *testing.T, stream *bufio.Reader) (text string) {
	t.Helper()
	for !strings.HasSuffix(text, "\n\n") {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		text += line
	}
	return text
}

// TestStream_AccessChanged_EndsAtNextChange changes what a user may see while a stream is open that was told of
// a change just before: the next change is not sent.
func TestStream_AccessChanged_EndsAtNextChange(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(ctx context.Context, h *webtest.Harness, tx *store.Tx) error{
		"signed out": func(ctx context.Context, _ *webtest.Harness, tx *store.Tx) error {
			_, err := tx.EndSessionsOf(ctx, "user-olivia", "")
			return err
		},
		"another role": func(ctx context.Context, _ *webtest.Harness, tx *store.Tx) error {
			return tx.ChangeRole(ctx, access.Operator().Actor, "user-olivia", access.Manager)
		},
		"account closed": func(ctx context.Context, _ *webtest.Harness, tx *store.Tx) error {
			return tx.CloseUser(ctx, access.Operator().Actor, "user-olivia")
		},
		"another company": func(ctx context.Context, h *webtest.Harness, tx *store.Tx) error {
			return tx.SaveOriginator(ctx, heloc.Originator{ID: heloc.OriginatorID(h.People["olivia"].OriginatorUUID),
				Broker: &heloc.BrokerCompany{ID: "B-other"}}, time.Now())
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
			r := httptest.NewRequest(http.MethodGet, "http://localhost/events", nil)
			for _, c := range h.SignInAs("olivia").Cookies() {
				r.AddCookie(c)
			}
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			w := &streamReader{ResponseRecorder: *httptest.NewRecorder()}
			done := make(chan struct{})
			go func() {
				defer close(done)
				h.Server.ServeHTTP(w, r.WithContext(ctx))
			}()
			publish := func(app string) {
				h.DeskDeps.Hub.Publish(pubsub.Event{App: app, Revision: 1}, pubsub.Originator(h.People["olivia"].OriginatorUUID))
			}
			h.WaitUntil("the stream is open", func() bool { return strings.Contains(w.received(), "resync") })
			publish(webtest.OwnLead)
			h.WaitUntil("the first change is sent", func() bool { return strings.Contains(w.received(), webtest.OwnLead) })
			h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error { return change(t.Context(), h, tx) }))
			h.WaitUntil("the stream ends", func() bool {
				publish(webtest.ForeignLead)
				select {
				case <-done:
					return true
				default:
					return false
				}
			})
			if n := strings.Count(w.received(), webtest.ForeignLead); n > 3 {
				t.Errorf("%d changes were sent after it, want none but those within milliseconds", n)
			}
		})
	}
}
