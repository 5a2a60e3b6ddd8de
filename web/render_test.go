package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/static"
	"hearthline/web"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

// failingRoutes returns routes that end in every way in which a handler can.
func failingRoutes() []page.Route {
	return page.WithPermission(access.UseAccount, []page.Route{
		{Method: "GET", Pattern: "/broken", Name: "broken", Handler: func(http.ResponseWriter, *http.Request) error {
			return errors.New("row 7 of 123-45-6789 for ana@rivera.test is gone")
		}},
		{Method: "GET", Pattern: "/panics", Name: "panics", Handler: func(http.ResponseWriter, *http.Request) error {
			panic("Ana Rivera has no offers")
		}},
		{Method: "GET", Pattern: "/crash", Name: "crash", Handler: func(http.ResponseWriter, *http.Request) error {
			var none []int
			none[len("x")] = 1
			return nil
		}},
		{Method: "GET", Pattern: "/lender", Name: "lender", Handler: func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("Content-Disposition", "attachment")
			return fault.New(fault.Unavailable, "The lender does not answer.")
		}},
		{Method: "POST", Pattern: "/form", Name: "form", Handler: func(http.ResponseWriter, *http.Request) error {
			return fault.Wrap(fault.Invalid, "The name is wrong.", errors.New("Rivera"))
		}},
	})
}

func TestSecurityHeaders_OnEveryResponse(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "https://portal.example", failingRoutes()...)
	b := p.SignedIn(t, access.Originator)
	want := map[string]string{
		"Reporting-Endpoints":          `csp="/policy-reports"`,
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Origin-Agent-Cluster":         "?1",
		"Referrer-Policy":              "same-origin",
		"X-Content-Type-Options":       "nosniff",
		"Cache-Control":                "no-store",
		"Strict-Transport-Security":    "max-age=63072000; includeSubDomains",
	}
	seen := map[string]bool{}
	for path, status := range map[string]int{
		"/": 303, "/login": 303, "/nowhere": 404, "/broken": 500, "/panics": 500, "/crash": 500,
		"/lender": 503, "/healthz": 200, "/readyz": 200, "/hooks/partner/x": 405,
	} {
		res := b.Get(path)
		if res.Code != status {
			t.Errorf("%s: got %d, want %d", path, res.Code, status)
		}
		for name, value := range want {
			if got := res.Header().Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got, value)
			}
		}
		if got := webtest.CSPNonce(t, res.Header()); seen[got] {
			t.Errorf("%s has the nonce %s, which was used before", path, got)
		} else {
			seen[got] = true
		}
		if res.Header().Get("Permissions-Policy") == "" {
			t.Errorf("%s has no Permissions-Policy", path)
		}
	}
	if got := b.Get("/hooks/partner/x").Header()["Allow"]; !slices.Equal(got, []string{"POST"}) {
		t.Errorf("a path that only accepts POST allows %q", got)
	}
	if res := b.Get("/login", "Sec-Fetch-Site", "cross-site"); res.Code != 403 ||
		res.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a cross-site denial: got %d, %q", res.Code, res.Header().Get("Cache-Control"))
	}
}

// TestStaticFiles_CSPForbidsEverything opens a static file as if it were a page.
func TestStaticFiles_CSPForbidsEverything(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "https://portal.example")
	for _, path := range []string{static.URL("icons.svg"), "/static/nothing.js"} {
		res := p.NewBrowser(t).Get(path, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Dest", "image",
			"Sec-Fetch-Mode", "no-cors")
		if got, want := res.Header().Get("Content-Security-Policy"),
			"default-src 'none'; frame-ancestors 'none'"; got != want {
			t.Errorf("%s: got policy %q, want %q", path, got, want)
		}
		if got := res.Header().Get("X-Content-Type-Options") +
			res.Header().Get("Cross-Origin-Resource-Policy"); got != "nosniffsame-origin" {
			t.Errorf("%s: got %q", path, got)
		}
	}
}

