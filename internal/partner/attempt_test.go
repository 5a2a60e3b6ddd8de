package partner

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// These tests use real connections, because what is on the wire is what is judged.

// startServer starts a lender and counts what it was asked.
func startServer(t *testing.T, handler http.HandlerFunc) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	asked := new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return server, asked
}

// respondRaw answers with raw bytes and closes; nothing but the request head is read.
func respondRaw(raw string, reset bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		if reset {
			_ = conn.(*net.TCPConn).SetLinger(0)
		}
		_, _ = io.WriteString(conn, raw)
		_ = conn.Close()
	}
}

func TestWrite_AnyResponse_SentOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		verdict Verdict
		kind    fault.Kind
	}{
		{"500", respondWithStatus(500), VerdictUnknown, fault.Unavailable},
		{"502", respondWithStatus(502), VerdictUnknown, fault.Unavailable},
		{"503", respondWithStatus(503), VerdictUnknown, fault.Unavailable},
		{"408", respondWithStatus(408), VerdictUnknown, fault.Unavailable},
		{"429", respondWithStatus(429), VerdictRejected, fault.Unavailable},
		{"400", respondWithStatus(400), VerdictRejected, fault.Upstream},
		{"403", respondWithStatus(403), VerdictRejected, fault.Upstream},
		{"404", respondWithStatus(404), VerdictRejected, fault.NotFound},
		{"302", respondWithStatus(302), VerdictRejected, fault.Upstream},
		{"closed without an answer", respondRaw("", false), VerdictUnknown, fault.Unavailable},
		{"reset", respondRaw("", true), VerdictUnknown, fault.Unavailable},
		{"half a head", respondRaw("HTTP/1.1 200 OK\r\nContent-Le", false), VerdictUnknown, fault.Unavailable},
		{"half a body", respondRaw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"messages\":", false), VerdictUnknown, fault.Unavailable},
		{"not HTTP", respondRaw("SSH-2.0-x\r\n\r\n", false), VerdictUnknown, fault.Unavailable},
		{"half a JSON", respondWithBody(`{"messages":[`), VerdictUnknown, fault.Upstream},
		{"two JSONs", respondWithBody(`{}{}`), VerdictUnknown, fault.Upstream},
		{"deep", respondWithBody(strings.Repeat("[", 100_000)), VerdictUnknown, fault.Upstream},
		{"many", respondWithBody("[" + strings.Repeat("1,", maxNodes) + "1]"), VerdictUnknown, fault.Upstream},
		{"huge", respondWithBody(`{"x":"` + strings.Repeat("a", maxJSON) + `"}`), VerdictUnknown, fault.Upstream},
		{"bomb", respondWithGzipBomb, VerdictUnknown, fault.Upstream},
		{"encrypted for whom", respondWithBody("a.b.c.d.e"), VerdictUnknown, fault.Upstream},
		{"empty", respondWithBody(""), VerdictSucceeded, 0},
		{"null", respondWithBody("null"), VerdictSucceeded, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, asked := startServer(t, c.handler)
			_, err := testClient(t, Config{BaseURL: server.URL}).RepullCredit(context.Background(), appID, originatorOlivia)
			if got := VerdictOf(err); got != c.verdict {
				t.Errorf("verdict = %s, want %s: %v", got, c.verdict, err)
			}
			if err != nil && fault.KindOf(err) != c.kind {
				t.Errorf("kind = %v, want %v: %v", fault.KindOf(err), c.kind, err)
			}
			if got := asked.Load(); got != 1 {
				t.Errorf("the lender was asked %d times, want once", got)
			}
			if err != nil && len(err.Error()) > 500 {
				t.Errorf("a long error: %v", err)
			}
		})
	}
}

