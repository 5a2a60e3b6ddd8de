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
	"hearthline/internal/lead"
)

// These tests use real connections because they check what is sent over the network.

// startServer starts a fake lender and counts its requests.
func startServer(t *testing.T, handler http.HandlerFunc) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	requestCount := new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requestCount.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return server, requestCount
}

// respondRaw responds with raw bytes and closes the connection; it reads only the request header.
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
	t.Parallel()
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		verdict lead.OpState
		kind    fault.Kind
	}{
		{"500", respondWithStatus(500), lead.OpUnknown, fault.Unavailable},
		{"502", respondWithStatus(502), lead.OpUnknown, fault.Unavailable},
		{"503", respondWithStatus(503), lead.OpUnknown, fault.Unavailable},
		{"408", respondWithStatus(408), lead.OpUnknown, fault.Unavailable},
		{"429", respondWithStatus(429), lead.OpRejected, fault.Unavailable},
		{"400", respondWithStatus(400), lead.OpRejected, fault.Upstream},
		{"403", respondWithStatus(403), lead.OpRejected, fault.Upstream},
		{"404", respondWithStatus(404), lead.OpRejected, fault.NotFound},
		{"302", respondWithStatus(302), lead.OpRejected, fault.Upstream},
		{"closed without a response", respondRaw("", false), lead.OpUnknown, fault.Unavailable},
		{"reset", respondRaw("", true), lead.OpUnknown, fault.Unavailable},
		{"partial header", respondRaw("HTTP/1.1 200 OK\r\nContent-Le", false), lead.OpUnknown, fault.Unavailable},
		{"partial body", respondRaw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"messages\":", false), lead.OpUnknown,
			fault.Unavailable},
		{"not HTTP", respondRaw("SSH-2.0-x\r\n\r\n", false), lead.OpUnknown, fault.Unavailable},
		{"partial JSON", respondWithBody(`{"messages":[`), lead.OpUnknown, fault.Upstream},
		{"two JSON values", respondWithBody(`{}{}`), lead.OpUnknown, fault.Upstream},
		{"deeply nested", respondWithBody(strings.Repeat("[", 100_000)), lead.OpUnknown, fault.Upstream},
		{"too many nodes", respondWithBody("[" + strings.Repeat("1,", maxNodes) + "1]"), lead.OpUnknown, fault.Upstream},
		{"huge", respondWithBody(`{"x":"` + strings.Repeat("a", maxJSON) + `"}`), lead.OpUnknown, fault.Upstream},
		{"gzip bomb", respondWithGzipBomb, lead.OpUnknown, fault.Upstream},
		{"encrypted without a key", respondWithBody("a.b.c.d.e"), lead.OpUnknown, fault.Upstream},
		{"empty", respondWithBody(""), lead.OpSucceeded, 0},
		{"null", respondWithBody("null"), lead.OpSucceeded, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, requestCount := startServer(t, c.handler)
			_, err := testClient(t, Config{BaseURL: server.URL}).RepullCredit(context.Background(), appID, originatorOlivia)
			if got := verdictOf(err); got != c.verdict {
				t.Errorf("verdict = %s, want %s: %v", got, c.verdict, err)
			}
			if err != nil && fault.KindOf(err) != c.kind {
				t.Errorf("kind = %v, want %v: %v", fault.KindOf(err), c.kind, err)
			}
			if got := requestCount.Load(); got != 1 {
				t.Errorf("the lender received %d requests, want 1", got)
			}
			if err != nil && len(err.Error()) > 500 {
				t.Errorf("the error is too long: %v", err)
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

// respondWithGzipBomb sends a small response that decompresses to more than we read.
func respondWithGzipBomb(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	_, _ = io.WriteString(z, `{"x":"`+strings.Repeat("a", 4*maxJSON))
	_ = z.Close()
}

func TestWrite_ConnectFails_NotSent(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	_ = listener.Close()
	plain, _ := startServer(t, respondWithStatus(200))
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		base string
	}{
		{"closed port", context.Background(), "http://" + closed},
		{"no TLS on the server", context.Background(), strings.Replace(plain.URL, "http:", "https:", 1)},
		{"caller canceled", canceled, plain.URL},
	} {
		transport := newTransport()
		transport.Proxy = nil
		_, err := testClient(t, Config{BaseURL: c.base, Transport: transport}).
			Start(c.ctx, Start{Originator: originatorOlivia, Inquiry: testInquiry()})
		if got := verdictOf(err); got != lead.OpNotSent {
			t.Errorf("%s: verdict = %s, want not_sent: %v", c.name, got, err)
		}
		if kind := fault.KindOf(err); kind != fault.Unavailable {
			t.Errorf("%s: kind = %v, want unavailable: %v", c.name, kind, err)
		}
	}
}

func TestWrite_InvalidInput_NotSent(t *testing.T) {
	t.Parallel()
	server, requestCount := startServer(t, respondWithStatus(200))
	c := testClient(t, Config{BaseURL: server.URL})
	ctx := context.Background()
	first := func(_ any, err error) error { return err }
	noSSN := testInquiry()
	noSSN.Applicant.SSN = testSecret("12345678")
	for name, err := range map[string]error{
		"malformed app id":   first(c.Cancel(ctx, "../details", originatorOlivia)),
		"no app":             first(c.AddSSN(ctx, "", originatorOlivia, testSecret(testSSN))),
		"no originator":      first(c.Cancel(ctx, appID, "")),
		"no SSN":             first(c.AddSSN(ctx, appID, originatorOlivia, testSecret(""))),
		"eight digits":       first(c.Start(ctx, Start{Originator: originatorOlivia, Inquiry: noSSN})),
		"letters":            first(c.AddSSN(ctx, appID, originatorOlivia, testSecret("12345678x"))),
		"no new originator":  first(c.Reassign(ctx, appID, "")),
		"no accounts":        first(c.PayoffOffers(ctx, appID, nil)),
		"document ..":        first(c.Document(ctx, appID, heloc.Document{UUID: ".."})),
		"borrower section":   first(c.Details(ctx, appID, borrowerDetails)),
		"empty start":        first(c.Start(ctx, Start{})),
		"properties, no app": first(c.Properties(ctx, "x")),
	} {
		if got := verdictOf(err); got != lead.OpNotSent {
			t.Errorf("%s: verdict = %s, want not_sent: %v", name, got, err)
		}
	}
	if got := requestCount.Load(); got != 0 {
		t.Errorf("the lender received %d requests, want none", got)
	}
	err := first(c.AddSSN(ctx, appID, originatorOlivia, testSecret("12-34")))
	if fields := fault.FieldsOf(err); len(fields) != 1 || fields[0].Name != "applicant.ssn" {
		t.Errorf("fields = %v", fields)
	}
}

// The lender closes a reused connection during the second request: nobody knows whether it was
// processed, and the client must not send it again.
func TestWrite_StaleConnection_SentOnce(t *testing.T) {
	t.Parallel()
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
				// Respond once, then read and drop the next request on this connection.
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
	if got := verdictOf(err); got != lead.OpUnknown {
		t.Errorf("verdict = %s, want unknown: %v", got, err)
	}
	if got := requests.Load(); got != 2 {
		t.Errorf("the lender read %d requests, want 2", got)
	}
}

func TestCall_SlowResponse_TimesOut(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	silent := func(_ http.ResponseWriter, _ *http.Request) { <-release }
	trickling := func(w http.ResponseWriter, _ *http.Request) {
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
	for name, handler := range map[string]http.HandlerFunc{"silent": silent, "trickling": trickling} {
		server, requestCount := startServer(t, handler)
		c := testClient(t, Config{BaseURL: server.URL, Timeout: 500 * time.Millisecond})
		_, err := c.Cancel(context.Background(), appID, originatorOlivia)
		if verdictOf(err) != lead.OpUnknown || !fault.Is(err, fault.Unavailable) || !errors.Is(err, errTimeout) {
			t.Errorf("%s: write: %v", name, err)
		}
		if _, err := c.Details(context.Background(), appID); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: read: %v", name, err)
		}
		if got := requestCount.Load(); got > 2 {
			t.Errorf("%s: got %d requests, want one for each call: the timeout is for the whole call", name, got)
		}
	}
}

func TestRedirect_NotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere, requestCount := startServer(t, respondWithStatus(200))
	server, _ := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+"/steal", http.StatusFound)
	})
	c := testClient(t, Config{BaseURL: server.URL})
	if _, err := c.Details(context.Background(), appID); !fault.Is(err, fault.Upstream) {
		t.Errorf("read: %v", err)
	}
	if _, err := c.Document(context.Background(), appID, heloc.Document{UUID: "x"}); !fault.Is(err, fault.Upstream) {
		t.Errorf("download: %v", err)
	}
	if requestCount.Load() != 0 {
		t.Error("the redirect was followed")
	}
}

