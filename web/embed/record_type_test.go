package embed_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/samplecrm"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// withRecordType returns a launch from a record of another type than deal.
func withRecordType(kind string, o samplecrm.LaunchClaims) samplecrm.LaunchClaims {
	o.RecordType = kind
	return o
}

// A CRM may number each type of record separately: contact 900 and deal 900 are two records.
func TestEmbedRecord_SameNumberOtherType_Separate(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	connectUserAs(a, "marcus")
	a.Attest()
	contact := a.OpenFrame(withRecordType("contact", webtest.LaunchFor("900")))
	autosave(contact, contact.FilledIntake("Quackenbush"))
	other := webtest.LaunchFor("900")
	other.Prefill = map[string]string{"applicant.name.firstName": "Bruno", "applicant.name.lastName": "Nowak"}
	var hers string
	for _, when := range []string{"with a draft on the contact", "with a lead on the contact"} {
		page := a.OpenFrame(other).Get("/")
		if !strings.HasSuffix(page.Path, "/leads/new") {
			t.Fatalf("%s: the deal opens %s, want its own intake", when, page.Path)
		}
		form := page.Form("form#intake").Values
		if strings.Contains(page.Body, "Quackenbush") || form.Get("applicant.name.lastName") != "Nowak" {
			t.Errorf("%s: the deal's intake has %q", when, form.Get("applicant.name.lastName"))
		}
		if c, r := form.Get("partnerDataRequest.externalCustomerId"),
			form.Get("partnerDataRequest.externalReferenceId"); c != "" || r != "900" {
			t.Errorf("%s: it has %q as customer and %q as reference, want the reference only", when, c, r)
		}
		if page := a.OpenFrame(asUser("marcus", other)).Get("/"); strings.Contains(page.MainText(), "A colleague") ||
			strings.Contains(page.MainText(), "An inquiry for this record") {
			t.Errorf("%s: her contact is shown as his deal: %s", when, page.MainText())
		}
		if when == "with a draft on the contact" {
			hers = contact.StartLead("Quackenbush")
		}
	}
	// A type is compared without regard to case.
	app := a.OpenFrame(other).StartLead("Nowak")
	if got := a.OpenFrame(withRecordType(" Deal", webtest.LaunchFor("900"))).Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Errorf("the deal in uppercase opens %s, want %s", got.Path, app)
	}
	if got := a.OpenFrame(withRecordType("Contact", webtest.LaunchFor("900"))).
		Get("/"); !strings.HasSuffix(got.Path, hers) {
		t.Errorf("the contact opens %s, want %s", got.Path, hers)
	}
	if got := h.SignInAs("olivia").Get(app).Find("#records").
		Text(); !strings.Contains(got, "Record 900 (deal) in CRM acme") {
		t.Errorf("the lead names its record %q", got)
	}
	wantCards(a, map[string]string{
		"900?type=deal": shortIDAt(h, app), "900?type=CONTACT": shortIDAt(h, hers), "900?type=ticket": "404", "900": "409",
		"901": "404", "900?type=deal&type=contact": "422",
	})
}

// shortIDAt returns the short id of the lead at a path.
func shortIDAt(h *webtest.Harness, address string) string {
	return h.LeadRow(heloc.AppID(strings.TrimPrefix(address, "/leads/"))).ShortID
}

// wantCards checks that each record's card has the short id, or is refused with the status.
func wantCards(a *webtest.CRM, want map[string]string) {
	a.H.T.Helper()
	for record, wantCard := range want {
		got := getCard(a, "/api/embed/acme/records/"+record)
		if !strings.Contains(got.Body, `"shortId":"`+wantCard+`"`) && fmt.Sprint(got.Status) != wantCard {
			a.H.T.Errorf("the card of %s: got %d %s, want %s", record, got.Status, got.Body, wantCard)
		}
	}
	refused := getCard(a, "/api/embed/acme/records/900")
	if refused.Status == http.StatusConflict && !strings.Contains(refused.Body, "?type=") {
		a.H.T.Errorf("the error does not name what is missing: %s", refused.Body)
	}
}

// The signature also covers the type in a card's URL.
func TestCRMCard_TypeIsSigned(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	app := a.OpenFrame(webtest.LaunchFor("51")).StartLead("Rivera")
	signed := func(address, called string) *webtest.Response {
		raw, err := samplecrm.Token(a.Key, webtest.CRMOrigin, "http://localhost/api/embed/acme/records/"+address,
			webtest.LaunchFor(""))
		if err != nil {
			t.Fatal(err)
		}
		return h.NewBrowser().Get("/api/embed/acme/records/"+called, "Authorization", "Bearer "+raw)
	}
	for _, try := range [][2]string{{"51", "51?type=deal"}, {"51?type=contact", "51?type=deal"}, {"51?type=deal", "51"},
		{"51?type=deal", "51?type=deal&type=contact"}} {
		if got := signed(try[0], try[1]); got.Status != http.StatusForbidden {
			t.Errorf("%s signed, %s called: got %d %s", try[0], try[1], got.Status, got.Body)
		}
	}
	if got := signed("51?type=deal", "51?type=deal"); !strings.Contains(got.Body, shortIDAt(h, app)) {
		t.Errorf("got %d %s", got.Status, got.Body)
	}
	by := hubUser(12, "olivia@summit.test")
	connectHubUser(a, "olivia", by)
	v, page := hubLaunch(a, by, withRecordType("0-1", webtest.LaunchFor("77")))
	f := a.ContinueLaunch(v, page)
	if got := f.FilledIntake("Nowak").Values.Get("partnerDataRequest.externalCustomerId"); got != "77" {
		t.Errorf("HubSpot's contact: got %q as customer, want its number", got)
	}
	app = f.StartLead("Nowak")
	for _, kind := range []string{"0-1", "contact"} {
		if got := sendSignedCall(a, http.MethodGet, samplecrm.HubSpotURL("/api/embed/hs/records/77?type="+kind, by),
			""); !strings.Contains(got.Body, shortIDAt(h, app)) {
			t.Errorf("of %s: got %d %s", kind, got.Status, got.Body)
		}
	}
	if got := sendSignedCall(a, http.MethodGet, samplecrm.HubSpotURL("/api/embed/hs/records/77?type=0-3", by),
		""); got.Status != http.StatusNotFound {
		t.Errorf("of another type: got %d %s", got.Status, got.Body)
	}
}

