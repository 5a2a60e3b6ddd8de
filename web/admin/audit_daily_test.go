package admin_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// TestAudit_Readings_OncePerDay does everything on two days, each time before and after a restart of the portal.
func TestAudit_Readings_OncePerDay(t *testing.T) {
	t.Parallel()
	clock := &webtest.Clock{At: time.Now()}
	h := webtest.New(t, webtest.Options{NoJobs: true, Now: clock.Now})
	olivia := h.SignInAs("olivia")
	lead, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	intake := olivia.IntakeForm("Baker")
	draft := intake.Values.Get("draft")
	olivia.Post("/drafts/"+draft, intake.Values)
	path := func(page *webtest.Response, control string) string {
		u, err := url.Parse(page.Find(`input[name="`+control+`"]`).First().AttrOr("value", ""))
		if err != nil || u.Path == "" {
			t.Fatalf("got no URL in %s: %v", control, err)
		}
		return u.Path
	}
	feed := path(olivia.Post("/calendar", nil), "calendar.url")
	toShare := olivia.Get(lead+"/offers").Find(`#pins header a[href*="/share?"]`).AttrOr("href", "")
	shared := path(olivia.Send(olivia.Get(toShare).Form(`#share form`)), "link")
	h.DeskDeps.Now = clock.Now
	for day := range 2 {
		olivia, admin := h.SignInAs("olivia"), h.SignInAs("admin")
		for range 2 {
			h.RebuildDesks()
			olivia.Get(lead)
			olivia.Get(lead+"/offers", "HX-Request", "true")
			olivia.Get("/leads?q=Riv")
			olivia.Post("/search", url.Values{"q": {"rivera"}})
			olivia.Get("/leads/new?draft=" + draft)
			h.NewBrowser().Get(feed)
			h.NewBrowser().Get(shared, "User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1")
			admin.Get("/admin/users")
			admin.Get("/admin/users/user-olivia")
			admin.Get("/admin/audit")
		}
		count := map[string]int{}
		for _, line := range h.AuditLines() {
			if of, _, found := strings.Cut(line, "search:"); found {
				line = of + "search"
			}
			count[line]++
		}
		for _, want := range []string{
			"user-olivia lead.open lead:" + string(app) + " opened", "user-olivia leads.search search",
			"user-olivia draft.open draft:" + draft + " opened", "nobody calendar.fetch user:user-olivia opened",
			"user-admin users.read users:list opened", "user-admin users.read user:user-olivia opened",
			"user-admin audit.read audit:list opened", "system share.open lead:" + string(app) + " opened",
		} {
			if count[want] != day+1 {
				t.Errorf("day %d: got %d times %q, want %d: %v", day+1, count[want], want, day+1, count)
			}
		}
		clock.Advance(24 * time.Hour)
	}
}

// TestAudit_LeadOnOtherPages_Opened: a lead is not only read on its own page, but also on one with a form about it, and
// where a rejected form is shown again.
func TestAudit_LeadOnOtherPages_Opened(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	for name, read := range map[string]func(lead string) *webtest.Response{ // by the borrower's last name
		"Baker":  func(lead string) *webtest.Response { return maya.Post(lead+"/note", url.Values{"note": {""}}) },
		"Castro": func(lead string) *webtest.Response { return maya.Get(lead + "/reassign") },
		"Novak":  func(lead string) *webtest.Response { return maya.Get(lead + "/share") },
		"Rivera": func(lead string) *webtest.Response { return maya.Get(lead + "/direct-debt-payoff-offers") },
	} {
		lead := olivia.StartLead(name)
		got := read(lead)
		opened := "user-maya lead.open lead:" + strings.TrimPrefix(lead, "/leads/") + " opened"
		if shown := strings.Contains(got.Body, name); !shown || !slices.Contains(h.AuditLines(), opened) {
			t.Errorf("%s: got %d, the name is shown %v, and the audit has %q, want %q", got.Path, got.Status, shown,
				h.AuditLines(), opened)
		}
	}
}

// TestAudit_SignOutAndWrongPassword also signs out of a frame.
func TestAudit_SignOutAndWrongPassword(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia, crm := h.SignInAs("olivia"), webtest.NewCRM(t, h)
	olivia.Post("/account/password", url.Values{"password.present": {"wrong-wrong-wrong"},
		"password": {"another long password"}, "password.again": {"another long password"}})
	h.WantAudited("user-olivia password.change user:user-olivia refused")
	crm.ConnectUser("olivia")
	frame := crm.OpenFrame(webtest.LaunchFor("51"))
	frame.Send(webtest.Form{Action: frame.Base + "/logout"})
	olivia.Post("/logout", nil)
	signedOut := 0
	for _, line := range h.AuditLines() {
		if line == "user-olivia logout user:user-olivia done" {
			signedOut++
		}
	}
	if signedOut != 2 {
		t.Errorf("got %d sign-outs, want that of the frame and that of the portal", signedOut)
	}
}
