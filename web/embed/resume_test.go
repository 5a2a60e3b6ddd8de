package embed_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// scriptHeaders returns the headers with which our script sends a frame's form.
func scriptHeaders(more ...string) []string {
	return webtest.FrameHeaders(append(more, "Sec-Fetch-Mode", "same-origin", "Sec-Fetch-Dest", "empty", "HX-Request",
		"true", "HX-Request-Type", "full")...)
}

// sendByScript sends a frame's form as the script does.
func sendByScript(f *webtest.Frame, p webtest.Form) *webtest.Response {
	return f.Browser.Post(p.Action, p.Values, scriptHeaders("Cookie", f.Cookie)...)
}

// TestEmbedScriptPost_RedirectedByHeader checks the responses to the script: a URL in a header instead of a redirect,
// and otherwise the page that a user would see.
func TestEmbedScriptPost_RedirectedByHeader(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	app := h.SignInAs("olivia").StartLead("Rivera")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	note := webtest.Form{Action: f.Base + app + "/note", Values: url.Values{"note": {"Calls back"}}}
	if got := sendByScript(f, note); got.Status != http.StatusNoContent || got.Header.Get("HX-Redirect") != f.Base+app {
		t.Errorf("an action: got %d to %q, want %s", got.Status, got.Header.Get("HX-Redirect"), f.Base+app)
	}
	if got := sendByScript(f, webtest.Form{Action: f.Base + "/leads",
		Values: url.Values{"frame.seen": {"true"}}}); got.Status != http.StatusUnprocessableEntity ||
		got.Find("form#intake").Length() != 1 || got.Find("html[data-host]").Length() != 1 {
		t.Errorf("a form with errors: got %d: %s", got.Status, got.MainText())
	}
	out := sendByScript(f, webtest.Form{Action: f.Base + "/logout"})
	if out.Header.Get("HX-Redirect") != f.Base+"/?left=true" ||
		!strings.Contains(out.Header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("sign-out: got %d to %q with %q", out.Status, out.Header.Get("HX-Redirect"), out.Header.Get("Set-Cookie"))
	}
	if got := f.Get("/?left=true"); got.Status != http.StatusUnauthorized || got.Find("[data-forget]").Length() != 1 ||
		got.Find("[data-ends]").Length() != 0 {
		t.Errorf("after signing out: got %d: %s", got.Status, got.MainText())
	}
}

// TestEmbedResume_SelectOffer_KeepsFormWithoutConfirmation submits from a browser that cannot prove visibility. The
// same form is then filled in in the full desk, for the same user only, without its confirmation.
func TestEmbedResume_SelectOffer_KeepsFormWithoutConfirmation(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	olivia := h.SignInAs("olivia")
	app := olivia.StartLead("Rivera")
	olivia.WaitFor(app, `input[name="offer.offerUuid"]`)
	f, other := a.OpenFrame(webtest.LaunchFor("51")), a.OpenFrame(webtest.LaunchFor("52"))
	form := f.Get(app).Form("form#select")
	offer, _ := f.Get(app).Find(`input[name="offer.offerUuid"]`).Last().Attr("value")
	form = form.With("offer.offerUuid", offer, "confirm.offer", "true", "frame.seen", "unjudged")
	got := sendByScript(f, form)
	outside, _ := got.Find(`a[target="_blank"]`).Attr("href")
	if got.Status != http.StatusForbidden || !strings.Contains(got.Body, "carried over") ||
		strings.Contains(got.Body, "<html") || outside == "" {
		t.Fatalf("got %d: %s", got.Status, got.MainText())
	}
	page := olivia.Get(outside)
	page.WantText("Nothing has been sent yet", "Rivera")
	filled := page.Form("form#select")
	if got, _ := page.Find(`input[name="offer.offerUuid"][checked]`).Attr("value"); got != offer {
		t.Errorf("the offer: got %q, want %q", got, offer)
	}
	if filled.Values.Get("confirm.offer") != "" || filled.Action != app+"/select-offer" ||
		filled.Values.Get("operation") != form.Values.Get("operation") {
		t.Errorf("got %s with %v", filled.Action, filled.Values)
	}
	if strings.Contains(page.Body, "frame.seen") {
		t.Error("the form contains the script's visibility claim")
	}
	for name, try := range map[string]*webtest.Response{"by another user": h.SignInAs("marcus").Get(outside),
		"for another record": olivia.Get("/account/held/" + strings.Split(other.Base, "/")[3])} {
		if try.Path != "/leads" || strings.Contains(try.Body, "Nothing has been sent yet") {
			t.Errorf("%s: got %d at %s", name, try.Status, try.Path)
		}
	}
	if done := olivia.Send(filled.With("offer.offerUuid", offer, "confirm.offer", "true")); done.Path != app {
		t.Errorf("submitting in the full desk led to %s (%d): %s", done.Path, done.Status, done.MainText())
	}
}

func TestEmbedResume_Reassign_KeepsFormWithoutConfirmation(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	olivia := h.SignInAs("olivia")
	app := olivia.StartLead("Rivera")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	form := f.Get(app + "/reassign").Form("form#form-reassign")
	got := f.Send(form.With("newLoanOriginatorUuid", h.People["marcus"].OriginatorUUID,
		"handOver.line", "She wants it by Friday", "confirm.reassign", "true"))
	outside, _ := got.Find(`a[target="_blank"].pri`).Attr("href")
	page := olivia.Get(outside)
	page.WantText("Nothing has been sent yet")
	filled := page.Form("form#form-reassign").Values
	if filled.Get("handOver.line") != "She wants it by Friday" ||
		filled.Get("newLoanOriginatorUuid") != h.People["marcus"].OriginatorUUID || filled.Get("confirm.reassign") != "" {
		t.Errorf("got %v", filled)
	}
}
