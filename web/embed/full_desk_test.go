package embed_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestEmbed_EveryPageOpensInFullDesk follows the link into the full desk from every page inside a frame. All other
// links stay inside, and this one leads to the same page outside.
func TestEmbed_EveryPageOpensInFullDesk(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess(), BorrowerLink: webtest.BorrowerLink(t)})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	olivia := h.SignInAs("olivia")
	app := olivia.StartLead("Rivera")
	olivia.WaitFor(app, `input[name="offer.offerUuid"]`)
	draft := olivia.Get("/leads/new").Form("form#intake")
	draft.Action = "/drafts/" + draft.Values.Get("draft")
	olivia.Send(draft)
	typed := "/leads/new?draft=" + draft.Values.Get("draft")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	for path, want := range map[string]string{
		"/": "/leads/new", "/leads": "/leads", "/leads?view=all&q=Rivera": "/leads?view=all&q=Rivera",
		"/leads/new": "/leads/new", typed: typed, "/drafts": "/drafts",
		"/prequalify": "/prequalify", "/help/crm": "/help/crm", "/help/steps": "/help/steps", app: app, app + "/offers": app,
		app + "/documents": app, app + "/property": app,
		app + "/underwriting": app, app + "/funding": app, app + "/history": app, app + "/activity": app,
		app + "/reassign": app, "/leads/nowhere//evil.example": "/",
	} {
		page := f.Get(path)
		out, there := page.Find(".framebar a.pop").Attr("href")
		if !there || out != want {
			t.Errorf("%s: links outside to %q, want %q", path, out, want)
			continue
		}
		if got := olivia.Get(out); got.Status != http.StatusOK {
			t.Errorf("%s: outside, %s returns %d", path, out, got.Status)
		}
		checkStaysInFrame(page, path, f.Base)
	}
	refused := f.Send(webtest.Form{Action: f.Base + "/prequalify"})
	if got := refused.Find(".framebar a.pop").AttrOr("href", ""); got != "/prequalify" {
		t.Errorf("a rejected form (%d) links outside to %q", refused.Status, got)
	}
}

// checkStaysInFrame checks that no link leaves the frame except by opening a window, and that no form opens a window:
// a form that a window sent would be treated as if nothing could cover it.
func checkStaysInFrame(p *webtest.Response, name, base string) {
	p.T.Helper()
	if p.Find(".bar").Length() != 0 {
		p.T.Errorf("%s: the full desk's header bar is in the frame", name)
	}
	for _, s := range p.Find("body *").EachIter() {
		for _, by := range []string{"href", "action", "formaction", "hx-get", "hx-post", "data-autosave"} {
			to := s.AttrOr(by, "")
			if strings.HasPrefix(to, "/") && !strings.HasPrefix(to, base+"/") && !strings.HasPrefix(to, "/static/") &&
				s.AttrOr("target", "") != "_blank" {
				p.T.Errorf("%s: %s links to %s inside the frame", name, by, to)
			}
		}
		if s.Is(`form[target]:not([target="_self"]), [formtarget]`) {
			p.T.Errorf("%s: the form of %s opens a window", name, s.AttrOr("action", ""))
		}
	}
}

// TestHelpCRM_IsPublic reads the page without a session. It links to no page that needs one.
func TestHelpCRM_IsPublic(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	v := h.NewBrowser()
	page := v.Get("/help/crm")
	page.WantText("For CRM administrators", "portal.expired")
	var read []string
	for _, l := range page.Find("a[href]").EachIter() {
		href := l.AttrOr("href", "")
		if strings.HasPrefix(href, "#") || slices.Contains(read, href) {
			continue
		}
		read = append(read, href)
		if got := v.Get(href); got.Status != http.StatusOK || got.Path != href || !strings.HasPrefix(href, "/help/crm") {
			t.Errorf("%s: got %d at %s", href, got.Status, got.Path)
		}
	}
	if len(read) < 5 {
		t.Errorf("got %v, want a page for each CRM", read)
	}
	if got := v.Get("/help/start"); got.Path != "/login" {
		t.Errorf("the rest of the help: got %s", got.Path)
	}
	if got := h.SignInAs("olivia").Get("/help/crm"); got.Find(".bar").Length() != 1 ||
		got.Find(`nav.sections a[href="/help/start"]`).Length() != 1 {
		t.Error("a signed-in user has no header bar or no other help pages")
	}
}
