package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/samplecrm"
	"hearthline/internal/store"
)

// withRecordType returns a launch from a record of another type than deal.
func withRecordType(kind string, o samplecrm.LaunchClaims) samplecrm.LaunchClaims {
	o.RecordType = kind
	return o
}

// A CRM may number each type of record separately: contact 900 and deal 900 are two records.
func TestEmbedRecord_SameNumberOtherType_Separate(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.connectUserAs("marcus")
	a.attest()
	contact := a.openFrame(withRecordType("contact", launchFor("900")))
	contact.autosave(contact.filledIntake("Quackenbush"))
	other := launchFor("900")
	other.Prefill = map[string]string{"applicant.name.firstName": "Bruno", "applicant.name.lastName": "Nowak"}
	var hers string
	for _, when := range []string{"with a draft on the contact", "with a lead on the contact"} {
		page := a.openFrame(other).get("/")
		if !strings.HasSuffix(page.path, "/leads/new") {
			t.Fatalf("%s: the deal opens %s, want its own intake", when, page.path)
		}
		form := page.form("form#intake").values
		if strings.Contains(page.body, "Quackenbush") || form.Get("applicant.name.lastName") != "Nowak" {
			t.Errorf("%s: the deal's intake has %q", when, form.Get("applicant.name.lastName"))
		}
		if c, r := form.Get("partnerDataRequest.externalCustomerId"), form.Get("partnerDataRequest.externalReferenceId"); c != "" || r != "900" {
			t.Errorf("%s: it has %q as customer and %q as reference, want the reference only", when, c, r)
		}
		if page := a.openFrame(asUser("marcus", other)).get("/"); strings.Contains(page.text(), "A colleague") || strings.Contains(page.text(), "An inquiry for this record") {
			t.Errorf("%s: her contact is shown as his deal: %s", when, page.text())
		}
		if when == "with a draft on the contact" {
			hers = contact.startLead("Quackenbush")
		}
	}
	// A type is compared without regard to case.
	app := a.openFrame(other).startLead("Nowak")
	if got := a.openFrame(withRecordType(" Deal", launchFor("900"))).get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("the deal in uppercase opens %s, want %s", got.path, app)
	}
	if got := a.openFrame(withRecordType("Contact", launchFor("900"))).get("/"); !strings.HasSuffix(got.path, hers) {
		t.Errorf("the contact opens %s, want %s", got.path, hers)
	}
	if got := h.signInAs("olivia").get(app).Find("#records").Text(); !strings.Contains(got, "Record 900 (deal) in CRM acme") {
		t.Errorf("the lead names its record %q", got)
	}
	a.wantCards(map[string]string{
		"900?type=deal": h.shortIDAt(app), "900?type=CONTACT": h.shortIDAt(hers), "900?type=ticket": "404", "900": "409", "901": "404", "900?type=deal&type=contact": "422",
	})
}

// shortIDAt returns the short id of the lead at a path.
func (h *harness) shortIDAt(address string) string {
	return h.leadRow(heloc.AppID(strings.TrimPrefix(address, "/leads/"))).ShortID
}

// wantCards checks that each record's card has the short id, or is refused with the status.
func (a *crmFixture) wantCards(want map[string]string) {
	a.h.t.Helper()
	for record, wantCard := range want {
		got := a.getCard("/api/embed/acme/records/" + record)
		if !strings.Contains(got.body, `"shortId":"`+wantCard+`"`) && fmt.Sprint(got.status) != wantCard {
			a.h.t.Errorf("the card of %s: got %d %s, want %s", record, got.status, got.body, wantCard)
		}
	}
	refused := a.getCard("/api/embed/acme/records/900")
	if refused.status == http.StatusConflict && !strings.Contains(refused.body, "?type=") {
		a.h.t.Errorf("the error does not name what is missing: %s", refused.body)
	}
}

// The signature also covers the type in a card's URL.
func TestCRMCard_TypeIsSigned(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	app := a.openFrame(launchFor("51")).startLead("Rivera")
	signed := func(address, called string) *response {
		raw, err := samplecrm.Token(a.key, crmOrigin, "http://localhost/api/embed/acme/records/"+address, launchFor(""))
		if err != nil {
			t.Fatal(err)
		}
		return h.newBrowser().get("/api/embed/acme/records/"+called, "Authorization", "Bearer "+raw)
	}
	for _, try := range [][2]string{{"51", "51?type=deal"}, {"51?type=contact", "51?type=deal"}, {"51?type=deal", "51"}, {"51?type=deal", "51?type=deal&type=contact"}} {
		if got := signed(try[0], try[1]); got.status != http.StatusForbidden {
			t.Errorf("%s signed, %s called: got %d %s", try[0], try[1], got.status, got.body)
		}
	}
	if got := signed("51?type=deal", "51?type=deal"); !strings.Contains(got.body, h.shortIDAt(app)) {
		t.Errorf("got %d %s", got.status, got.body)
	}
	by := hubUser(12, "olivia@summit.test")
	a.connectHubUser("olivia", by)
	v, page := a.hubLaunch(by, withRecordType("0-1", launchFor("77")))
	f := a.continueLaunch(v, page)
	if got := f.filledIntake("Nowak").values.Get("partnerDataRequest.externalCustomerId"); got != "77" {
		t.Errorf("HubSpot's contact: got %q as customer, want its number", got)
	}
	app = f.startLead("Nowak")
	for _, kind := range []string{"0-1", "contact"} {
		if got := a.sendSignedCall(http.MethodGet, samplecrm.HubSpotURL("/api/embed/hs/records/77?type="+kind, by), ""); !strings.Contains(got.body, h.shortIDAt(app)) {
			t.Errorf("of %s: got %d %s", kind, got.status, got.body)
		}
	}
	if got := a.sendSignedCall(http.MethodGet, samplecrm.HubSpotURL("/api/embed/hs/records/77?type=0-3", by), ""); got.status != http.StatusNotFound {
		t.Errorf("of another type: got %d %s", got.status, got.body)
	}
}

