package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/static"
	"hearthline/web/guard"
	"hearthline/web/page"
)

func TestFrameAncestors_ByAddress(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	newCRMFixture(t, h)
	v := h.newBrowser()
	for path, want := range map[string]string{
		"/e/acme/x/leads": crmOrigin, "/e/acme/nowhere/at/all": crmOrigin, "/launch/jwt/acme": crmOrigin, "/launch/jwt/acme/x": crmOrigin,
		"/e/nobody/x/leads": "'none'", "/launch/jwt/nobody": "'none'", "/leads": "'none'", "/login": "'none'", "/e/": "'none'", "/connect/acme/x": "'none'",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			got := v.do(v.request(method, path, nil, crossSiteHeaders())).header.Get("Content-Security-Policy")
			if !strings.Contains(got, "frame-ancestors "+want+";") {
				t.Errorf("%s %s: got %q, want %s", method, path, got, want)
			}
		}
	}
}

// Every response states who may frame it, whatever its status.
func TestFrameAncestors_OnErrors(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	f := a.openFrame(launchFor("51"))
	failing := func(http.ResponseWriter, *http.Request) error { panic("broken") }
	h.httpServer.Config.Handler = newServer(h.Deps, []page.Route{
		{Method: http.MethodGet, Pattern: "/e/{client}/panics", Name: "is a sign-in kept", Public: true, Handler: failing},
		{Method: http.MethodGet, Pattern: "/panics", Name: "is a sign-in kept", Public: true, Handler: failing},
	})
	v := h.newBrowser()
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	get := func(path string, headers ...string) func() *response {
		return func() *response { return v.get(path, headers...) }
	}
	often := func(path string, body url.Values, headers ...string) func() *response {
		return func() *response {
			var got *response
			for range 2 * guard.RejectedPerMinute {
				if got = v.post(path, body, headers...); got.status == http.StatusTooManyRequests {
					break
				}
			}
			return got
		}
	}
	for _, tt := range []struct {
		what   string
		ask    func() *response
		status int
		want   string
	}{
		{"a redirect in a frame", get(f.base+"/drafts", frameHeaders("Cookie", f.cookie)...), 303, crmOrigin},
		{"a redirect outside", get("/leads"), 303, "'none'"},
		{"a panic in a frame", get("/e/acme/panics", frameHeaders()...), 500, crmOrigin},
		{"a panic outside", get("/panics"), 500, "'none'"},
		{"a huge launch", func() *response {
			return v.post("/launch/jwt/acme", url.Values{"launch_token": {strings.Repeat("x", 70_000)}}, crossSiteHeaders()...)
		}, 413, crmOrigin},
		{"too many launches", often("/launch/jwt/acme", url.Values{"launch_token": {"x"}}, crossSiteHeaders()...), 429, crmOrigin},
		{"too many at an unknown client", often("/launch/jwt/nobody", nil, crossSiteHeaders()...), 429, "'none'"},
		{"a call from another page", func() *response { return v.post("/e/acme/start", nil, crossSiteHeaders()...) }, 403, crmOrigin},
		{"an unsigned card", get("/api/embed/acme/records/51"), 403, "'none'"},
		{"no card", get("/api/embed/acme"), 404, "'none'"},
		{"a static file", get(static.URL("app.js")), 200, "'none'"},
		{"a missing static file", get(static.Prefix + "nowhere"), 404, "'none'"},
	} {
		got := tt.ask()
		policy := got.header.Get("Content-Security-Policy") + ";"
		if got.status != tt.status || strings.Count(policy, "frame-ancestors ") != 1 || !strings.Contains(policy, "frame-ancestors "+tt.want+";") {
			t.Errorf("%s: got %d with %q, want %d with %s", tt.what, got.status, policy, tt.status, tt.want)
		}
		if xfo := got.header.Get("X-Frame-Options"); (xfo == "") != (tt.want == crmOrigin) && !strings.Contains(tt.what, "static") {
			t.Errorf("%s: X-Frame-Options is %q", tt.what, xfo)
		}
	}
}