func TestSecurityHeaders_PlainHTTP_NoHSTS(t *testing.T) {
	t.Parallel()
	if got := webtest.NewFakedServer(t, "http://localhost:8080").NewBrowser(t).Get("/login").Header().
		Get("Strict-Transport-Security"); got != "" {
		t.Errorf("HSTS on plain http: %q", got)
	}
}

func TestStaticFiles_Immutable(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "https://portal.example")
	res := p.NewBrowser(t).Get(static.URL("app.css"))
	if res.Code != 200 || !strings.Contains(res.Header().Get("Cache-Control"), "immutable") ||
		res.Header().Get("Set-Cookie") != "" {
		t.Errorf("got %d, %v", res.Code, res.Header())
	}
}

// logLines returns the portal's log lines so far.
func logLines(t *testing.T, p *webtest.FakedServer) []map[string]any {
	t.Helper()
	var out []map[string]any
	for line := range strings.Lines(p.Log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		out = append(out, fields)
	}
	return out
}

func TestErrorPage_ReferenceIsInLog(t *testing.T) {
	t.Parallel()
	for path, cause := range map[string]string{
		"/broken": "row 7 of [withheld] for [withheld] is gone", "/panics": "panic: string",
		"/crash": "panic: runtime error: index out of range [1] with length 0",
	} {
		p := webtest.NewFakedServer(t, "http://localhost:8080", failingRoutes()...)
		b := p.SignedIn(t, access.Originator)
		p.Log.Reset()
		body := b.Get(path + "?q=Rivera").Body.String()
		all := logLines(t, p)
		if len(all) != 1 {
			t.Fatalf("%s: %d log lines, want one", path, len(all))
		}
		line := all[0]
		if ref, _ := line["ref"].(string); ref == "" || !strings.Contains(body, ref) {
			t.Errorf("%s: the page does not show the reference %q", path, ref)
		}
		if line["cause"] != cause || line["status"] != 500.0 || line["level"] != "ERROR" || line["route"] != path ||
			line["user"] != "originator" {
			t.Errorf("%s: got %v", path, line)
		}
		for _, leak := range []string{"Rivera", "45-6789", "ana@", "Ana"} {
			if strings.Contains(p.Log.String(), leak) {
				t.Errorf("%s: the log shows %q: %s", path, leak, p.Log)
			}
			if strings.Contains(body, leak) {
				t.Errorf("%s: the page shows %q", path, leak)
			}
		}
		if !strings.Contains(body, "Olivia Bennett") {
			t.Errorf("%s: the page has lost its header bar", path)
		}
	}
}

func TestErrorPage_DropsContentHeaders(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080", failingRoutes()...)
	res := p.SignedIn(t, access.Originator).Get("/lender")
	if got := res.Header().Get("Content-Type"); got != "text/html; charset=utf-8" ||
		res.Header().Get("Content-Disposition") != "" {
		t.Errorf("got %q, %q; want a page", got, res.Header().Get("Content-Disposition"))
	}
}

func TestErrorPage_HTMXRequest_IsFragment(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080", failingRoutes()...)
	b := p.SignedIn(t, access.Originator)
	if body := b.Get("/lender", "HX-Request", "true", "HX-Request-Type",
		"partial").Body.String(); strings.Contains(body, "<html") || !strings.Contains(body, "does not answer") {
		t.Errorf("got %q, want the fragment only", body)
	}
	if body := b.Get("/lender", "HX-Request", "true", "HX-Request-Type", "full").Body.String(); !strings.Contains(body,
		"<html") {
		t.Error("a full request got a fragment")
	}
}

func TestRequestLog_HasNoFormValues(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080", failingRoutes()...)
	b := p.SignedIn(t, access.Originator)
	if res := b.Post("/form?ssn=123-45-6789", url.Values{"name": {"Rivera"}}); res.Code != 422 {
		t.Errorf("got %d, want 422", res.Code)
	}
	b.Post("/login", url.Values{"email": {"ana@rivera.test"}, "password": {"hunter2-hunter2"}})
	for _, leak := range []string{"Rivera", "rivera", "45-6789", "hunter2", b.Cookies["sid"]} {
		if strings.Contains(p.Log.String(), leak) {
			t.Errorf("the log shows %q: %s", leak, p.Log)
		}
	}
	if !strings.Contains(p.Log.String(), `"login":"refused"`) {
		t.Error("a rejected sign-in is not logged")
	}
}

