package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// scriptHeaders returns the headers with which our script sends a frame's form.
func scriptHeaders(more ...string) []string {
	return frameHeaders(append(more, "Sec-Fetch-Mode", "same-origin", "Sec-Fetch-Dest", "empty", "HX-Request", "true", "HX-Request-Type", "full")...)
}

// sendByScript sends a frame's form as the script does.
func (f *embedFrame) sendByScript(p postedForm) *response {
	return f.testBrowser.post(p.action, p.values, scriptHeaders("Cookie", f.cookie)...)
}

// TestEmbedScriptPost_RedirectedByHeader checks the responses to the script: a URL in a header instead of a redirect,
// and otherwise the page that a user would see.
func TestEmbedScriptPost_RedirectedByHeader(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	app := h.signInAs("olivia").startLead("Rivera")
	f := a.openFrame(launchFor("51"))
	note := postedForm{action: f.base + app + "/note", values: url.Values{"note": {"Calls back"}}}
	if got := f.sendByScript(note); got.status != http.StatusNoContent || got.header.Get("HX-Redirect") != f.base+app {
		t.Errorf("an action: got %d to %q, want %s", got.status, got.header.Get("HX-Redirect"), f.base+app)
	}
	if got := f.sendByScript(postedForm{action: f.base + "/leads", values: url.Values{"frame.seen": {"true"}}}); got.status != http.StatusUnprocessableEntity || got.Find("form#intake").Length() != 1 || got.Find("html[data-host]").Length() != 1 {
		t.Errorf("a form with errors: got %d: %s", got.status, got.text())
	}
	out := f.sendByScript(postedForm{action: f.base + "/logout"})
	if out.header.Get("HX-Redirect") != f.base+"/?left=true" || !strings.Contains(out.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("sign-out: got %d to %q with %q", out.status, out.header.Get("HX-Redirect"), out.header.Get("Set-Cookie"))
	}
	if got := f.get("/?left=true"); got.status != http.StatusUnauthorized || got.Find("[data-forget]").Length() != 1 || got.Find("[data-ends]").Length() != 0 {
		t.Errorf("after signing out: got %d: %s", got.status, got.text())
	}
}

// TestEmbedResume_SelectOffer_KeepsFormWithoutConfirmation submits from a browser that cannot prove visibility. The
// same form is then filled in in the full desk, for the same user only, without its confirmation.
func TestEmbedResume_SelectOffer_KeepsFormWithoutConfirmation(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	olivia := h.signInAs("olivia")
	app := olivia.startLead("Rivera")
	olivia.waitFor(app, `input[name="offer.offerUuid"]`)
	f, other := a.openFrame(launchFor("51")), a.openFrame(launchFor("52"))
	form := f.get(app).form("form#select")
	offer, _ := f.get(app).Find(`input[name="offer.offerUuid"]`).Last().Attr("value")
	form = form.with("offer.offerUuid", offer, "confirm.offer", "true", "frame.seen", "unjudged")
	got := f.sendByScript(form)
	outside, _ := got.Find(`a[target="_blank"]`).Attr("href")
	if got.status != http.StatusForbidden || !strings.Contains(got.body, "carried over") || strings.Contains(got.body, "<html") || outside == "" {
		t.Fatalf("got %d: %s", got.status, got.text())
	}
	page := olivia.get(outside)
	page.wantText("Nothing has been sent yet", "Rivera")
	filled := page.form("form#select")
	if got, _ := page.Find(`input[name="offer.offerUuid"][checked]`).Attr("value"); got != offer {
		t.Errorf("the offer: got %q, want %q", got, offer)
	}
	if filled.values.Get("confirm.offer") != "" || filled.action != app+"/select-offer" || filled.values.Get("operation") != form.values.Get("operation") {
		t.Errorf("got %s with %v", filled.action, filled.values)
	}
	if strings.Contains(page.body, "frame.seen") {
		t.Error("the form contains the script's visibility claim")
	}
	for name, try := range map[string]*response{"by another user": h.signInAs("marcus").get(outside), "for another record": olivia.get("/account/held/" + strings.Split(other.base, "/")[3])} {
		if try.path != "/leads" || strings.Contains(try.body, "Nothing has been sent yet") {
			t.Errorf("%s: got %d at %s", name, try.status, try.path)
		}
	}
	if done := olivia.send(filled.with("offer.offerUuid", offer, "confirm.offer", "true")); done.path != app {
		t.Errorf("submitting in the full desk led to %s (%d): %s", done.path, done.status, done.text())
	}
}

func TestEmbedResume_Reassign_KeepsFormWithoutConfirmation(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	olivia := h.signInAs("olivia")
	app := olivia.startLead("Rivera")
	f := a.openFrame(launchFor("51"))
	form := f.get(app + "/reassign").form("form#form-reassign")
	got := f.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID, "handOver.line", "She wants it by Friday", "confirm.reassign", "true"))
	outside, _ := got.Find(`a[target="_blank"].pri`).Attr("href")
	page := olivia.get(outside)
	page.wantText("Nothing has been sent yet")
	filled := page.form("form#form-reassign").values
	if filled.Get("handOver.line") != "She wants it by Friday" || filled.Get("newLoanOriginatorUuid") != h.people["marcus"].OriginatorUUID || filled.Get("confirm.reassign") != "" {
		t.Errorf("got %v", filled)
	}
}
