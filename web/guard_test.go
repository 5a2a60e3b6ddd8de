package web_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/web"
	"hearthline/web/guard"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

func guardTestRoutes(ran *bool) []page.Route {
	route := page.WithLead(func(w http.ResponseWriter, r *http.Request, l page.Lead) error {
		*ran = true
		if l.App() != webtest.OwnLead {
			return page.ErrNoSuchLead()
		}
		return page.WriteText(w, "done")
	})
	return []page.Route{
		{Method: http.MethodGet, Pattern: "/leads/{app}/try", Name: "lead", Permission: access.SeeLead, Handler: route},
		{Method: http.MethodPost, Pattern: "/leads/{app}/try-select", Name: "select", Permission: access.SelectOffer,
			Handler: route},
		{Method: http.MethodGet, Pattern: "/try-team", Name: "team", Permission: access.SeeTeam,
			Handler: webtest.TextHandler("team")},
	}
}

// TestGuard_ChecksInOrder checks authentication, permission and lead access, in this order.
func TestGuard_ChecksInOrder(t *testing.T) {
	t.Parallel()
	tests := []struct {
		who          access.Role // "" is not signed in
		method, path string
		htmx         bool
		want         int
		to           string
	}{
		{"", "GET", "/leads/" + webtest.OwnLead + "/try?view=all", false, 303,
			"/login?next=%2Fleads%2F" + webtest.OwnLead + "%2Ftry%3Fview%3Dall"},
		{"", "GET", "/leads/" + webtest.OwnLead + "/try", true, 401, ""},
		{"", "POST", "/leads/" + webtest.OwnLead + "/try-select", false, 303, "/login"},
		{"", "POST", "/leads/" + webtest.OwnLead + "/try-select", true, 401, ""},
		{"", "GET", "/", false, 303, "/login"},
		{"", "GET", "/events", false, 401, ""},
		{access.Originator, "GET", "/leads/" + webtest.OwnLead + "/try", false, 200, ""},
		{access.Originator, "HEAD", "/leads/" + webtest.OwnLead + "/try", false, 200, ""},
		{access.Originator, "GET", "/leads/" + webtest.ForeignLead + "/try", false, 404, ""},
		{access.Originator, "POST", "/leads/" + webtest.ForeignLead + "/try-select", false, 404, ""},
		{access.Originator, "POST", "/leads/" + webtest.OwnLead + "/try-select", false, 200, ""},
		{access.Originator, "GET", "/try-team", false, 403, ""},
		{access.Assistant, "GET", "/leads/" + webtest.OwnLead + "/try", false, 200, ""},
		{access.Assistant, "POST", "/leads/" + webtest.OwnLead + "/try-select", false, 403, ""},
		{access.Assistant, "POST", "/leads/" + webtest.ForeignLead + "/try-select", false, 404, ""},
		{access.Manager, "GET", "/try-team", false, 200, ""},
		{access.Admin, "GET", "/leads/" + webtest.OwnLead + "/try", false, 404, ""},
		{access.Admin, "POST", "/leads/" + webtest.OwnLead + "/try-select", false, 404, ""},
		{access.Admin, "POST", "/leads/" + webtest.ForeignLead + "/try-select", false, 404, ""},
		{access.Originator, "DELETE", "/leads/" + webtest.OwnLead + "/try", false, 405, ""},
		{access.Originator, "GET", "/nowhere", false, 404, ""},
	}
	for _, tt := range tests {
		t.Run(string(tt.who)+" "+tt.method+" "+tt.path, func(t *testing.T) {
			var ran bool
			p := webtest.NewFakedServer(t, "http://localhost:8080", guardTestRoutes(&ran)...).WithLeads(t)
			b := p.NewBrowser(t)
			if tt.who != "" {
				b = p.SignedIn(t, tt.who)
			}
			body := strings.Repeat("x=1&", 1<<19) // too large to be read
			if tt.want == 200 {
				body = "x=1"
			}
			r, _ := http.NewRequest(tt.method, tt.path, strings.NewReader(body))
			r.Header.Set("Content-Type", formType)
			r.RemoteAddr = "192.0.2.1:1000"
			var headers []string
			if tt.htmx {
				headers = []string{"HX-Request", "true", "HX-Current-URL", "http://localhost:8080/leads?view=all"}
			}
			res := b.Do(r, headers...)
			if res.Code != tt.want || res.Header().Get("Location") != tt.to {
				t.Errorf("got %d to %q, want %d to %q", res.Code, res.Header().Get("Location"), tt.want, tt.to)
			}
			if ran != (tt.want == 200 && tt.path != "/try-team") {
				t.Errorf("the handler ran: %v", ran)
			}
			if tt.htmx && res.Header().Get("HX-Redirect") != "/login?next=%2Fleads%3Fview%3Dall" {
				t.Errorf("HX-Redirect is %q, want the sign-in page with the page's URL", res.Header().Get("HX-Redirect"))
			}
		})
	}
}

