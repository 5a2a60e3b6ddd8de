package embed_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/internal/samplecrm"
	"hearthline/web/webtest"
)

// As the help for HubSpot describes: HubSpot's main page and its regional page are both listed.
func TestLaunch_SeveralOrigins_FrameAncestors(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	const one, two = "https://app.hubspot.com", "https://app-eu1.hubspot.com"
	if err := h.EmbedService.Save(t.Context(), access.Operator(), embed.Setup{
		Key: "hs", Name: "HubSpot", BrokerID: h.People["olivia"].BrokerID, Kind: launch.KindCall, Organization: "777",
		Origins: []string{one, two},
	}); err != nil {
		t.Fatal(err)
	}
	address := samplecrm.HubSpotURL("/launch/hubspot/hs", hubUser(12, "olivia@summit.test"))
	for body, want := range map[string]string{`{}`: "", `{"origin":"` + two + `"}`: two} {
		page := h.NewBrowser().Get(launchURL(t, sendSignedCall(a, http.MethodPost, address, body)), modalHeaders()...)
		if got := page.Header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors "+one+" "+two+";") {
			t.Errorf("%s: got %q, want both pages", body, got)
		}
		if got := page.Find("html").AttrOr("data-host", ""); got != want {
			t.Errorf("%s: messages go to %q, want %q", body, got, want)
		}
		if page.Find(`script[src*="frame"]`).Length() != 1 {
			t.Errorf("%s: the frame has no script", body)
		}
	}
	if got := sendSignedCall(a, http.MethodPost, address,
		`{"origin":"https://app-eu2.hubspot.com"}`); got.Status != http.StatusForbidden {
		t.Errorf("an unlisted page: got %d", got.Status)
	}
}

func TestEmbedIntake_UnusablePrefill_Named(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	hers := hubUser(12, "olivia@summit.test")
	connectHubUser(a, "olivia", hers)
	a.Attest()
	door := launchURL(t, sendSignedCall(a, http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", hers),
		`{"record":{"type":"deal","id":51},"prefill":{"amountWanted":60000,"property.address.zip":{"code":"83702"},`+
			`"applicant.name.lastName":"Rivera"}}`))
	v := h.NewBrowser()
	f := a.ContinueLaunch(v, v.Get(door, modalHeaders()...))
	page := f.Get("/leads/new")
	page.WantText("Some fields weren’t filled in", "CRM hs’s values for these fields can’t be used: ZIP.")
	form := page.Form("form#intake")
	if got := form.Values; got.Get("amountWanted") != "60000" || got.Get("applicant.name.lastName") != "Rivera" ||
		got.Get("partnerDataRequest.externalReferenceId") != "51" || got.Get("property.address.zip") != "" {
		t.Errorf("got %v", got)
	}
}

// A CRM's values are cleaned like typed ones, and the form shows what was changed before anything is sent.
func TestEmbedIntake_PastedPrefill_ChangesShown(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	hers := hubUser(12, "olivia@summit.test")
	connectHubUser(a, "olivia", hers)
	a.Attest()
	door := launchURL(t, sendSignedCall(a, http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", hers),
		`{"record":{"type":"deal","id":51},"prefill":{"applicant.email":"mailto:elena@borrower\u200b.test",`+
			`"applicant.name.lastName":"O\u2019Connor","property.address.state":"Ida\u00adho",`+
			`"property.address.street1":"123 \u00bd Elm St"}}`))
	v := h.NewBrowser()
	page := a.ContinueLaunch(v, v.Get(door, modalHeaders()...)).Get("/leads/new")
	for control, want := range map[string]string{
		"applicant.email":         "Removed an invisible character. Removed “mailto:”. Sent as “elena@borrower.test”",
		"applicant.name.lastName": "Sent as “O'Connor”", "property.address.street1": "Sent as “123.5 Elm St”",
	} {
		if got := page.Find(`[id="` + control + `-s"]`).Text(); got != want {
			t.Errorf("%s: got the note %q, want %q", control, got, want)
		}
	}
	if got := page.Form("form#intake").Values.Get("property.address.state"); got != "ID" {
		t.Errorf("got the state %q", got)
	}
}
