package web

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/crm"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
)

// As the help for HubSpot says: its own page and the region's are listed.
func TestACRMWithSeveralPages(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	const one, two = "https://app.hubspot.com", "https://app-eu1.hubspot.com"
	if err := h.embeds.Save(t.Context(), access.Operator(), embed.Setup{
		Key: "hs", Name: "HubSpot", BrokerID: h.people["olivia"].BrokerID, Kind: launch.KindCall, Organization: "777", Origins: []string{one, two},
	}); err != nil {
		t.Fatal(err)
	}
	address := crm.Asked("/launch/hubspot/hs", hubUser(12, "olivia@summit.test"))
	for body, want := range map[string]string{`{}`: "", `{"origin":"` + two + `"}`: two} {
		page := h.stranger().get(doorOf(t, a.calls(http.MethodPost, address, body)), inModal()...)
		if got := page.header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors "+one+" "+two+";") {
			t.Errorf("%s: got %q, want both pages", body, got)
		}
		if got := page.Find("html").AttrOr("data-host", ""); got != want {
			t.Errorf("%s: messages go to %q, want %q", body, got, want)
		}
		if page.Find(`script[src*="frame"]`).Length() != 1 {
			t.Errorf("%s: the frame has no script of its own", body)
		}
	}
	if got := a.calls(http.MethodPost, address, `{"origin":"https://app-eu2.hubspot.com"}`); got.status != http.StatusForbidden {
		t.Errorf("a page that is not listed: got %d", got.status)
	}
}

func TestTheIntakeSaysWhatTheCRMCouldNotFill(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	hers := hubUser(12, "olivia@summit.test")
	a.connectsHub("olivia", hers)
	a.attest()
	door := doorOf(t, a.calls(http.MethodPost, crm.Asked("/launch/hubspot/hs", hers),
		`{"record":{"type":"deal","id":51},"prefill":{"amountWanted":60000,"property.address.zip":{"code":"83702"},"applicant.name.lastName":"Rivera"}}`))
	v := h.stranger()
	f := a.press(v, v.get(door, inModal()...))
	page := f.get("/leads/new")
	page.says("Not everything was filled in", "What CRM hs has for these could not be used: ZIP.")
	form := page.form("form#intake")
	if got := form.values; got.Get("amountWanted") != "60000" || got.Get("applicant.name.lastName") != "Rivera" || got.Get("partnerDataRequest.externalReferenceId") != "51" || got.Get("property.address.zip") != "" {
		t.Errorf("got %v", got)
	}
}