func TestMount_InvalidRoute_Panics(t *testing.T) {
	t.Parallel()
	h := webtest.TextHandler("x")
	for what, route := range map[string]page.Route{
		"no permission":         {Method: "GET", Pattern: "/x", Name: "x", Handler: h},
		"an unknown permission": {Method: "GET", Pattern: "/x", Name: "x", Permission: "lead.sea", Handler: h},
		"public, unlisted":      {Method: "GET", Pattern: "/x", Name: "x", Public: true, Handler: h},
		"public, with permission": {Method: "GET", Pattern: "/x", Name: "health", Public: true, Permission: access.SeeLead,
			Handler: h},
		"public, under a lead": {Method: "GET", Pattern: "/leads/{app}/x", Name: "health", Public: true, Handler: h},
		"no handler":           {Method: "GET", Pattern: "/x", Name: "x", Permission: access.SeeLead},
		"no name":              {Method: "GET", Pattern: "/x", Permission: access.SeeLead, Handler: h},
		"twice":                {Method: "GET", Pattern: "/login", Name: "x", Permission: access.SeeLead, Handler: h},
	} {
		t.Run(what, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("the route was mounted")
				}
			}()
			webtest.NewFakedServer(t, "http://localhost:8080", route)
		})
	}
}

func TestPublicRoutes_MatchList(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	p.Rebuild(func(d *web.Deps) {
		d.Outbox = &account.Service{} // the demo has this
		d.Embeds = &embed.Service{}
	})
	listed := map[string]bool{}
	for _, name := range page.PublicRouteNames() {
		listed[name] = true
	}
	for _, route := range p.Routes() {
		if route.Public {
			delete(listed, route.Name)
		}
	}
	for name := range listed {
		t.Errorf("%q is on the list of public routes but has no route", name)
	}
}

func TestCrossOriginPost_403(t *testing.T) {
	t.Parallel()
	tests := []struct {
		what    string
		headers []string
		want    int
	}{
		{"our own page", []string{"Sec-Fetch-Site", "same-origin", "Origin", "https://portal.example"}, 303},
		{"plain curl", nil, 303},
		{"another site", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		{"a sibling host", []string{"Sec-Fetch-Site", "same-site", "Origin", "https://www.portal.example"}, 403},
		{"an old browser on another site", []string{"Origin", "https://evil.example"}, 403},
		{"an old browser on our page", []string{"Origin", "https://portal.example"}, 303},
		{"our host name without TLS", []string{"Origin", "http://portal.example"}, 403},
		{"our host name after another user name", []string{"Origin", "https://evil@portal.example"}, 403},
		{"our host name at another port", []string{"Origin", "https://portal.example:8443"}, 403},
		{"a sandboxed frame", []string{"Origin", "null"}, 403},
	}
	for _, tt := range tests {
		p := webtest.NewFakedServer(t, "https://portal.example")
		b := p.SignedIn(t, access.Originator)
		if res := b.Post("/logout", nil, tt.headers...); res.Code != tt.want {
			t.Errorf("%s: got %d, want %d", tt.what, res.Code, tt.want)
		}
		if tt.want == 403 && len(p.Rows.Sessions(t.Context(), p.CurrentTime)) != 1 {
			t.Errorf("%s: the action was executed", tt.what)
		}
	}
}

// TestHost_PlainHTTP_OnlyOwnNames requests the portal under names that may resolve to this machine.
func TestHost_PlainHTTP_OnlyOwnNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		base, host string
		want       int
	}{
		{"http://localhost:8080", "localhost:8080", 200},
		{"http://localhost:8080", "127.0.0.1:8080", 200},
		{"http://localhost:8080", "[::1]:8080", 200},
		{"http://localhost", "localhost", 200},
		{"http://desk.localhost:8080", "desk.localhost:8080", 200},
		{"http://localhost:8080", "desk.localhost:8080", 421},
		{"http://localhost:8080", "evil.example:8080", 421},
		{"http://localhost:8080", "localhost.evil.example", 421},
		{"http://localhost:8080", "127.0.0.1.evil.example:8080", 421},
		{"http://localhost:8080", "evil.example@localhost:8080", 421},
		{"http://localhost:8080", "", 421},
		{"https://portal.example", "backend:8080", 200}, // as a proxy may call it
	} {
		p := webtest.NewFakedServer(t, tt.base)
		res := p.NewBrowser(t).Get("/login", "Host", tt.host)
		if res.Code != tt.want || res.Header().Get("Location") != "" || strings.Contains(res.Body.String(), "evil") {
			t.Errorf("%q at %s: got %d to %q, want %d", tt.host, tt.base, res.Code, res.Header().Get("Location"), tt.want)
		}
		// A form that a browser sends with only Origin is compared with the base URL, whatever the host is.
		if tt.want == 200 && !strings.HasPrefix(tt.base, "https") {
			want := map[bool]int{true: 303, false: 403}[tt.base == "http://"+tt.host]
			if res := p.NewBrowser(t).Post("/logout", nil, "Host", tt.host, "Origin", "http://"+tt.host); res.Code != want {
				t.Errorf("Origin %q at %s: got %d, want %d", tt.host, tt.base, res.Code, want)
			}
		}
	}
}

