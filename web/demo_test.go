package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

// fakeDemoControl records what the demo bar requested.
type fakeDemoControl struct {
	noDemoControl
	events   []string
	possible []string
	refusal  error
	state    page.DemoState
}

func (f *fakeDemoControl) Play(_ context.Context, app heloc.AppID, event string) error {
	if f.refusal != nil {
		return f.refusal
	}
	f.events = append(f.events, string(app)+" "+event)
	return nil
}

func (f *fakeDemoControl) Events(context.Context, heloc.AppID) []string { return f.possible }

func (f *fakeDemoControl) InjectFault(_ context.Context, what string) error {
	switch what {
	case page.FaultDown:
		f.state.Down = true
	case page.FaultWebhooksOff:
		f.state.WebhooksOff = true
	default:
		return fault.New(fault.Invalid, "The demo cannot simulate this.")
	}
	return nil
}

func (f *fakeDemoControl) State(context.Context) page.DemoState { return f.state }

func TestDemoBar_PlaysEventOnCurrentLead(t *testing.T) {
	t.Parallel()
	p := &fakeDemoControl{possible: []string{"thaw"}}
	h := webtest.New(t, webtest.Options{DemoControl: p})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera-Frozen")
	page := olivia.WaitFor(lead, `.demobar button[value="thaw"]`)
	app := strings.TrimPrefix(lead, "/leads/")
	if got := olivia.Post(page.Find(".demobar form").First().AttrOr("action", ""),
		url.Values{"event": {"thaw"}, "back": {"//evil.example"}}); got.Path != lead {
		t.Errorf("the bar redirects to %s", got.Path)
	}
	if len(p.events) != 1 || p.events[0] != app+" thaw" {
		t.Errorf("got %v", p.events)
	}
	if got := h.SignInAs("piotr").Post("/demo/leads/"+app+"/events",
		url.Values{"event": {"thaw"}}); got.Status != http.StatusNotFound || len(p.events) != 1 {
		t.Errorf("an outsider plays an event: got %d, %v", got.Status, p.events)
	}
	down := olivia.Post("/demo/faults", url.Values{"fault": {"down"}, "back": {"/leads?view=all"}})
	if !p.state.Down || down.Path != "/leads" || !strings.Contains(down.Find(".demobar").Text(), "offline") {
		t.Errorf("got %+v at %s", p.state, down.Path)
	}
	if got := olivia.Post("/demo/faults",
		url.Values{"fault": {"webhooks-off"}}); got.Find(`.demobar button[value="webhooks-on"]`).Length() != 1 {
		t.Errorf("webhooks are off and cannot be turned on: %s", got.Find(".demobar").Text())
	}
	if got := olivia.Post("/demo/faults",
		url.Values{"fault": {"earthquake"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown fault: got %d", got.Status)
	}
	sample := olivia.Get("/leads/new?sample=Rivera")
	if got := sample.Form("form#intake").Values.Get("applicant.name.firstName"); got != "Elena" {
		t.Errorf("the sample fills in %q", got)
	}
	if got := olivia.Get("/ui").Status; got != http.StatusOK {
		t.Errorf("the UI gallery: %d", got)
	}
}

func TestDemoBar_OffersOnlyEventsWithAnEffect(t *testing.T) {
	t.Parallel()
	p := &fakeDemoControl{possible: []string{"co-deed-signed", "fund", "something else"}}
	olivia := webtest.New(t, webtest.Options{DemoControl: p}).SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	buttons := func() string {
		return strings.Join(olivia.Get(lead).Find(`.demobar button[name="event"]`).
			Map(func(_ int, s *webtest.Selection) string { return s.Text() }), ", ")
	}
	if got, want := buttons(), "Co-owner signs the co-deed, Lender funds the loan"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.possible = nil
	if got := buttons(); got != "" {
		t.Errorf("nothing is possible: got %q", got)
	}
	olivia.Get(lead).WantText("nothing left to simulate")
}

// TestDemoBar_Notice_SaysWhatHappened checks that a page without a script shows the notice once, and that the bar of a
// page with a script is answered alone and shows it until the page is left.
func TestDemoBar_Notice_SaysWhatHappened(t *testing.T) {
	t.Parallel()
	p := &fakeDemoControl{possible: []string{"thaw"}}
	olivia := webtest.New(t, webtest.Options{DemoControl: p}).SignInAs("olivia")
	lead := olivia.StartLead("Rivera-Frozen")
	app := strings.TrimPrefix(lead, "/leads/")
	notice := func(page *webtest.Response) string { return page.Find(`.demobar [role="status"]`).Text() }
	thaw, thawed := url.Values{"event": {"thaw"}, "back": {lead}, "lead": {app}}, "The borrower lifted the credit freeze."
	fragment := []string{"HX-Request", "true"}

	if got := notice(olivia.Post("/demo/leads/"+app, thaw)); got != thawed {
		t.Errorf("without a script: got %q, want %q", got, thawed)
	}
	if got := notice(olivia.Get(lead)); got != "" {
		t.Errorf("the next page repeats %q", got)
	}
	pressed := olivia.Post("/demo/leads/"+app, thaw, fragment...)
	if got := notice(pressed); got != thawed || pressed.Find("main, .bar").Length() != 0 ||
		pressed.Find("#demo-bar[data-live]").AttrOr("data-live", "") != app {
		t.Errorf("with a script: got %q in %s", got, pressed.Body)
	}
	if got := notice(olivia.Get("/demo/bar?lead="+app, fragment...)); got != thawed {
		t.Errorf("after a live update: got %q, want %q", got, thawed)
	}
	if got := notice(olivia.Get("/demo/bar", fragment...)); got != "" {
		t.Errorf("the bar of another page says %q", got)
	}
	if got := notice(olivia.Get(lead)); got != "" {
		t.Errorf("the next page repeats %q", got)
	}

	p.state.Down = true
	if got, want := notice(olivia.Post("/demo/leads/"+app, thaw, fragment...)),
		thawed+" The lender is offline, so Hearthline can’t read the change yet."; got != want {
		t.Errorf("the lender is down: got %q, want %q", got, want)
	}
	p.state = page.DemoState{WebhooksOff: true}
	if got, want := notice(olivia.Post("/demo/leads/"+app, thaw, fragment...)),
		thawed+" Updates are off, so Hearthline learns of it when it next asks the lender."; got != want {
		t.Errorf("no updates: got %q, want %q", got, want)
	}
	p.refusal = fault.New(fault.Conflict, "no")
	if got := notice(olivia.Post("/demo/leads/"+app, thaw, fragment...)); !strings.HasPrefix(got, "Nothing changed") {
		t.Errorf("refused: got %q", got)
	}
	down := olivia.Post("/demo/fault", url.Values{"fault": {"down"}, "lead": {app}}, fragment...)
	if got := notice(down); got != "You took the lender offline." || down.Find(`button[name="event"]`).Length() != 1 {
		t.Errorf("offline: got %q in %s", got, down.Body)
	}
}

func TestDemoBar_OfLeadOfOthers_HasNoEvents(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{DemoControl: &fakeDemoControl{possible: []string{"thaw"}}})
	app := strings.TrimPrefix(h.SignInAs("olivia").StartLead("Rivera-Frozen"), "/leads/")
	got := h.SignInAs("piotr").Get("/demo/bar?lead="+app, "HX-Request", "true")
	if got.Status != http.StatusOK || got.Find(`button[name="event"]`).Length() != 0 ||
		strings.Contains(got.Body, "Elena") {
		t.Errorf("got %d: %s", got.Status, got.Body)
	}
}

func TestDemoBar_OnEveryPage(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{DemoControl: &fakeDemoControl{}})
	for who, path := range map[string]string{"olivia": "/leads", "admin": "/admin/policy"} {
		if got := h.SignInAs(who).Get(path); got.Status != http.StatusOK || got.Find(".demobar").Length() != 1 {
			t.Errorf("%s at %s: got %d with %d bars, want one", who, path, got.Status, got.Find(".demobar").Length())
		}
	}
	if n := h.SignInAs("admin").Get("/admin/policy").Find(".demobar button").Length(); n != 0 {
		t.Errorf("a user who sees no leads has %d buttons", n)
	}
}

