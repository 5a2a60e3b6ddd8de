package embed_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/static"
	"hearthline/web"
	"hearthline/web/guard"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

func TestFrameAncestors_ByAddress(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	webtest.NewCRM(t, h)
	v := h.NewBrowser()
	for path, want := range map[string]string{
		"/e/acme/x/leads": webtest.CRMOrigin, "/e/acme/nowhere/at/all": webtest.CRMOrigin,
		"/launch/jwt/acme": webtest.CRMOrigin, "/launch/jwt/acme/x": webtest.CRMOrigin,
		"/e/nobody/x/leads": "'none'", "/launch/jwt/nobody": "'none'", "/leads": "'none'", "/login": "'none'",
		"/e/": "'none'", "/connect/acme/x": "'none'",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			got := v.Do(v.Request(method, path, nil, webtest.CrossSiteHeaders())).Header.Get("Content-Security-Policy")
			if !strings.Contains(got, "frame-ancestors "+want+";") {
				t.Errorf("%s %s: got %q, want %s", method, path, got, want)
			}
		}
	}
}

// Every response states who may frame it, whatever its status.
func TestFrameAncestors_OnErrors(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	failing := func(http.ResponseWriter, *http.Request) error { panic("broken") }
	h.HTTPServer.Config.Handler = web.NewWithRoutes(h.Deps, []page.Route{
		{Method: http.MethodGet, Pattern: "/e/{client}/panics", Name: "sign-in cookie check", Public: true, Handler: failing},
		{Method: http.MethodGet, Pattern: "/panics", Name: "sign-in cookie check", Public: true, Handler: failing},
	})
	v := h.NewBrowser()
	v.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	get := func(path string, headers ...string) func() *webtest.Response {
		return func() *webtest.Response { return v.Get(path, headers...) }
	}
	often := func(path string, body url.Values, headers ...string) func() *webtest.Response {
		return func() *webtest.Response {
			var got *webtest.Response
			for range 2 * guard.RejectedPerMinute {
				if got = v.Post(path, body, headers...); got.Status == http.StatusTooManyRequests {
					break
				}
			}
			return got
		}
	}
	for _, tt := range []struct {
		what   string
		ask    func() *webtest.Response
		status int
		want   string
	}{
		{"a redirect in a frame", get(f.Base+"/drafts", webtest.FrameHeaders("Cookie", f.Cookie)...), 303, webtest.CRMOrigin},
		{"a redirect outside", get("/leads"), 303, "'none'"},
		{"a panic in a frame", get("/e/acme/panics", webtest.FrameHeaders()...), 500, webtest.CRMOrigin},
		{"a panic outside", get("/panics"), 500, "'none'"},
		{"a huge launch", func() *webtest.Response {
			return v.Post("/launch/jwt/acme", url.Values{"launch_token": {strings.Repeat("x", 70_000)}},
				webtest.CrossSiteHeaders()...)
		}, 413, webtest.CRMOrigin},
		{"too many launches", often("/launch/jwt/acme", url.Values{"launch_token": {"x"}}, webtest.CrossSiteHeaders()...),
			429, webtest.CRMOrigin},
		{"too many at an unknown client", often("/launch/jwt/nobody", nil, webtest.CrossSiteHeaders()...), 429, "'none'"},
		{"a call from another page", func() *webtest.Response {
			return v.Post("/e/acme/start", nil, webtest.CrossSiteHeaders()...)
		}, 403, webtest.CRMOrigin},
		{"an unsigned card", get("/api/embed/acme/records/51"), 403, "'none'"},
		{"no card", get("/api/embed/acme"), 404, "'none'"},
		{"a static file", get(static.URL("app.js")), 200, "'none'"},
		{"a missing static file", get(static.Prefix + "nowhere"), 404, "'none'"},
	} {
		got := tt.ask()
		policy := got.Header.Get("Content-Security-Policy") + ";"
		if got.Status != tt.status || strings.Count(policy, "frame-ancestors ") != 1 ||
			!strings.Contains(policy, "frame-ancestors "+tt.want+";") {
			t.Errorf("%s: got %d with %q, want %d with %s", tt.what, got.Status, policy, tt.status, tt.want)
		}
		if xfo := got.Header.Get("X-Frame-Options"); (xfo == "") != (tt.want == webtest.CRMOrigin) &&
			!strings.Contains(tt.what, "static") {
			t.Errorf("%s: X-Frame-Options is %q", tt.what, xfo)
		}
	}
}