// sendRaw sends bytes to the server and reads its response.
func sendRaw(t *testing.T, h *webtest.Harness, request string) *http.Response {
	t.Helper()
	c, err := net.Dial("tcp", h.HTTPServer.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	go func() { _, _ = io.WriteString(c, request) }() // the server may close the connection before it has read everything
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("%.40q: %v", request, err)
	}
	return response
}

// TestMalformedRequest_ResponseRepeatsNothing sends requests that net/http refuses before any handler, with its own
// response.
func TestMalformedRequest_ResponseRepeatsNothing(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	for request, status := range map[string]int{
		"GET /<b>Rivera HTTP/1.1\r\nHost: <b>Rivera\r\n\r\n":                                  400,
		"GET / HTTP/1.1\r\nX-Rivera\r\n\r\n":                                                  400,
		"GET /%zz-Rivera HTTP/1.1\r\nHost: localhost\r\n\r\n":                                 400,
		"GET / HTTP/1.1\r\nCookie: Rivera\r\n\r\n":                                            400,
		"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("Rivera", 1<<18) + "\r\n": 431,
		"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: Rivera\r\n\r\n":             501,
		"GET / Rivera/9\r\n\r\n":                                                              400,
		"GET / HTTP/9.9\r\nHost: Rivera\r\n\r\n":                                              505,
	} {
		got := sendRaw(t, h, request)
		if got.StatusCode != status || !got.Close || got.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
			len(got.Header) != 1 {
			t.Errorf("%.40q: got %d with %v, want %d as plain text on a closing connection", request, got.StatusCode,
				got.Header, status)
		}
		body, err := io.ReadAll(got.Body)
		if err != nil || len(body) > 100 || strings.Contains(string(body), "Rivera") {
			t.Errorf("%.40q: got %q, %v, want a constant text", request, body, err)
		}
	}
}

func TestFetchMetadata_CrossSite_OnlyNavigation(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "https://portal.example")
	link := []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}
	if res := p.NewBrowser(t).Get("/login", link...); res.Code != 200 {
		t.Errorf("a link: got %d, want 200", res.Code)
	}
	for _, dest := range []string{"image", "script", "iframe", "empty"} {
		h := []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", dest}
		if res := p.NewBrowser(t).Get("/login", h...); res.Code != 403 {
			t.Errorf("as %s: got %d, want 403", dest, res.Code)
		}
	}
}

// TestFetchMetadata_PagesOnlyAsDocuments checks what injected markup could do on our own pages: load a lead as a
// script, show it as an image, or open a fragment as a page.
func TestFetchMetadata_PagesOnlyAsDocuments(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "https://portal.example")
	for _, tt := range []struct {
		dest, mode string
		htmx       bool
		want       int
	}{
		{"document", "navigate", false, 200}, {"empty", "cors", false, 200}, {"empty", "same-origin", true, 200},
		{"script", "no-cors", false, 403}, {"image", "no-cors", false, 403}, {"style", "no-cors", false, 403},
		{"iframe", "navigate", false, 403}, {"object", "navigate", false, 403}, {"document", "navigate", true, 403},
	} {
		h := []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", tt.mode, "Sec-Fetch-Dest", tt.dest}
		if tt.htmx {
			h = append(h, "HX-Request", "true")
		}
		if res := p.NewBrowser(t).Get("/login", h...); res.Code != tt.want {
			t.Errorf("as %s, %s, htmx %v: got %d, want %d", tt.dest, tt.mode, tt.htmx, res.Code, tt.want)
		}
	}
}

