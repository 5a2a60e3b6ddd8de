package web

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/internal/samplecrm"
)

// As the help for HubSpot describes: HubSpot's main page and its regional page are both listed.
func TestLaunch_SeveralOrigins_FrameAncestors(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	const one, two = "https://app.hubspot.com", "https://app-eu1.hubspot.com"
	if err := h.embedService.Save(t.Context(), access.Operator(), embed.Setup{
		Key: "hs", Name: "HubSpot", BrokerID: h.people["olivia"].BrokerID, Kind: launch.KindCall, Organization: "777", Origins: []string{one, two},
	}); err != nil {
		t.Fatal(err)
	}
	address := samplecrm.HubSpotURL("/launch/hubspot/hs", hubUser(12, "olivia@summit.test"))
	for body, want := range map[string]string{`{}`: "", `{"origin":"` + two + `"}`: two} {
		page := h.newBrowser().get(launchURL(t, a.sendSignedCall(http.MethodPost, address, body)), modalHeaders()...)
		if got := page.header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors "+one+" "+two+";") {
			t.Errorf("%s: got %q, want both pages", body, got)
		}
		if got := page.Find("html").AttrOr("data-host", ""); got != want {
			t.Errorf("%s: messages go to %q, want %q", body, got, want)
		}
		if page.Find(`script[src*="frame"]`).Length() != 1 {
			t.Errorf("%s: the frame has no script", body)
		}
	}
	if got := a.sendSignedCall(http.MethodPost, address, `{"origin":"https://app-eu2.hubspot.com"}`); got.status != http.StatusForbidden {
		t.Errorf("an unlisted page: got %d", got.status)
	}
}

func TestEmbedIntake_UnusablePrefill_Named(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	hers := hubUser(12, "olivia@summit.test")
	a.connectHubUser("olivia", hers)
	a.attest()
	door := launchURL(t, a.sendSignedCall(http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", hers),
		`{"record":{"type":"deal","id":51},"prefill":{"amountWanted":60000,"property.address.zip":{"code":"83702"},"applicant.name.lastName":"Rivera"}}`))
	v := h.newBrowser()
	f := a.continueLaunch(v, v.get(door, modalHeaders()...))
	page := f.get("/leads/new")
	page.wantText("Some fields weren’t filled in", "CRM hs’s values for these fields can’t be used: ZIP.")
	form := page.form("form#intake")
	if got := form.values; got.Get("amountWanted") != "60000" || got.Get("applicant.name.lastName") != "Rivera" || got.Get("partnerDataRequest.externalReferenceId") != "51" || got.Get("property.address.zip") != "" {
		t.Errorf("got %v", got)
	}
}
