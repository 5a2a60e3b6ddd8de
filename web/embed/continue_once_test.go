package embed_test

import (
	"strings"
	"testing"

	"hearthline/internal/samplecrm"
	"hearthline/web/webtest"
)

// opened returns the base of the record that a launch opens without a click, or "" if it asks.
func opened(p *webtest.Response) string {
	if p.Find("#continue").Length() > 0 {
		return ""
	}
	return strings.TrimSuffix(p.Find("[data-go]").AttrOr("data-go", ""), "/")
}

func TestLaunch_SecondRecord_AsksNothing(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	connectUserAs(a, "marcus")
	a.Attest()
	v := h.NewBrowser()
	launch := func(f *webtest.Frame, o samplecrm.LaunchClaims) *webtest.Response {
		return v.Post("/launch/jwt/acme", map[string][]string{"launch_token": {a.Token(o)}},
			append(webtest.CrossSiteHeaders(), "Cookie", f.Cookie)...)
	}
	first := a.ContinueLaunch(v, a.PostLaunch(v, webtest.LaunchFor("51")))
	for _, record := range []string{"52", "51"} { // another record, and the first one reloaded
		next := launch(first, webtest.LaunchFor(record))
		base := opened(next)
		if base == "" || base == first.Base || len(next.Header.Values("Set-Cookie")) > 0 {
			t.Fatalf("record %s: opened %q with the cookies %v: %s", record, base, next.Header.Values("Set-Cookie"),
				next.MainText())
		}
		second := &webtest.Frame{Browser: v, Base: base, Cookie: first.Cookie}
		if got := second.Get("/leads/new").Form("form#intake").
			Values.Get("partnerDataRequest.externalReferenceId"); got != record {
			t.Errorf("got the intake of %q, want of %s", got, record)
		}
	}
	// Another CRM user is asked, and ends nothing by that.
	his := launch(first, asUser("marcus", webtest.LaunchFor("51")))
	his.WantText("Continue as Marcus Reyes")
	if got := first.Get("/leads/new"); got.Status != 200 {
		t.Errorf("her frame after his launch: got %d", got.Status)
	}
	marcus := a.ContinueLaunch(v, his)
	for name, got := range map[string]*webtest.Response{
		"hers, with his cookie": (&webtest.Frame{Browser: v, Base: first.Base, Cookie: marcus.Cookie}).Get("/leads"),
		"his, with her cookie":  (&webtest.Frame{Browser: v, Base: marcus.Base, Cookie: first.Cookie}).Get("/leads"),
	} {
		if got.Status != 401 {
			t.Errorf("%s: got %d", name, got.Status)
		}
	}
	launch(marcus, webtest.LaunchFor("51")).WantText("Continue as Olivia Bennett")
	first.Send(webtest.Form{Action: first.Base + "/logout"})
	launch(first, webtest.LaunchFor("51")).WantText("Continue as Olivia Bennett")
}

func TestLaunch_WithoutRecord_OpensLeads(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	start := func() (*webtest.Frame, string) {
		v := h.NewBrowser()
		f, page := &webtest.Frame{Browser: v}, a.PostLaunch(v, webtest.LaunchFor(" "))
		page.WantText("Open Hearthline", "Continue as Olivia Bennett")
		in := f.Send(page.Form("#continue"))
		f.StoreCookie(in)
		next := opened(in)
		f.Base = strings.TrimSuffix(next, "/leads")
		return f, strings.TrimPrefix(next, f.Base)
	}
	// The list has no names until the user confirms, and says where.
	f, next := start()
	list := f.Get(next)
	if next != "/leads" || list.Find(`main a[href="`+f.Base+`/"]`).Length() != 1 {
		t.Errorf("opened %q: %s", next, list.MainText())
	}
	f.Get("/").WantText("Confirm it’s you", "Hearthline was opened without a record.")
	a.Attest()
	if f, next = start(); next != "" {
		t.Errorf("opened %q", next)
	}
	got := f.Get("/")
	if got.Path != f.Base+"/leads" || got.Find(".framebar nav a").Length() != 1 {
		t.Errorf("got %s with %q", got.Path, got.Find(".framebar nav").Text())
	}
	if got := f.Get("/leads/new").Form("form#intake").Values; got.Get("applicant.name.lastName") != "Rivera" {
		t.Errorf("a new inquiry has %v, want the CRM's values", got)
	}
}
