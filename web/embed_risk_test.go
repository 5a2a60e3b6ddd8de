package web

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"hearthline/web/page"
)

func TestEmbedRisk_CancelUnseen_403(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	app := h.signInAs("olivia").startLead("Rivera")
	f := a.openFrame(launchFor("51"))
	cancel := postedForm{action: f.base + app + "/cancel", values: url.Values{"confirm.cancel": {"true"}}}
	if got := f.send(cancel); got.status != http.StatusForbidden || !strings.Contains(got.text(), "Continue in a new tab") {
		t.Errorf("not visible: got %d: %s", got.status, got.text())
	}
	if q := h.inquiries("Rivera"); len(q) != 1 || q[0].NextInquiryStep == "INQUIRY_CLOSED" {
		t.Error("the inquiry was canceled without being visible")
	}
	cancel.values.Set("frame.seen", "true")
	if got := f.send(cancel); got.status == http.StatusForbidden {
		t.Errorf("visible: got %d", got.status)
	}
}

// TestEmbedRisk_ByFetchHeadersAndRoute sends the same actions from a top-level page, from a frame and from a client
// that is not a browser, with any cookie: the frames of a CRM on the portal's own site also send the tab's cookie.
func TestEmbedRisk_ByFetchHeadersAndRoute(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	const frame, onTop, part, none = "iframe", "document", "empty", ""
	for _, try := range []struct {
		act, kind, claim string
		want             bool
	}{
		{"/leads/{app}/select-offer", frame, "", false}, {"/leads/{app}/select-offer", frame, "unjudged", false}, {"/leads/{app}/select-offer", frame, "true", true},
		{"/leads/{app}/select-offer", onTop, "", true}, {"/leads/{app}/reveal", part, "", false}, {"/leads/{app}/reveal", part, "true", true},
		{"/leads/{app}/cancel", none, "", false}, {"/operations/{id}/undo", frame, "", false}, {"/leads/{app}/reassign", frame, "no", false},
		{"/leads", frame, "", false}, {"/leads", frame, "unjudged", true}, {"/leads", frame, "true", true}, {"/leads", onTop, "", true}, {"/leads", none, "", true},
		{"/drafts/{id}/link", frame, "", false}, {"/leads/{app}/borrower-link", part, "", false}, {"/leads/{app}/add-ssn", frame, "", false},
		{"/leads/{app}/repull-credit", frame, "", false}, {"/leads/{app}/note", frame, "", true}, {"/drafts/{id}", part, "", true},
	} {
		headers := []string{"Sec-Fetch-Dest", try.kind, "Sec-Fetch-Site", "same-origin"}
		if try.kind == none {
			headers = nil
		}
		form := url.Values{"frame.seen": {try.claim}}
		r := h.newBrowser().request(http.MethodPost, "/x", form, headers)
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
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	app := h.signInAs("olivia").startLead("Rivera")
	tab := a.openTab(launchFor("51"))
	cancel := postedForm{action: tab.base + app + "/cancel", values: url.Values{"confirm.cancel": {"true"}}}
	if got := tab.send(cancel); got.status != http.StatusForbidden || !strings.Contains(got.text(), "Continue in a new tab") {
		t.Errorf("in a frame: got %d: %s", got.status, got.text())
	}
	got := tab.testBrowser.post(cancel.action, cancel.values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Cookie", tab.cookie)
	if got.status == http.StatusForbidden {
		t.Errorf("in the tab: got %d: %s", got.status, got.text())
	}
}

// TestEmbedRisk_ScriptListMatchesServer reads the script: it claims visibility for exactly the paths where the server
// requires it.
func TestEmbedRisk_ScriptListMatchesServer(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true, estimate: testEstimateAccess(), borrowerLink: testBorrowerLink(t)})
	script, err := os.ReadFile("../static/frame.js")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`careful = /(.+)/;`).FindSubmatch(script)
	if found == nil {
		t.Fatal("the script has no such list")
	}
	list := regexp.MustCompile(strings.ReplaceAll(string(found[1]), `\/`, "/"))
	for _, route := range h.routes() {
		if !route.Embedded || route.Method != http.MethodPost {
			continue
		}
		if got, want := list.MatchString(route.Pattern), route.Risk() != page.RiskLow; got != want {
			t.Errorf("%s: the script has %v, the server %v", route.Pattern, got, want)
		}
	}
}

func TestEmbedRisk_StartUnseen_SavedAsDraft(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	f := a.openFrame(launchFor("51"))
	form := f.get("/leads/new").form(`form#intake`).with("applicant.name.lastName", "Rivera-Tricked").with("consent.attested", "true").with("applicant.ssn", "900-00-0001")
	got := f.send(form)
	if got.status != http.StatusForbidden || len(h.inquiries("Rivera-Tricked")) > 0 {
		t.Fatalf("got %d: %s", got.status, got.text())
	}
	address, _ := got.Find(`a[target="_blank"].pri`).Attr("href")
	values := h.signInAs("olivia").get(address).form("form#intake").values
	if values.Get("applicant.name.lastName") != "Rivera-Tricked" || values.Get("consent.attested") != "" || values.Get("applicant.ssn") != "" {
		t.Errorf("at %s: got %v", address, values)
	}
}