func TestPolicyReports_LoggedWithoutAddresses(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "https://portal.example")
	post := func(kind, body string) int {
		r, _ := http.NewRequest(http.MethodPost, "/policy-reports", strings.NewReader(body))
		r.RemoteAddr = "192.0.2.1:1000"
		return p.NewBrowser(t).Do(r, "Content-Type", kind).Code
	}
	report := `[{"type":"csp-violation","url":"https://portal.example/leads?q=Rivera",` +
		`"body":{"effectiveDirective":"script-src-elem",` +
		`"blockedURL":"https://evil.example/Rivera","documentURL":"https://portal.example/leads?q=Rivera",` +
		`"sample":"Rivera"}},{"type":"csp-violation","body":{"effectiveDirective":"Rivera","blockedURL":"inline"}}]`
	if got := post("application/reports+json", report); got != http.StatusNoContent {
		t.Errorf("got %d, want 204", got)
	}
	log := p.Log.String()
	for _, want := range []string{`"directive":"script-src-elem","blocked":"an address"`,
		`"directive":"other","blocked":"inline"`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s: %s", want, log)
		}
	}
	if strings.Contains(log, "Rivera") || strings.Contains(log, "evil") {
		t.Errorf("the log contains the content of the report: %s", log)
	}
	p.Log.Reset()
	for range 2 * guard.ReportsPerMinute {
		post("application/reports+json", report)
	}
	if got := strings.Count(p.Log.String(), "content policy broken"); got > 2*guard.ReportsPerMinute {
		t.Errorf("got %d lines, want at most %d: an outsider could fill the log", got, 2*guard.ReportsPerMinute)
	}
	for _, body := range []string{"", "{", `{"a":1}`} {
		if got := post("application/reports+json", body); got != http.StatusNoContent {
			t.Errorf("%q: got %d, want 204", body, got)
		}
	}
}

func TestWebhook_TokenTypeAndSize(t *testing.T) {
	t.Parallel()
	tests := []struct {
		what, token, kind string
		size, want        int
	}{
		{"a live token", webtest.WebhookToken, "application/json", 10, 200},
		{"another token", strings.Repeat("0", 32), "application/json", 10, 404},
		{"an oversized body", webtest.WebhookToken, "application/json", 64<<10 + 1, 413},
		{"a form", webtest.WebhookToken, "application/x-www-form-urlencoded", 10, 415},
	}
	for _, tt := range tests {
		p := webtest.NewFakedServer(t, "https://portal.example")
		r, _ := http.NewRequest(http.MethodPost, "/hooks/partner/"+tt.token, strings.NewReader(strings.Repeat("x", tt.size)))
		r.RemoteAddr = "192.0.2.1:1000"
		res := p.NewBrowser(t).Do(r, "Content-Type", tt.kind, "Origin", "https://lender.example")
		if res.Code != tt.want || (len(p.WebhookBodies) == 1) != (tt.want == 200) {
			t.Errorf("%s: got %d and %d stored, want %d", tt.what, res.Code, len(p.WebhookBodies), tt.want)
		}
		if strings.Contains(p.Log.String(), tt.token) {
			t.Errorf("%s: the token is in the log: %s", tt.what, p.Log)
		}
	}
}

func TestSafeNext_ForeignURLs_Empty(t *testing.T) {
	t.Parallel()
	for next, want := range map[string]string{
		"/leads?view=all&q=a+b":   "/leads?view=all&q=a+b",
		"/leads/new":              "/leads/new",
		"//evil.example":          "",
		"/\\evil.example":         "",
		"https://evil.example/":   "",
		"javascript:alert(1)":     "",
		"/\t/evil.example":        "",
		"/%2F/evil.example":       "",
		"leads":                   "",
		"":                        "",
		"/login?next=/login":      "",
		"/logout":                 "",
		"///evil.example/%2e%2e/": "",
		"/leads/../confirm/crm":   "",
		"/leads/%2e%2E/confirm":   "",
		"/leads/.%2e":             "",
		"/leads/a..b/note":        "/leads/a..b/note",
	} {
		if got := page.SafeNext(next); got != want {
			t.Errorf("safeNext(%q) = %q, want %q", next, got, want)
		}
	}
}

func TestSignIn_RedirectsToNext(t *testing.T) {
	t.Parallel()
	for next, want := range map[string]string{
		"/leads?view=all": "/leads?view=all", "": "/leads", "https://evil.example": "/leads",
	} {
		p := webtest.NewFakedServer(t, "http://localhost:8080")
		form := url.Values{"email": {"originator@summit.test"}, "password": {"right"}, "next": {next}}
		if res := p.NewBrowser(t).Post("/login", form); res.Code != 303 || res.Header().Get("Location") != want {
			t.Errorf("next %q: got %d to %q, want 303 to %q", next, res.Code, res.Header().Get("Location"), want)
		}
	}
}

// TestAdminAndExportRoutes_RequireStepUp enforces the rule for future routes, too.
func TestAdminAndExportRoutes_RequireStepUp(t *testing.T) {
	t.Parallel()
	for _, route := range webtest.NewFakedServer(t, "http://localhost:8080").Routes() {
		export := strings.HasSuffix(route.Pattern, ".csv") || strings.HasSuffix(route.Pattern, ".xlsx")
		if !route.Permission.NeedsStepUp() && !export {
			continue
		}
		if route.StepUp != page.StepUpAlways {
			t.Errorf("%s %s does not require a step-up", route.Method, route.Pattern)
		}
	}
}