func TestAPIKeys_After401_NextKeyIsRemembered(t *testing.T) {
	t.Parallel()
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
	noKeys := testClient(t, Config{BaseURL: server.URL, APIKeys: func() []string { return nil }})
	if _, err := noKeys.Cancel(context.Background(), appID, originatorOlivia); verdictOf(err) != lead.OpNotSent ||
		fault.KindOf(err) != fault.Internal {
		t.Errorf("no key: %v", err)
	}
	if _, err := noKeys.PrequalifyPlain(context.Background(),
		heloc.Prequalification{}); fault.KindOf(err) == fault.Internal {
		t.Errorf("PrequalifyPlain must not need a key: %v", err)
	}
}

// A JSON response that is not an object says nothing about what the lender did.
func TestWrite_AnswerNoObject_EffectMissing(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]heloc.Effect{
		`[]`: heloc.EffectMissing, `"ok"`: heloc.EffectMissing, `7`: heloc.EffectMissing,
		`{}`: heloc.EffectUnstated, ``: heloc.EffectUnstated, `null`: heloc.EffectUnstated,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, body)
		}))
		c, err := New(Config{BaseURL: server.URL, APIKeys: func() []string { return []string{"key"} }})
		if err != nil {
			t.Fatal(err)
		}
		got := ResultOf(c.Cancel(t.Context(), appID, originatorOlivia))
		if got.Reach != heloc.ReachAnswer || got.Status != http.StatusOK || got.Effect != want {
			t.Errorf("%q: got %+v, want effect %v", body, got, want)
		}
		server.Close()
	}
}