func respondWithStatus(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func respondWithBody(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

// respondWithGzipBomb is a small answer that unpacks to more than we read.
func respondWithGzipBomb(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	_, _ = io.WriteString(z, `{"x":"`+strings.Repeat("a", 4*maxJSON))
	_ = z.Close()
}

func TestWrite_ConnectFails_NotSent(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	_ = listener.Close()
	plain, _ := startServer(t, respondWithStatus(200))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		base string
	}{
		{"nobody listens", context.Background(), "http://" + closed},
		{"no TLS there", context.Background(), strings.Replace(plain.URL, "http:", "https:", 1)},
		{"the caller has left", cancelled, plain.URL},
	} {
		transport := newTransport()
		transport.Proxy = nil
		_, err := testClient(t, Config{BaseURL: c.base, Transport: transport}).Start(c.ctx, Start{Originator: originatorOlivia, Inquiry: testInquiry()})
		if got := VerdictOf(err); got != VerdictNotSent {
			t.Errorf("%s: verdict = %s, want not_sent: %v", c.name, got, err)
		}
		if kind := fault.KindOf(err); kind != fault.Unavailable {
			t.Errorf("%s: kind = %v, want unavailable: %v", c.name, kind, err)
		}
	}
}

func TestWrite_InvalidInput_NotSent(t *testing.T) {
	server, asked := startServer(t, respondWithStatus(200))
	c := testClient(t, Config{BaseURL: server.URL})
	ctx := context.Background()
	first := func(_ any, err error) error { return err }
	noSSN := testInquiry()
	noSSN.Applicant.SSN = testSecret("12345678")
	for name, err := range map[string]error{
		"app is no UUID":       first(c.Cancel(ctx, "../details", originatorOlivia)),
		"no app":               first(c.AddSSN(ctx, "", originatorOlivia, testSecret(testSSN))),
		"no originator":        first(c.Cancel(ctx, appID, "")),
		"no SSN":               first(c.AddSSN(ctx, appID, originatorOlivia, testSecret(""))),
		"eight digits":         first(c.Start(ctx, Start{Originator: originatorOlivia, Inquiry: noSSN})),
		"letters":              first(c.AddSSN(ctx, appID, originatorOlivia, testSecret("12345678x"))),
		"nobody takes it":      first(c.Reassign(ctx, appID, "")),
		"no accounts":          first(c.PayoffOffers(ctx, appID, nil)),
		"document above":       first(c.Document(ctx, appID, "..")),
		"borrower in details":  first(c.Details(ctx, appID, borrowerDetails)),
		"start for nobody":     first(c.Start(ctx, Start{})),
		"properties of no app": first(c.Properties(ctx, "x")),
	} {
		if got := VerdictOf(err); got != VerdictNotSent {
			t.Errorf("%s: verdict = %s, want not_sent: %v", name, got, err)
		}
	}
	if got := asked.Load(); got != 0 {
		t.Errorf("the lender was asked %d times", got)
	}
	err := first(c.AddSSN(ctx, appID, originatorOlivia, testSecret("12-34")))
	if fields := fault.FieldsOf(err); len(fields) != 1 || fields[0].Name != "applicant.ssn" {
		t.Errorf("fields = %v", fields)
	}
}

// A kept connection that the lender closed meanwhile: the request was not read by
// anybody, or it was and nobody knows; it is never there twice.
func TestWrite_StaleConnection_SentOnce(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	var requests atomic.Int64
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				// One answer, then the next request on this connection is read and dropped.
				reader := bufio.NewReader(conn)
				for n := 0; ; n++ {
					request, err := http.ReadRequest(reader)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, request.Body)
					requests.Add(1)
					if n == 1 {
						_ = conn.Close()
						return
					}
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
				}
			}()
		}
	}()
	c := testClient(t, Config{BaseURL: "http://" + listener.Addr().String()})
	if _, err := c.Cancel(context.Background(), appID, originatorOlivia); err != nil {
		t.Fatal(err)
	}
	_, err = c.Cancel(context.Background(), appID, originatorOlivia)
	if got := VerdictOf(err); got != VerdictUnknown {
		t.Errorf("verdict = %s, want unknown: %v", got, err)
	}
	if got := requests.Load(); got != 2 {
		t.Errorf("the lender read %d requests, want 2", got)
	}
}

func TestCall_SlowResponse_TimesOut(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	silent := func(_ http.ResponseWriter, _ *http.Request) { <-release }
	dripping := func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; ; i++ {
			_, _ = io.WriteString(w, " ")
			w.(http.Flusher).Flush()
			select {
			case <-release:
				return
			case <-time.After(5 * time.Millisecond):
			}
			if i > 10_000 {
				return
			}
		}
	}
	for name, handler := range map[string]http.HandlerFunc{"silent": silent, "dripping": dripping} {
		server, asked := startServer(t, handler)
		c := testClient(t, Config{BaseURL: server.URL, Timeout: 50 * time.Millisecond})
		_, err := c.Cancel(context.Background(), appID, originatorOlivia)
		if VerdictOf(err) != VerdictUnknown || fault.KindOf(err) != fault.Unavailable || !errors.Is(err, errTimeout) {
			t.Errorf("%s: a write: %v", name, err)
		}
		if _, err := c.Details(context.Background(), appID); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%s: a read: %v", name, err)
		}
		if got := asked.Load(); got != 2 {
			t.Errorf("%s: asked %d times, want 2: a time-out is for the whole call", name, got)
		}
	}
}

func TestRedirect_NotFollowed(t *testing.T) {
	elsewhere, asked := startServer(t, respondWithStatus(200))
	server, _ := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+"/steal", http.StatusFound)
	})
	c := testClient(t, Config{BaseURL: server.URL})
	if _, err := c.Details(context.Background(), appID); fault.KindOf(err) != fault.Upstream {
		t.Errorf("a read: %v", err)
	}
	if _, err := c.Document(context.Background(), appID, "x"); fault.KindOf(err) != fault.Upstream {
		t.Errorf("a download: %v", err)
	}
	if asked.Load() != 0 {
		t.Error("the redirect was followed")
	}
}

func TestAPIKeys_After401_NextKeyIsRemembered(t *testing.T) {
	var keys []string
	server, _ := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("apikey")
		keys = append(keys, key)
		if key != "next" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		sent, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodPut && len(sent) == 0 {
			w.WriteHeader(http.StatusBadRequest)
		}
	})
	c := testClient(t, Config{BaseURL: server.URL, APIKeys: func() []string { return []string{"current", "", "next"} }})
	for range 2 {
		if _, err := c.Cancel(context.Background(), appID, originatorOlivia); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(keys); got != "[current next next]" {
		t.Errorf("keys = %s", got)
	}
	none := testClient(t, Config{BaseURL: server.URL, APIKeys: func() []string { return nil }})
	if _, err := none.Cancel(context.Background(), appID, originatorOlivia); VerdictOf(err) != VerdictNotSent || fault.KindOf(err) != fault.Internal {
		t.Errorf("without a key: %v", err)
	}
	if _, err := none.PrequalifyPlain(context.Background(), heloc.Prequalification{}); fault.KindOf(err) == fault.Internal {
		t.Errorf("pre-qualification needs no key: %v", err)
	}
}
