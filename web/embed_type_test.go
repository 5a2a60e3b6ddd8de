package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/crm"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// ofType is an opening of a record of another table than the deals.
func ofType(kind string, o crm.Opening) crm.Opening {
	o.RecordType = kind
	return o
}

// A CRM may number each of its tables anew: contact 900 and deal 900 are two records.
func TestRecordsOfTwoTypesWithOneNumberAreTwo(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.connectsAs("marcus")
	a.attest()
	contact := a.enters(ofType("contact", opening("900")))
	contact.autosaves(contact.filled("Quackenbush"))
	other := opening("900")
	other.Prefill = map[string]string{"applicant.name.firstName": "Bruno", "applicant.name.lastName": "Nowak"}
	var hers string
	for _, when := range []string{"with a draft on the contact", "with a lead on the contact"} {
		page := a.enters(other).get("/")
		if !strings.HasSuffix(page.path, "/leads/new") {
			t.Fatalf("%s: the deal opens %s, want its own intake", when, page.path)
		}
		form := page.form("form#intake").values
		if strings.Contains(page.body, "Quackenbush") || form.Get("applicant.name.lastName") != "Nowak" {
			t.Errorf("%s: the deal's intake has %q", when, form.Get("applicant.name.lastName"))
		}
		if c, r := form.Get("partnerDataRequest.externalCustomerId"), form.Get("partnerDataRequest.externalReferenceId"); c != "" || r != "900" {
			t.Errorf("%s: it carries %q as customer and %q as reference, want the reference alone", when, c, r)
		}
		if page := a.enters(of("marcus", other)).get("/"); strings.Contains(page.text(), "A colleague") || strings.Contains(page.text(), "An inquiry for this record") {
			t.Errorf("%s: her contact is said to be his deal: %s", when, page.text())
		}
		if when == "with a draft on the contact" {
			hers = contact.starts("Quackenbush")
		}
	}
	// A type is the same however it is written.
	app := a.enters(other).starts("Nowak")
	if got := a.enters(ofType(" Deal", opening("900"))).get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("the deal in capitals opens %s, want %s", got.path, app)
	}
	if got := a.enters(ofType("Contact", opening("900"))).get("/"); !strings.HasSuffix(got.path, hers) {
		t.Errorf("the contact opens %s, want %s", got.path, hers)
	}
	if got := h.visit("olivia").get(app).Find("#records").Text(); !strings.Contains(got, "Record 900 (deal) in CRM acme") {
		t.Errorf("the lead names its record %q", got)
	}
	a.hasCards(map[string]string{
		"900?type=deal": h.short(app), "900?type=CONTACT": h.short(hers), "900?type=ticket": "404", "900": "409", "901": "404", "900?type=deal&type=contact": "422",
	})
}

// short is the short id of a lead by its address.
func (h *house) short(address string) string {
	return h.row(heloc.AppID(strings.TrimPrefix(address, "/leads/"))).ShortID
}

// hasCards holds each card to the short id that it tells, or to the status of its refusal.
func (a *acme) hasCards(want map[string]string) {
	a.h.t.Helper()
	for record, says := range want {
		got := a.asksCard("/api/embed/acme/records/" + record)
		if !strings.Contains(got.body, `"shortId":"`+says+`"`) && fmt.Sprint(got.status) != says {
			a.h.t.Errorf("the card of %s: got %d %s, want %s", record, got.status, got.body, says)
		}
	}
	refused := a.asksCard("/api/embed/acme/records/900")
	if refused.status == http.StatusConflict && !strings.Contains(refused.body, "?type=") {
		a.h.t.Errorf("the refusal does not say what to name: %s", refused.body)
	}
}

// The type that a card asks for is signed like the rest of its address.
func TestTheTypeOfACardIsSigned(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	app := a.enters(opening("51")).starts("Rivera")
	signed := func(address, called string) *answerPage {
		raw, err := crm.Token(a.key, crmOrigin, "http://localhost/api/embed/acme/records/"+address, opening(""))
		if err != nil {
			t.Fatal(err)
		}
		return h.stranger().get("/api/embed/acme/records/"+called, "Authorization", "Bearer "+raw)
	}
	for _, try := range [][2]string{{"51", "51?type=deal"}, {"51?type=contact", "51?type=deal"}, {"51?type=deal", "51"}, {"51?type=deal", "51?type=deal&type=contact"}} {
		if got := signed(try[0], try[1]); got.status != http.StatusForbidden {
			t.Errorf("%s signed, %s called: got %d %s", try[0], try[1], got.status, got.body)
		}
	}
	if got := signed("51?type=deal", "51?type=deal"); !strings.Contains(got.body, h.short(app)) {
		t.Errorf("got %d %s", got.status, got.body)
	}
	by := hubUser(12, "olivia@summit.test")
	a.connectsHub("olivia", by)
	v, page := a.hubLaunch(by, ofType("0-1", opening("77")))
	f := a.press(v, page)
	if got := f.filled("Nowak").values.Get("partnerDataRequest.externalCustomerId"); got != "77" {
		t.Errorf("HubSpot's contact: got %q as customer, want its number", got)
	}
	app = f.starts("Nowak")
	for _, kind := range []string{"0-1", "contact"} {
		if got := a.calls(http.MethodGet, crm.Asked("/api/embed/hs/records/77?type="+kind, by), ""); !strings.Contains(got.body, h.short(app)) {
			t.Errorf("of %s: got %d %s", kind, got.status, got.body)
		}
	}
	if got := a.calls(http.MethodGet, crm.Asked("/api/embed/hs/records/77?type=0-3", by), ""); got.status != http.StatusNotFound {
		t.Errorf("of another type: got %d %s", got.status, got.body)
	}
}