// Data that was stored for a number before records had types belongs to no typed record automatically: it is offered,
// named and linked by a user, and afterwards belongs to that record only.
func TestEmbedRecord_Untyped_OfferedToTypedRecord(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	connectUserAs(a, "marcus")
	a.Attest()
	untyped := withRecordType("", webtest.LaunchFor("51"))
	f := a.OpenFrame(untyped)
	form := f.FilledIntake("Rivera")
	autosave(f, form)
	page := a.OpenFrame(webtest.LaunchFor("51")).Get("/")
	if got, _ := page.Find("#former a").Attr("href"); !strings.HasSuffix(got,
		"/leads/new?draft="+form.Values.Get("draft")) {
		t.Errorf("the previous draft: got %q", got)
	}
	if page.Form("form#intake").Values.Get("draft") == form.Values.Get("draft") {
		t.Error("the previous draft is resumed without asking")
	}
	a.OpenFrame(asUser("marcus", webtest.LaunchFor("51"))).Get("/").
		WantText("A colleague has an inquiry for a record with this ID")
	// The lender has a different number for it now, so that only the previous index leads to it.
	sent := f.Send(f.FilledIntake("Rivera").With("partnerDataRequest.externalReferenceId", "other"))
	app := strings.TrimPrefix(sent.Path, f.Base)
	a.OpenFrame(asUser("marcus", webtest.LaunchFor("51"))).Get("/").
		WantText("A colleague has an inquiry for a record with this ID")
	if got := a.OpenFrame(untyped).Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Errorf("a CRM without types opens %s, want %s", got.Path, app)
	}
	wantCards(a, map[string]string{"51": shortIDAt(h, app), "51?type=deal": "404"})
	deal := a.OpenFrame(webtest.LaunchFor("51"))
	if got, _ := deal.Get("/").Find("#elsewhere button[formaction]").
		Attr("value"); got != strings.TrimPrefix(app, "/leads/") {
		t.Fatalf("the offer: got %q, want the lead", got)
	}
	deal.LinkLead(app)
	if got := deal.Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Errorf("afterwards the deal opens %s", got.Path)
	}
	contact := a.OpenFrame(withRecordType("contact", webtest.LaunchFor("51"))).Get("/")
	if contact.Find("#elsewhere").Length() != 0 || !strings.HasSuffix(contact.Path, "/leads/new") {
		t.Errorf("the contact with the number is offered the deal's lead: %s", contact.Path)
	}
	refs, err := h.Store.ReferencesOf(t.Context(), heloc.AppID(strings.TrimPrefix(app, "/leads/")))
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
	wantCards(a, map[string]string{"51": shortIDAt(h, app), "51?type=deal": shortIDAt(h, app)})
}

// A record's id in a card's URL may be escaped as encodeURIComponent or as Go does.
func TestCRMCard_EscapedRecordIDs(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	for i, record := range []struct {
		id   string
		also []string // in addition to Go's own
	}{
		{"urn:lead:5", []string{"urn%3Alead%3A5", "urn:lead:5"}}, {"x@y", []string{"x%40y"}}, {"a+b", []string{"a%2Bb"}},
		{"a&b", []string{"a%26b"}}, {"(a)", []string{"(a)", "%28a%29"}}, {"it's", []string{"it's"}}, {"!*", []string{"!*"}},
		{"a;b", []string{"a;b", "a%3Bb"}}, {"a,b", []string{"a,b", "a%2Cb"}},
		{"a%20b", []string{"a%2520b"}}, {"a b", []string{"a%20b"}}, {"a/b", []string{"a%2Fb"}}, {"ä?", []string{"%C3%A4%3F"}},
		{"{1}", []string{"%7B1%7D"}},
	} {
		name := "Rivera" + string(rune('a'+i))
		app := a.OpenFrame(webtest.LaunchFor(record.id)).StartLead(name)
		for _, escaped := range append(record.also, url.PathEscape(record.id)) {
			if got := getCard(a, "/api/embed/acme/records/"+escaped); !strings.Contains(got.Body, `"`+shortIDAt(h, app)+`"`) {
				t.Errorf("%s as %s: got %d %s", record.id, escaped, got.Status, got.Body)
			}
		}
	}
	// A signature for one spelling is not valid for another.
	raw, err := samplecrm.Token(a.Key, webtest.CRMOrigin, "http://localhost/api/embed/acme/records/urn:lead:5",
		webtest.LaunchFor(""))
	if err != nil {
		t.Fatal(err)
	}
	if got := h.NewBrowser().Get("/api/embed/acme/records/urn%3Alead%3A5", "Authorization",
		"Bearer "+raw); got.Status != http.StatusForbidden {
		t.Errorf("another URL than the signed one: got %d", got.Status)
	}
	if got := h.NewBrowser().Get("/api/embed/acme/records/urn:lead:5", "Authorization",
		"bearer "+raw); got.Status != http.StatusOK {
		t.Errorf("a scheme in lowercase: got %d %s", got.Status, got.Body)
	}
}