// Data that was stored for a number before records had types belongs to no typed record automatically: it is offered,
// named and linked by a user, and afterwards belongs to that record only.
func TestEmbedRecord_Untyped_OfferedToTypedRecord(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.connectUserAs("marcus")
	a.attest()
	untyped := withRecordType("", launchFor("51"))
	f := a.openFrame(untyped)
	form := f.filledIntake("Rivera")
	f.autosave(form)
	page := a.openFrame(launchFor("51")).get("/")
	if got, _ := page.Find("#former a").Attr("href"); !strings.HasSuffix(got, "/leads/new?draft="+form.values.Get("draft")) {
		t.Errorf("the previous draft: got %q", got)
	}
	if page.form("form#intake").values.Get("draft") == form.values.Get("draft") {
		t.Error("the previous draft is resumed without asking")
	}
	a.openFrame(asUser("marcus", launchFor("51"))).get("/").wantText("A colleague has an inquiry for a record with this ID")
	// The lender has a different number for it now, so that only the previous index leads to it.
	sent := f.send(f.filledIntake("Rivera").with("partnerDataRequest.externalReferenceId", "other"))
	app := strings.TrimPrefix(sent.path, f.base)
	a.openFrame(asUser("marcus", launchFor("51"))).get("/").wantText("A colleague has an inquiry for a record with this ID")
	if got := a.openFrame(untyped).get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("a CRM without types opens %s, want %s", got.path, app)
	}
	a.wantCards(map[string]string{"51": h.shortIDAt(app), "51?type=deal": "404"})
	deal := a.openFrame(launchFor("51"))
	if got, _ := deal.get("/").Find("#elsewhere button[formaction]").Attr("value"); got != strings.TrimPrefix(app, "/leads/") {
		t.Fatalf("the offer: got %q, want the lead", got)
	}
	deal.linkLead(app)
	if got := deal.get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("afterwards the deal opens %s", got.path)
	}
	contact := a.openFrame(withRecordType("contact", launchFor("51"))).get("/")
	if contact.Find("#elsewhere").Length() != 0 || !strings.HasSuffix(contact.path, "/leads/new") {
		t.Errorf("the contact with the number is offered the deal's lead: %s", contact.path)
	}
	refs, err := h.store.ReferencesOf(t.Context(), heloc.AppID(strings.TrimPrefix(app, "/leads/")))
	if err != nil {
		t.Fatal(err)
	}
	var records []store.Reference
	for _, r := range refs {
		if r.Client != "" {
			records = append(records, r)
		}
	}
	if len(records) != 1 || records[0].Type != "deal" {
		t.Errorf("got the records %+v, want the deal only", records)
	}
	a.wantCards(map[string]string{"51": h.shortIDAt(app), "51?type=deal": h.shortIDAt(app)})
}

// A record's id in a card's URL may be escaped as encodeURIComponent or as Go does.
func TestCRMCard_EscapedRecordIDs(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	for i, record := range []struct {
		id   string
		also []string // in addition to Go's own
	}{
		{"urn:lead:5", []string{"urn%3Alead%3A5", "urn:lead:5"}}, {"x@y", []string{"x%40y"}}, {"a+b", []string{"a%2Bb"}}, {"a&b", []string{"a%26b"}},
		{"(a)", []string{"(a)", "%28a%29"}}, {"it's", []string{"it's"}}, {"!*", []string{"!*"}}, {"a;b", []string{"a;b", "a%3Bb"}}, {"a,b", []string{"a,b", "a%2Cb"}},
		{"a%20b", []string{"a%2520b"}}, {"a b", []string{"a%20b"}}, {"a/b", []string{"a%2Fb"}}, {"ä?", []string{"%C3%A4%3F"}}, {"{1}", []string{"%7B1%7D"}},
	} {
		name := "Rivera" + string(rune('a'+i))
		app := a.openFrame(launchFor(record.id)).startLead(name)
		for _, escaped := range append(record.also, url.PathEscape(record.id)) {
			if got := a.getCard("/api/embed/acme/records/" + escaped); !strings.Contains(got.body, `"`+h.shortIDAt(app)+`"`) {
				t.Errorf("%s as %s: got %d %s", record.id, escaped, got.status, got.body)
			}
		}
	}
	// A signature for one spelling is not valid for another.
	raw, err := samplecrm.Token(a.key, crmOrigin, "http://localhost/api/embed/acme/records/urn:lead:5", launchFor(""))
	if err != nil {
		t.Fatal(err)
	}
	if got := h.newBrowser().get("/api/embed/acme/records/urn%3Alead%3A5", "Authorization", "Bearer "+raw); got.status != http.StatusForbidden {
		t.Errorf("another URL than the signed one: got %d", got.status)
	}
	if got := h.newBrowser().get("/api/embed/acme/records/urn:lead:5", "Authorization", "bearer "+raw); got.status != http.StatusOK {
		t.Errorf("a scheme in lowercase: got %d %s", got.status, got.body)
	}
}
