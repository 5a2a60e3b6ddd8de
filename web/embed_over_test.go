package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// leadsNowhere holds that a page shows no way that a frame refuses, that its words are
// about the CRM, and that its height is told to the CRM's pages.
func (p *answerPage) leadsNowhere(name string, status int, hosts, title string) {
	p.t.Helper()
	if p.status != status {
		p.t.Errorf("%s: got %d, want %d", name, p.status, status)
	}
	p.Find("main a[href], main form[action]").Each(func(_ int, s *selection) {
		p.t.Errorf("%s: leads to %s", name, s.AttrOr("href", s.AttrOr("action", "")))
	})
	if p.Find("header").Length() != 0 {
		p.t.Errorf("%s: a bar stands around it", name)
	}
	for _, wrong := range []string{"Your manager can do it", "somebody", "Somebody", "handed over", "Sign in"} {
		if strings.Contains(p.text(), wrong) {
			p.t.Errorf("%s: says %q: %s", name, wrong, p.text())
		}
	}
	if !strings.Contains(p.text(), title) || !strings.Contains(p.text(), "pen the record again in your CRM") {
		p.t.Errorf("%s: got %s", name, p.text())
	}
	if got := p.Find("html").AttrOr("data-host", ""); got != hosts {
		p.t.Errorf("%s: its height is told to %q, want %q", name, got, hosts)
	}
}

func TestARefusalInAFrameLeadsNowhere(t *testing.T) {
	now := time.Now()
	h := newHouse(t, furnished{idle: true, still: true, now: func() time.Time { return now }})
	a := newAcme(t, h)
	a.connects("olivia")
	v := h.stranger()
	post := func(value string) *answerPage {
		return v.post("/launch/jwt/acme", url.Values{"launch_token": {value}}, crossSite()...)
	}
	post("x").leadsNowhere("a bad launch", http.StatusForbidden, crmOrigin, "This record could not be opened")
	raw := a.token(opening("51"))
	post(raw)
	post(raw).leadsNowhere("a launch again", http.StatusConflict, crmOrigin, "Open the record again")
	old := a.token(opening("51"))
	now = now.Add(10 * time.Minute)
	post(old).leadsNowhere("a launch that ran out", http.StatusForbidden, crmOrigin, "This record could not be opened")
	now = now.Add(-10 * time.Minute)
	v.get("/launch/hubspot/hs/xxxx", inFrame()...).leadsNowhere("a used address", http.StatusConflict, crmOrigin, "Open the record again")
	v.get("/e/acme/0123456789abcdef0123456789abcdef/leads", inFrame()...).leadsNowhere("a made-up launch", http.StatusUnauthorized, crmOrigin, "You are signed out here")
	v.get("/e/acme/nowhere/at/all", inFrame()...).leadsNowhere("no address", http.StatusNotFound, crmOrigin, "Nothing is here")
	v.post("/e/acme/tab", url.Values{"code": {"x"}}, inFrame()...).leadsNowhere("a used tab", http.StatusConflict, crmOrigin, "Open the record again")
	h.visit("olivia").get("/e/acme/nowhere/at/all", inFrame()...).leadsNowhere("beside the full desk's sign-in", http.StatusNotFound, crmOrigin, "Nothing is here")
	// Whoever is in the frame is led back to its own record.
	f := a.enters(opening("52"))
	lost := f.get("/nowhere")
	if got := lost.Find("main a.btn").AttrOr("href", ""); lost.status != http.StatusNotFound || got != f.base+"/" {
		t.Errorf("lost in a frame: got %d, led to %q", lost.status, got)
	}
}

func TestAPressWaitsForAPerson(t *testing.T) {
	now := time.Now()
	h := newHouse(t, furnished{idle: true, still: true, now: func() time.Time { return now }})
	a := newAcme(t, h)
	v := h.stranger()
	first := a.posts(v, opening("51"))
	now = now.Add(19 * time.Minute) // a log-in with an account to set up
	outside, _ := first.Find(`a[target="_blank"]`).Attr("href")
	connecting := h.visit("olivia").get(outside).form("#connecting")
	h.visit("olivia").send(connecting.with("match", strings.TrimSpace(first.Find(".letters").Text()))).says("Go back to CRM acme")
	now = now.Add(time.Minute)
	a.press(v, first)

	now = time.Now()
	page, late := a.posts(v, opening("51")), a.posts(v, opening("52"))
	if got := page.Find("[data-ends]").AttrOr("data-ends", ""); got != "1800000" {
		t.Errorf("the page says that it ends in %q ms, want half an hour", got)
	}
	now = now.Add(29 * time.Minute)
	a.press(v, page)
	now = now.Add(2 * time.Minute)
	over := (&frame{visitor: v}).send(late.form("#continue"))
	over.leadsNowhere("a late press", http.StatusConflict, crmOrigin, "Open the record again")
	if got := over.Find("[data-ends]").AttrOr("data-ends", ""); got != "0" {
		t.Errorf("the CRM hears of a late press in %q ms, want at once", got)
	}
}

// TestASessionThatEndedIsToldToTheCRM looks for what makes the script say so.
func TestASessionThatEndedIsToldToTheCRM(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	f := a.enters(opening("51"))
	ended := h.stranger().get(f.base+"/leads", inFrame()...)
	ended.leadsNowhere("an ended session", http.StatusUnauthorized, crmOrigin, "You are signed out here")
	if got := ended.Find("[data-ends]").AttrOr("data-ends", ""); got != "0" {
		t.Errorf("the CRM hears of it in %q ms, want at once", got)
	}
}