func TestNotFound_SignedIn_KeepsLayout(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	if body := p.SignedIn(t, access.Originator).Get("/nowhere").Body.String(); !strings.Contains(body, "Olivia Bennett") {
		t.Error("the page does not show who is signed in")
	}
	if body := p.NewBrowser(t).Get("/nowhere").Body.String(); strings.Contains(body, "Olivia") {
		t.Error("a page without a session shows a user name")
	}
}

func TestRequestBody_OverLimit_413(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080", failingRoutes()...)
	b := p.SignedIn(t, access.Originator)
	res := b.Post("/form", url.Values{"name": {strings.Repeat("x", 1<<20)}})
	if res.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("got %d, want 413", res.Code)
	}
}

func TestRender_AcceptsGzip_Compressed(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	open := p.NewBrowser(t).Get("/login")
	plainBody := bytes.ReplaceAll(open.Body.Bytes(), []byte(webtest.CSPNonce(t, open.Header())), nil)
	res := p.NewBrowser(t).Get("/login", "Accept-Encoding", "br, gzip")
	if res.Header().Get("Content-Encoding") != "gzip" {
		t.Fatalf("got %v", res.Header())
	}
	z, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := io.ReadAll(z)
	if packed = bytes.ReplaceAll(packed, []byte(webtest.CSPNonce(t, res.Header())), nil); err != nil ||
		!bytes.Equal(packed, plainBody) {
		t.Errorf("the compressed page differs (%v)", err)
	}
	for _, accept := range []string{"", "identity", "gzip;q=0", "br"} {
		if got := p.NewBrowser(t).Get("/login", "Accept-Encoding", accept).Header().Get("Content-Encoding"); got != "" {
			t.Errorf("Accept-Encoding %q: got %q", accept, got)
		}
	}
}

func TestReadyz_NotReady_503LoggedOnce(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	p.Ready = func(context.Context) error { return errors.New("no accounts yet") }
	if res := p.NewBrowser(t).Get("/readyz"); res.Code != http.StatusServiceUnavailable {
		t.Errorf("got %d, want 503", res.Code)
	}
	for range 3 {
		p.NewBrowser(t).Get("/readyz")
	}
	log := p.Log.String()
	if strings.Count(log, "no accounts yet") != 1 || strings.Contains(log, "ERROR") {
		t.Errorf("after four requests the log has %s, want the cause once and no error", log)
	}
	p.Ready = func(context.Context) error { return nil }
	p.NewBrowser(t).Get("/readyz")
	p.NewBrowser(t).Get("/readyz")
	if got := strings.Count(p.Log.String(), `"readiness"`) + strings.Count(p.Log.String(), "msg=readiness"); got != 2 {
		t.Errorf("finally ready: got %d lines about readiness, want two: %s", got, p.Log.String())
	}
}

func TestObserveRequest_CalledPerRequest(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080", failingRoutes()...)
	var observed []page.RequestStats
	b := p.SignedIn(t, access.Originator)
	p.Rebuild(func(d *web.Deps) { d.ObserveRequest = func(a page.RequestStats) { observed = append(observed, a) } })
	b.Get("/lender?q=Rivera")
	p.NewBrowser(t).Get("/no-such-place/123-45-6789")
	want := []page.RequestStats{{Method: "GET", Route: "/lender", Status: 503},
		{Method: "GET", Route: "none", Status: 404}}
	if len(observed) != len(want) {
		t.Fatalf("observed %+v, want %+v", observed, want)
	}
	for i, got := range observed {
		got.Duration = 0
		if got != want[i] {
			t.Errorf("observed %+v, want %+v", got, want[i])
		}
	}
}
