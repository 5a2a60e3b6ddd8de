package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestEmbed_EveryPageOpensInFullDesk follows the link into the full desk from every page inside a frame. All other
// links stay inside, and this one leads to the same page outside.
func TestEmbed_EveryPageOpensInFullDesk(t *testing.T) {
	t.Parallel()
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
			t.Errorf("%s: links outside to %q, want %q", path, out, want)
			continue
		}
		if got := olivia.get(out); got.status != http.StatusOK {
			t.Errorf("%s: outside, %s returns %d", path, out, got.status)
		}
		page.checkStaysInFrame(path, f.base)
	}
	refused := f.send(postedForm{action: f.base + "/prequalify"})
	if got := refused.Find(".framebar a.pop").AttrOr("href", ""); got != "/prequalify" {
		t.Errorf("a rejected form (%d) links outside to %q", refused.status, got)
	}
}

// checkStaysInFrame checks that no link leaves the frame except by opening a window, and that no form opens a window:
// a form that a window sent would be treated as if nothing could cover it.
func (p *response) checkStaysInFrame(name, base string) {
	p.t.Helper()
	if p.Find(".bar").Length() != 0 {
		p.t.Errorf("%s: the full desk's header bar is in the frame", name)
	}
	for _, s := range p.Find("body *").EachIter() {
		for _, by := range []string{"href", "action", "formaction", "hx-get", "hx-post", "data-autosave"} {
			to := s.AttrOr(by, "")
			if strings.HasPrefix(to, "/") && !strings.HasPrefix(to, base+"/") && !strings.HasPrefix(to, "/static/") && s.AttrOr("target", "") != "_blank" {
				p.t.Errorf("%s: %s links to %s inside the frame", name, by, to)
			}
		}
		if s.Is("form[target], [formtarget]") {
			p.t.Errorf("%s: the form of %s opens a window", name, s.AttrOr("action", ""))
		}
	}
}

// TestHelpCRM_IsPublic reads the page without a session. It links to no page that needs one.
func TestHelpCRM_IsPublic(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	v := h.newBrowser()
	page := v.get("/help/crm")
	page.wantText("For CRM administrators", "portal.expired")
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
		t.Error("a signed-in user has no header bar or no other help pages")
	}
}