// What was kept of a number before types were is nobody's of itself: it is offered, told of,
// and taken by a person, and is then that record's alone.
func TestWhatWasKeptWithoutATypeIsOffered(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.connectsAs("marcus")
	a.attest()
	untyped := ofType("", opening("51"))
	f := a.enters(untyped)
	form := f.filled("Rivera")
	f.autosaves(form)
	page := a.enters(opening("51")).get("/")
	if got, _ := page.Find("#former a").Attr("href"); !strings.HasSuffix(got, "/leads/new?draft="+form.values.Get("draft")) {
		t.Errorf("the former draft: got %q", got)
	}
	if page.form("form#intake").values.Get("draft") == form.values.Get("draft") {
		t.Error("the former draft is gone on with unasked")
	}
	a.enters(of("marcus", opening("51"))).get("/").says("A colleague has an inquiry for a record of this number")
	// The lender's number of it was changed, so that nothing but the former mark leads to it.
	sent := f.send(f.filled("Rivera").with("partnerDataRequest.externalReferenceId", "other"))
	app := strings.TrimPrefix(sent.path, f.base)
	a.enters(of("marcus", opening("51"))).get("/").says("A colleague has an inquiry for a record of this number")
	if got := a.enters(untyped).get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("a CRM without types opens %s, want %s", got.path, app)
	}
	a.hasCards(map[string]string{"51": h.short(app), "51?type=deal": "404"})
	deal := a.enters(opening("51"))
	if got, _ := deal.get("/").Find("#elsewhere button[formaction]").Attr("value"); got != strings.TrimPrefix(app, "/leads/") {
		t.Fatalf("the offer: got %q, want the lead", got)
	}
	deal.took(app)
	if got := deal.get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("afterwards the deal opens %s", got.path)
	}
	contact := a.enters(ofType("contact", opening("51"))).get("/")
	if contact.Find("#elsewhere").Length() != 0 || !strings.HasSuffix(contact.path, "/leads/new") {
		t.Errorf("the contact of the number is offered the deal's lead: %s", contact.path)
	}
	refs, err := h.store.ReferencesOf(t.Context(), heloc.AppID(strings.TrimPrefix(app, "/leads/")))
	if err != nil {
		t.Fatal(err)
	}
	var kept []store.Reference
	for _, r := range refs {
		if r.Client != "" {
			kept = append(kept, r)
		}
	}
	if len(kept) != 1 || kept[0].Type != "deal" {
		t.Errorf("got the records %+v, want the deal alone", kept)
	}
	a.hasCards(map[string]string{"51": h.short(app), "51?type=deal": h.short(app)})
}

// A record's id stands in a card's address as encodeURIComponent writes it, or as Go does.
func TestACardIsAskedForByAnyAddressThatMeansTheRecord(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	for i, record := range []struct {
		id   string
		also []string // besides Go's own
	}{
		{"urn:lead:5", []string{"urn%3Alead%3A5", "urn:lead:5"}}, {"x@y", []string{"x%40y"}}, {"a+b", []string{"a%2Bb"}}, {"a&b", []string{"a%26b"}},
		{"(a)", []string{"(a)", "%28a%29"}}, {"it's", []string{"it's"}}, {"!*", []string{"!*"}}, {"a;b", []string{"a;b", "a%3Bb"}}, {"a,b", []string{"a,b", "a%2Cb"}},
		{"a%20b", []string{"a%2520b"}}, {"a b", []string{"a%20b"}}, {"a/b", []string{"a%2Fb"}}, {"ä?", []string{"%C3%A4%3F"}}, {"{1}", []string{"%7B1%7D"}},
	} {
		name := "Rivera" + string(rune('a'+i))
		app := a.enters(opening(record.id)).starts(name)
		for _, escaped := range append(record.also, url.PathEscape(record.id)) {
			if got := a.asksCard("/api/embed/acme/records/" + escaped); !strings.Contains(got.body, `"`+h.short(app)+`"`) {
				t.Errorf("%s as %s: got %d %s", record.id, escaped, got.status, got.body)
			}
		}
	}
	// Whoever signs one spelling has not signed another.
	raw, err := crm.Token(a.key, crmOrigin, "http://localhost/api/embed/acme/records/urn:lead:5", opening(""))
	if err != nil {
		t.Fatal(err)
	}
	if got := h.stranger().get("/api/embed/acme/records/urn%3Alead%3A5", "Authorization", "Bearer "+raw); got.status != http.StatusForbidden {
		t.Errorf("another address than was signed: got %d", got.status)
	}
	if got := h.stranger().get("/api/embed/acme/records/urn:lead:5", "Authorization", "bearer "+raw); got.status != http.StatusOK {
		t.Errorf("a scheme in small letters: got %d %s", got.status, got.body)
	}
}
