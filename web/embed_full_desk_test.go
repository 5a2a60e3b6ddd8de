package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestEmbed_EveryPageOpensInFullDesk follows the link into the full desk from every page
// inside a frame: all else stays inside, and it leads to the same place outside.
func TestEmbed_EveryPageOpensInFullDesk(t *testing.T) {
	h := newHarness(t, harnessOptions{estimate: testEstimateAccess(), borrowerLink: testBorrowerLink(t)})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	olivia := h.signInAs("olivia")
	app := olivia.startLead("Rivera")
	olivia.waitFor(app, `input[name="offer.offerUuid"]`)
	draft := olivia.get("/leads/new").form("form#intake")
	draft.action = "/drafts/" + draft.values.Get("draft")
	olivia.send(draft)
	typed := "/leads/new?draft=" + draft.values.Get("draft")
	f := a.openFrame(launchFor("51"))
	for path, want := range map[string]string{
		"/": "/leads/new", "/leads": "/leads", "/leads?view=all&q=Rivera": "/leads?view=all&q=Rivera", "/leads/new": "/leads/new", typed: typed, "/drafts": "/drafts",
		"/prequalify": "/prequalify", "/help/crm": "/help/crm", "/help/steps": "/help/steps", app: app, app + "/offers": app, app + "/documents": app, app + "/property": app,
		app + "/underwriting": app, app + "/funding": app, app + "/history": app, app + "/activity": app, app + "/reassign": app, "/leads/nowhere//evil.example": "/",
	} {
		page := f.get(path)
		out, there := page.Find(".framebar a.pop").Attr("href")
		if !there || out != want {
			t.Errorf("%s: leads out to %q, want %q", path, out, want)
			continue
		}
		if got := olivia.get(out); got.status != http.StatusOK {
			t.Errorf("%s: outside, %s answers %d", path, out, got.status)
		}
		page.checkStaysInFrame(path, f.base)
	}
	refused := f.send(postedForm{action: f.base + "/prequalify"})
	if got := refused.Find(".framebar a.pop").AttrOr("href", ""); got != "/prequalify" {
		t.Errorf("a refused form (%d) leads out to %q", refused.status, got)
	}
}

// checkStaysInFrame holds that nothing on a page leads out of its frame unless into a window, and that
// no form does even that: what is sent by one would be judged as if nothing lay over it.
func (p *response) checkStaysInFrame(name, base string) {
	p.t.Helper()
	if p.Find(".bar").Length() != 0 {
		p.t.Errorf("%s: the full desk's bar stands in the frame", name)
	}
	for _, s := range p.Find("body *").EachIter() {
		for _, by := range []string{"href", "action", "formaction", "hx-get", "hx-post", "data-autosave"} {
			to := s.AttrOr(by, "")
			if strings.HasPrefix(to, "/") && !strings.HasPrefix(to, base+"/") && !strings.HasPrefix(to, "/static/") && s.AttrOr("target", "") != "_blank" {
				p.t.Errorf("%s: %s leads to %s inside the frame", name, by, to)
			}
		}
		if s.Is("form[target], [formtarget]") {
			p.t.Errorf("%s: the form of %s opens a window", name, s.AttrOr("action", ""))
		}
	}
}

// TestHelpCRM_IsPublic reads it as a stranger, who is led to nothing else.
func TestHelpCRM_IsPublic(t *testing.T) {
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	v := h.newBrowser()
	page := v.get("/help/crm")
	page.wantText("Inside a CRM, for its administrators", "portal.expired")
	var read []string
	for _, l := range page.Find("a[href]").EachIter() {
		href := l.AttrOr("href", "")
		if strings.HasPrefix(href, "#") || slices.Contains(read, href) {
			continue
		}
		read = append(read, href)
		if got := v.get(href); got.status != http.StatusOK || got.path != href || !strings.HasPrefix(href, "/help/crm") {
			t.Errorf("%s: got %d at %s", href, got.status, got.path)
		}
	}
	if len(read) < 5 {
		t.Errorf("got %v, want a page for each CRM", read)
	}
	if got := v.get("/help/start"); got.path != "/login" {
		t.Errorf("the rest of the help: got %s", got.path)
	}
	if got := h.signInAs("olivia").get("/help/crm"); got.Find(".bar").Length() != 1 || got.Find(`nav.sections a[href="/help/start"]`).Length() != 1 {
		t.Error("who is signed in has no bar or no other pages")
	}
}