func TestDemoBar_OutsideDemo_Absent(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	for _, path := range []string{"/demo/fault", "/demo/faults", "/demo/bar", "/demo" + lead, "/demo" + lead + "/events"} {
		if got := olivia.Post(path, nil); got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, got.Status)
		}
	}
	if got := olivia.Get("/ui").Status; got != http.StatusNotFound {
		t.Errorf("/ui: got %d, want 404", got)
	}
	for _, path := range []string{"/leads", lead, "/leads/new", "/drafts"} {
		if olivia.Get(path).Find(".demobar").Length() != 0 {
			t.Errorf("%s has the demo bar", path)
		}
	}
}

// TestLinksAndForms_AllHaveRoutes follows every link and looks up the route of every form on the pages of the main
// job.
func TestLinksAndForms_AllHaveRoutes(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{DemoControl: noDemoControl{}})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	seen := map[string]bool{}
	for _, path := range []string{
		"/leads", "/leads?view=all", "/drafts", "/leads/new", "/help/steps", lead, lead + "/offers", lead + "/property",
		lead + "/underwriting", lead + "/documents", lead + "/funding", lead + "/history", lead + "/activity",
	} {
		page := olivia.Get(path)
		page.Find("a[href^='/']").Each(func(_ int, s *webtest.Selection) {
			href := s.AttrOr("href", "")
			if seen[href] || strings.HasPrefix(href, "/static/") {
				return
			}
			seen[href] = true
			if got := olivia.Get(href); got.Status != http.StatusOK {
				t.Errorf("%s links to %s, which returns %d", path, href, got.Status)
			}
		})
		page.Find("form[action^='/']").Each(func(_ int, s *webtest.Selection) {
			method, action := strings.ToUpper(s.AttrOr("method", "get")), s.AttrOr("action", "")
			if !hasRoute(h, method, action) {
				t.Errorf("%s has a form %s %s, for which there is no route", path, method, action)
			}
		})
	}
}

// hasRoute reports whether there is a route for a URL.
func hasRoute(h *webtest.Harness, method, address string) bool {
	path, _, _ := strings.Cut(address, "?")
	pieces := strings.Split(path, "/")
	for _, route := range h.Routes() {
		pattern := strings.Split(route.Pattern, "/")
		if route.Method != method || len(pattern) != len(pieces) {
			continue
		}
		fits := true
		for i := range pattern {
			fits = fits && (pattern[i] == pieces[i] || strings.HasPrefix(pattern[i], "{"))
		}
		if fits {
			return true
		}
	}
	return false
}
