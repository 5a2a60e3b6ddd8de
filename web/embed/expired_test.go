package embed_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/web/webtest"
)

// checkNoLinks checks that a page has no link that the frame would refuse, that its text is about the CRM, and that
// its height is reported to the CRM's pages.
func checkNoLinks(p *webtest.Response, name string, status int, hosts, title string) {
	p.T.Helper()
	if p.Status != status {
		p.T.Errorf("%s: got %d, want %d", name, p.Status, status)
	}
	p.Find("main a[href], main form[action]").Each(func(_ int, s *webtest.Selection) {
		p.T.Errorf("%s: links to %s", name, s.AttrOr("href", s.AttrOr("action", "")))
	})
	if p.Find("header").Length() != 0 {
		p.T.Errorf("%s: there is a header bar", name)
	}
	for _, wrong := range []string{"Ask your manager", "somebody", "Somebody", "reassigned", "Sign in"} {
		if strings.Contains(p.MainText(), wrong) {
			p.T.Errorf("%s: contains %q: %s", name, wrong, p.MainText())
		}
	}
	if !strings.Contains(p.MainText(), title) || !strings.Contains(p.MainText(), "pen the record again in your CRM") {
		p.T.Errorf("%s: got %s", name, p.MainText())
	}
	if got := p.Find("html").AttrOr("data-host", ""); got != hosts {
		p.T.Errorf("%s: its height is reported to %q, want %q", name, got, hosts)
	}
}

func TestEmbedErrors_HaveNoLinks(t *testing.T) {
	t.Parallel()
	now := time.Now()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, Now: func() time.Time { return now }})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	v := h.NewBrowser()
	post := func(value string) *webtest.Response {
		return v.Post("/launch/jwt/acme", url.Values{"launch_token": {value}}, webtest.CrossSiteHeaders()...)
	}
	checkNoLinks(post("x"), "a bad launch", http.StatusForbidden, webtest.CRMOrigin, "This record couldn’t be opened")
	raw := a.Token(webtest.LaunchFor("51"))
	post(raw)
	checkNoLinks(post(raw), "a launch again", http.StatusConflict, webtest.CRMOrigin, "Open the record again")
	old := a.Token(webtest.LaunchFor("51"))
	now = now.Add(10 * time.Minute)
	checkNoLinks(post(old), "an expired launch", http.StatusForbidden, webtest.CRMOrigin, "This record couldn’t be opened")
	now = now.Add(-10 * time.Minute)
	checkNoLinks(v.Get("/launch/hubspot/hs/xxxx", webtest.FrameHeaders()...), "a used one-time URL", http.StatusConflict,
		webtest.CRMOrigin, "Open the record again")
	checkNoLinks(v.Get("/e/acme/0123456789abcdef0123456789abcdef/leads", webtest.FrameHeaders()...), "an unknown launch",
		http.StatusUnauthorized, webtest.CRMOrigin, "You’re signed out")
	checkNoLinks(v.Get("/e/acme/nowhere/at/all", webtest.FrameHeaders()...), "no URL", http.StatusNotFound,
		webtest.CRMOrigin, "Page not found")
	checkNoLinks(v.Post("/e/acme/tab", url.Values{"code": {"x"}}, webtest.FrameHeaders()...), "a used tab link",
		http.StatusConflict, webtest.CRMOrigin, "Open the record again")
	checkNoLinks(h.SignInAs("olivia").Get("/e/acme/nowhere/at/all", webtest.FrameHeaders()...),
		"beside the full desk's sign-in", http.StatusNotFound, webtest.CRMOrigin, "Page not found")
	// Inside a frame, the link leads back to the frame's record.
	f := a.OpenFrame(webtest.LaunchFor("52"))
	lost := f.Get("/nowhere")
	if got := lost.Find("main a.btn").AttrOr("href", ""); lost.Status != http.StatusNotFound || got != f.Base+"/" {
		t.Errorf("unknown page in a frame: got %d, linked to %q", lost.Status, got)
	}
}

func TestLaunch_ContinueWithinHalfHour_ElseExpired(t *testing.T) {
	t.Parallel()
	now := time.Now()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, Now: func() time.Time { return now }})
	a := webtest.NewCRM(t, h)
	v := h.NewBrowser()
	first := a.PostLaunch(v, webtest.LaunchFor("51"))
	now = now.Add(19 * time.Minute) // time for signing in and setting up an account
	outside, _ := first.Find(`a[target="_blank"]`).Attr("href")
	connecting := h.SignInAs("olivia").Get(outside).Form("#connecting")
	h.SignInAs("olivia").Send(connecting.With("match", strings.TrimSpace(first.Find(".letters").Text()))).
		WantText("continue in CRM acme")
	now = now.Add(time.Minute)
	a.ContinueLaunch(v, first)

	now, v = time.Now(), h.NewBrowser()
	page, late := a.PostLaunch(v, webtest.LaunchFor("51")), a.PostLaunch(v, webtest.LaunchFor("52"))
	if got := page.Find("[data-ends]").AttrOr("data-ends", ""); got != "1800000" {
		t.Errorf("the page expires in %q ms, want half an hour", got)
	}
	now = now.Add(29 * time.Minute)
	a.ContinueLaunch(v, page)
	now = now.Add(2 * time.Minute)
	over := (&webtest.Frame{Browser: v}).Send(late.Form("#continue"))
	checkNoLinks(over, "a late submission", http.StatusConflict, webtest.CRMOrigin, "Open the record again")
	if got := over.Find("[data-ends]").AttrOr("data-ends", ""); got != "0" {
		t.Errorf("the CRM is notified of a late press in %q ms, want immediately", got)
	}
}

// TestEmbed_SessionEnded_CRMNotified looks for the attribute that makes the script notify the CRM.
func TestEmbed_SessionEnded_CRMNotified(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	ended := h.NewBrowser().Get(f.Base+"/leads", webtest.FrameHeaders()...)
	checkNoLinks(ended, "an ended session", http.StatusUnauthorized, webtest.CRMOrigin, "You’re signed out")
	if got := ended.Find("[data-ends]").AttrOr("data-ends", ""); got != "0" {
		t.Errorf("the CRM is notified in %q ms, want immediately", got)
	}
}
