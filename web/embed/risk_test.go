package embed_test

import (
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

func TestEmbedRisk_CancelUnseen_403(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	app := h.SignInAs("olivia").StartLead("Rivera")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	cancel := webtest.Form{Action: f.Base + app + "/cancel", Values: url.Values{"confirm.cancel": {"true"}}}
	if got := f.Send(cancel); got.Status != http.StatusForbidden ||
		!strings.Contains(got.MainText(), "Continue in a new tab") {
		t.Errorf("not visible: got %d: %s", got.Status, got.MainText())
	}
	if q := h.Inquiries("Rivera"); len(q) != 1 || q[0].NextInquiryStep == "INQUIRY_CLOSED" {
		t.Error("the inquiry was canceled without being visible")
	}
	cancel.Values.Set("frame.seen", "true")
	if got := f.Send(cancel); got.Status == http.StatusForbidden {
		t.Errorf("visible: got %d", got.Status)
	}
}

// TestEmbedRisk_ByFetchHeadersAndRoute sends the same actions from a top-level page, from a frame and from a client
// that is not a browser, with any cookie: the frames of a CRM on the portal's own site also send the tab's cookie.
func TestEmbedRisk_ByFetchHeadersAndRoute(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	const frame, onTop, part, none = "iframe", "document", "empty", ""
	for _, try := range []struct {
		act, kind, claim string
		want             bool
	}{
		{"/leads/{app}/select-offer", frame, "", false}, {"/leads/{app}/select-offer", frame, "unjudged", false},
		{"/leads/{app}/select-offer", frame, "true", true}, {"/leads/{app}/select-offer", onTop, "", true},
		{"/leads/{app}/reveal", part, "", false}, {"/leads/{app}/reveal", part, "true", true},
		{"/leads/{app}/cancel", none, "", false}, {"/operations/{id}/undo", frame, "", false},
		{"/leads/{app}/reassign", frame, "no", false}, {"/leads", frame, "", false}, {"/leads", frame, "unjudged", true},
		{"/leads", frame, "true", true}, {"/leads", onTop, "", true}, {"/leads", none, "", true},
		{"/drafts/{id}/link", frame, "", false}, {"/leads/{app}/borrower-link", part, "", false},
		{"/leads/{app}/add-ssn", frame, "", false}, {"/leads/{app}/repull-credit", frame, "", false},
		{"/leads/{app}/note", frame, "", true}, {"/drafts/{id}", part, "", true},
	} {
		headers := []string{"Sec-Fetch-Dest", try.kind, "Sec-Fetch-Site", "same-origin"}
		if try.kind == none {
			headers = nil
		}
		form := url.Values{"frame.seen": {try.claim}}
		r := h.NewBrowser().Request(http.MethodPost, "/x", form, headers)
		route := page.Route{Method: http.MethodPost, Pattern: page.EmbedPrefix + try.act, Embedded: true}
		if got := route.Risk().Accepts(r, form); got != try.want {
			t.Errorf("%s out of %q with %q: got %v, want %v", try.act, try.kind, try.claim, got, try.want)
		}
	}
}

// TestEmbedRisk_TabCookieInFrame_403 submits inside a frame of a CRM on the portal's own site, which sends the tab's
// cookie.
func TestEmbedRisk_TabCookieInFrame_403(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	app := h.SignInAs("olivia").StartLead("Rivera")
	tab := a.OpenTab(webtest.LaunchFor("51"))
	cancel := webtest.Form{Action: tab.Base + app + "/cancel", Values: url.Values{"confirm.cancel": {"true"}}}
	if got := tab.Send(cancel); got.Status != http.StatusForbidden ||
		!strings.Contains(got.MainText(), "Continue in a new tab") {
		t.Errorf("in a frame: got %d: %s", got.Status, got.MainText())
	}
	got := tab.Browser.Post(cancel.Action, cancel.Values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate",
		"Sec-Fetch-Dest", "document", "Cookie", tab.Cookie)
	if got.Status == http.StatusForbidden {
		t.Errorf("in the tab: got %d: %s", got.Status, got.MainText())
	}
}

// TestEmbedRisk_ScriptListMatchesServer reads the script: it claims visibility for exactly the paths where the server
// requires it.
func TestEmbedRisk_ScriptListMatchesServer(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, Estimate: webtest.EstimateAccess(),
		BorrowerLink: webtest.BorrowerLink(t)})
	script, err := os.ReadFile("../../static/frame.js")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`careful = /(.+)/;`).FindSubmatch(script)
	if found == nil {
		t.Fatal("the script has no such list")
	}
	list := regexp.MustCompile(strings.ReplaceAll(string(found[1]), `\/`, "/"))
	for _, route := range h.Routes() {
		if !route.Embedded || route.Method != http.MethodPost {
			continue
		}
		if got, want := list.MatchString(route.Pattern), route.Risk() != page.RiskLow; got != want {
			t.Errorf("%s: the script has %v, the server %v", route.Pattern, got, want)
		}
		operation := heloc.Operation(path.Base(route.Pattern))
		if slices.Contains(heloc.Operations(), operation) && route.Risk() == page.RiskLow {
			t.Errorf("%s: a write to the lender is accepted from a button that may be covered", route.Pattern)
		}
	}
}

func TestEmbedRisk_StartUnseen_SavedAsDraft(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	form := f.Get("/leads/new").Form(`form#intake`).With("applicant.name.lastName", "Rivera-Tricked").
		With("consent.attested", "true").With("applicant.ssn", "512-44-9981")
	got := f.Send(form)
	if got.Status != http.StatusForbidden || len(h.Inquiries("Rivera-Tricked")) > 0 {
		t.Fatalf("got %d: %s", got.Status, got.MainText())
	}
	address, _ := got.Find(`a[target="_blank"].pri`).Attr("href")
	values := h.SignInAs("olivia").Get(address).Form("form#intake").Values
	if values.Get("applicant.name.lastName") != "Rivera-Tricked" || values.Get("consent.attested") != "" ||
		values.Get("applicant.ssn") != "" {
		t.Errorf("at %s: got %v", address, values)
	}
}
