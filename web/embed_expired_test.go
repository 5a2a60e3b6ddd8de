package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// checkNoLinks checks that a page has no link that the frame would refuse, that its text is about the CRM, and that
// its height is reported to the CRM's pages.
func (p *response) checkNoLinks(name string, status int, hosts, title string) {
	p.t.Helper()
	if p.status != status {
		p.t.Errorf("%s: got %d, want %d", name, p.status, status)
	}
	p.Find("main a[href], main form[action]").Each(func(_ int, s *selection) {
		p.t.Errorf("%s: links to %s", name, s.AttrOr("href", s.AttrOr("action", "")))
	})
	if p.Find("header").Length() != 0 {
		p.t.Errorf("%s: there is a header bar", name)
	}
	for _, wrong := range []string{"Ask your manager", "somebody", "Somebody", "reassigned", "Sign in"} {
		if strings.Contains(p.text(), wrong) {
			p.t.Errorf("%s: contains %q: %s", name, wrong, p.text())
		}
	}
	if !strings.Contains(p.text(), title) || !strings.Contains(p.text(), "pen the record again in your CRM") {
		p.t.Errorf("%s: got %s", name, p.text())
	}
	if got := p.Find("html").AttrOr("data-host", ""); got != hosts {
		p.t.Errorf("%s: its height is reported to %q, want %q", name, got, hosts)
	}
}

func TestEmbedErrors_HaveNoLinks(t *testing.T) {
	t.Parallel()
	now := time.Now()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true, now: func() time.Time { return now }})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	v := h.newBrowser()
	post := func(value string) *response {
		return v.post("/launch/jwt/acme", url.Values{"launch_token": {value}}, crossSiteHeaders()...)
	}
	post("x").checkNoLinks("a bad launch", http.StatusForbidden, crmOrigin, "This record could not be opened")
	raw := a.token(launchFor("51"))
	post(raw)
	post(raw).checkNoLinks("a launch again", http.StatusConflict, crmOrigin, "Open the record again")
	old := a.token(launchFor("51"))
	now = now.Add(10 * time.Minute)
	post(old).checkNoLinks("an expired launch", http.StatusForbidden, crmOrigin, "This record could not be opened")
	now = now.Add(-10 * time.Minute)
	v.get("/launch/hubspot/hs/xxxx", frameHeaders()...).checkNoLinks("a used one-time URL", http.StatusConflict, crmOrigin, "Open the record again")
	v.get("/e/acme/0123456789abcdef0123456789abcdef/leads", frameHeaders()...).checkNoLinks("an unknown launch", http.StatusUnauthorized, crmOrigin, "You’re signed out")
	v.get("/e/acme/nowhere/at/all", frameHeaders()...).checkNoLinks("no URL", http.StatusNotFound, crmOrigin, "Page not found")
	v.post("/e/acme/tab", url.Values{"code": {"x"}}, frameHeaders()...).checkNoLinks("a used tab link", http.StatusConflict, crmOrigin, "Open the record again")
	h.signInAs("olivia").get("/e/acme/nowhere/at/all", frameHeaders()...).checkNoLinks("beside the full desk's sign-in", http.StatusNotFound, crmOrigin, "Page not found")
	// Inside a frame, the link leads back to the frame's record.
	f := a.openFrame(launchFor("52"))
	lost := f.get("/nowhere")
	if got := lost.Find("main a.btn").AttrOr("href", ""); lost.status != http.StatusNotFound || got != f.base+"/" {
		t.Errorf("unknown page in a frame: got %d, linked to %q", lost.status, got)
	}
}

func TestLaunch_ContinueWithinHalfHour_ElseExpired(t *testing.T) {
	t.Parallel()
	now := time.Now()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true, now: func() time.Time { return now }})
	a := newCRMFixture(t, h)
	v := h.newBrowser()
	first := a.postLaunch(v, launchFor("51"))
	now = now.Add(19 * time.Minute) // time for signing in and setting up an account
	outside, _ := first.Find(`a[target="_blank"]`).Attr("href")
	connecting := h.signInAs("olivia").get(outside).form("#connecting")
	h.signInAs("olivia").send(connecting.with("match", strings.TrimSpace(first.Find(".letters").Text()))).wantText("continue in CRM acme")
	now = now.Add(time.Minute)
	a.continueLaunch(v, first)

	now = time.Now()
	page, late := a.postLaunch(v, launchFor("51")), a.postLaunch(v, launchFor("52"))
	if got := page.Find("[data-ends]").AttrOr("data-ends", ""); got != "1800000" {
		t.Errorf("the page expires in %q ms, want half an hour", got)
	}
	now = now.Add(29 * time.Minute)
	a.continueLaunch(v, page)
	now = now.Add(2 * time.Minute)
	over := (&embedFrame{testBrowser: v}).send(late.form("#continue"))
	over.checkNoLinks("a late submission", http.StatusConflict, crmOrigin, "Open the record again")
	if got := over.Find("[data-ends]").AttrOr("data-ends", ""); got != "0" {
		t.Errorf("the CRM is notified of a late press in %q ms, want immediately", got)
	}
}

// TestEmbed_SessionEnded_CRMNotified looks for the attribute that makes the script notify the CRM.
func TestEmbed_SessionEnded_CRMNotified(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	f := a.openFrame(launchFor("51"))
	ended := h.newBrowser().get(f.base+"/leads", frameHeaders()...)
	ended.checkNoLinks("an ended session", http.StatusUnauthorized, crmOrigin, "You’re signed out")
	if got := ended.Find("[data-ends]").AttrOr("data-ends", ""); got != "0" {
		t.Errorf("the CRM is notified in %q ms, want immediately", got)
	}
}
