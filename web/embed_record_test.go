package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/crm"
	"hearthline/internal/heloc"
)

// filled is the intake of the frame's record with everything that the CRM does not know.
func (f *frame) filled(lastName string) postedForm {
	f.h.t.Helper()
	form := f.get("/leads/new").form(`form#intake`)
	for name, values := range f.h.visit("olivia").rivera(lastName).values {
		if form.values.Get(name) == "" && name != "draft" && name != "operation" {
			form.values[name] = values
		}
	}
	return form.with("frame.seen", "true", "applicant.name.lastName", lastName)
}

// starts sends it and answers the lead's address inside the frame.
func (f *frame) starts(lastName string) string {
	f.h.t.Helper()
	sent := f.send(f.filled(lastName))
	if !strings.HasPrefix(sent.path, f.base+"/leads/") {
		f.h.t.Fatalf("the start led to %s (%d): %s", sent.path, sent.status, sent.text())
	}
	return strings.TrimPrefix(sent.path, f.base)
}

// autosaves keeps what stands in the intake, as the page's script does.
func (f *frame) autosaves(form postedForm) {
	f.h.t.Helper()
	form.action = f.base + "/drafts/" + form.values.Get("draft")
	if got := f.send(form, "HX-Request", "true", "Sec-Fetch-Mode", "same-origin", "Sec-Fetch-Dest", "empty"); got.status != http.StatusOK {
		f.h.t.Fatalf("the draft was not kept: %d %s", got.status, got.text())
	}
}

// of is somebody else's opening of the same record.
func of(first string, o crm.Opening) crm.Opening {
	o.Subject, o.Name, o.Email = "u-"+first, first, first+"@summit.test"
	return o
}

// connectsAs makes a log-in of the CRM somebody's.
func (a *acme) connectsAs(first string) {
	a.h.t.Helper()
	page := a.posts(a.h.stranger(), of(first, opening("0")))
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	v := a.h.visit(first)
	f := v.get(outside).form("#connecting").with("match", strings.TrimSpace(page.Find(".letters").Text()))
	if got := v.send(f); got.status != http.StatusOK {
		a.h.t.Fatalf("connecting: got %d: %s", got.status, got.text())
	}
}

func TestARecordGoesOnWithItsDraft(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	form := a.enters(opening("51")).get("/").form("form#intake")
	first := form.values.Get("draft")
	f := a.enters(opening("51"))
	f.autosaves(form.with("applicant.phone", "(208) 555-0142", "applicant.name.firstName", "", "applicant.name.lastName", "Rivera-Liens"))

	// Another launch of the record, with news: what stands is kept, what lacks is filled in.
	later := opening("51")
	later.Prefill = map[string]string{"applicant.name.firstName": "Elena", "applicant.name.lastName": "Rivera", "applicant.phone": "208-555-0142", "amountWanted": "60,000"}
	f = a.enters(later)
	page := f.get("/")
	resumed := page.form("form#intake").values
	for name, want := range map[string]string{
		"draft": first, "applicant.name.lastName": "Rivera-Liens", "applicant.name.firstName": "Elena", "applicant.phone": "(208) 555-0142", "amountWanted": "60,000",
	} {
		if got := resumed.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	said := strings.Join(strings.Fields(page.Find("#resumed").Text()), " ")
	if !strings.Contains(said, "Rivera in CRM acme, Rivera-Liens here") || strings.Contains(said, "Phone") || page.Find("#resumed li").Length() != 1 {
		t.Errorf("what differs: got %q", said)
	}
	// Other records and other CRMs have drafts of their own.
	if got := a.enters(opening("52")).get("/").form("form#intake").values.Get("draft"); got == first {
		t.Error("another record goes on with the draft of this one")
	}
	if got := h.framedAt("sf", "olivia", "51").get("/").form("form#intake").values.Get("draft"); got == first {
		t.Error("another CRM's record of the same number goes on with this draft")
	}
	// After the start the record opens its lead.
	app := f.starts("Rivera")
	if got := a.enters(opening("51")).get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("after the start it opens %s, want %s", got.path, app)
	}
}

// A draft begun beside a record and sent from the full desk is the record's all the same.
func TestADraftIsTheRecordsWhereverItIsSent(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	f := a.enters(opening("51"))
	form := f.filled("Rivera")
	f.autosaves(form)
	olivia := h.visit("olivia")
	outside := olivia.get("/leads/new?draft="+form.values.Get("draft")).form("form#intake").with("consent.attested", "true", "consent.method", "recorded-call")
	sent := olivia.send(outside)
	if !strings.HasPrefix(sent.path, "/leads/") {
		t.Fatalf("the start led to %s: %s", sent.path, sent.text())
	}
	if got := f.get("/"); got.path != f.base+sent.path {
		t.Errorf("the record opens %s, want %s", got.path, sent.path)
	}
}

// A start whose answer was lost is not typed again: its record opens the receipt.
func TestARecordWhoseStartIsNotKnownOpensItsReceipt(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	f := a.enters(opening("51"))
	sent := f.send(f.filled("Rivera-Lost"))
	if !strings.HasPrefix(sent.path, f.base+"/operations/") {
		t.Fatalf("a lost answer led to %s (%d): %s", sent.path, sent.status, sent.text())
	}
	again := a.enters(opening("51"))
	if got, want := again.get("/").path, again.base+strings.TrimPrefix(sent.path, f.base); got != want {
		t.Errorf("the record opens %s, want %s", got, want)
	}
}

func TestAColleaguesRecordIsSaidAndNotShown(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.connectsAs("marcus")
	a.connectsAs("maya")
	a.attest()
	hers := a.enters(opening("51"))
	form := hers.filled("Quackenbush")
	hers.autosaves(form)
	his := a.enters(of("marcus", opening("51")))
	page := his.get("/")
	if got := page.form("form#intake").values.Get("draft"); got == form.values.Get("draft") || strings.Contains(page.body, "Quackenbush") {
		t.Error("he sees her draft")
	}
	page.says("A colleague has begun an inquiry for this record")
	if got := his.get("/leads/new?draft=" + form.values.Get("draft")); got.status != http.StatusNotFound {
		t.Errorf("her draft by its number: got %d", got.status)
	}
	app := hers.starts("Quackenbush")
	said := his.get("/")
	said.says("An inquiry for this record is with Olivia Bennett", h.row(heloc.AppID(strings.TrimPrefix(app, "/leads/"))).ShortID)
	another, _ := said.Find(`#with a[href$="/leads/new"]`).Attr("href")
	page = his.get(strings.TrimPrefix(another, his.base))
	page.says("A colleague works the inquiry of this record")
	if strings.Contains(page.body+said.body, "Quackenbush") || his.get(app).status != http.StatusNotFound {
		t.Error("he sees her lead")
	}
	if got := a.enters(of("maya", opening("51"))).get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("their manager: got %s, want the lead", got.path)
	}
}

// TestARecordThatWasHandedOverIsNotBegunTwice comes back to one's own record the day after.
func TestARecordThatWasHandedOverIsNotBegunTwice(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	app := a.enters(opening("51")).starts("Quackenbush")
	olivia := h.visit("olivia")
	if got := olivia.send(olivia.handing(app, "marcus")); got.status != http.StatusOK {
		t.Fatalf("the hand-over: got %d: %s", got.status, got.text())
	}
	page := a.enters(opening("51")).get("/")
	page.says("An inquiry for this record was handed to Marcus", "Start another anyway")
	if strings.Contains(page.body, "Quackenbush") {
		t.Error("it tells of the borrower")
	}
	if got := a.enters(opening("52")).get("/"); !strings.HasSuffix(got.path, "/leads/new") {
		t.Errorf("another record opens %s", got.path)
	}
	// A CRM's word alone does not say who has it.
	if err := h.embeds.Unattest(t.Context(), access.Operator(), "acme"); err != nil {
		t.Fatal(err)
	}
	masked := a.enters(opening("51")).get("/")
	masked.says("Confirm it is you", "An inquiry for this record was handed to a colleague.")
}

func TestTwoCRMsMayCountAlike(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	app := a.enters(opening("51")).starts("Rivera")
	other := h.framedAt("sf", "olivia", "51")
	page := other.get("/")
	if !strings.HasSuffix(page.path, "/leads/new") {
		t.Fatalf("the other CRM's record opens %s, want an intake of its own", page.path)
	}
	// It is offered, because it carries the number, and taken only by a press.
	take := postedForm{action: other.base + "/record", values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}}
	if got, _ := page.Find(`#elsewhere button[formaction]`).Attr("value"); got != take.values.Get("record.lead") {
		t.Errorf("the offer: got %q, want the lead", got)
	}
	wrong := h.framedAt("sf", "olivia", "52")
	if got := wrong.send(postedForm{action: wrong.base + "/record", values: take.values}); got.status != http.StatusNotFound {
		t.Errorf("a record of another number took it: got %d", got.status)
	}
	if got := other.send(take); !strings.HasSuffix(got.path, app) {
		t.Fatalf("taking it led to %s (%d): %s", got.path, got.status, got.text())
	}
	who := h.people["olivia"].UserID
	h.wroteDown(who + " embed.take-lead lead:" + strings.TrimPrefix(app, "/leads/") + " done")
	if got := other.get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("afterwards it opens %s", got.path)
	}
}

func TestALeadStartedOutsideIsOfferedAndNotTaken(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.connectsAs("marcus")
	a.attest()
	app := h.visit("olivia").start("Rivera", "partnerDataRequest.externalReferenceId", "51")
	f := a.enters(opening("51"))
	page := f.get("/")
	if !strings.HasSuffix(page.path, "/leads/new") || page.Find("#elsewhere").Length() != 1 {
		t.Fatalf("got %s: %s", page.path, page.Find("#elsewhere").Text())
	}
	if got := a.enters(of("marcus", opening("51"))).get("/"); got.Find("#elsewhere").Length() != 0 {
		t.Error("a colleague is offered it")
	}
	his := a.enters(of("marcus", opening("51")))
	if got := his.send(postedForm{action: his.base + "/record", values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}}); got.status != http.StatusNotFound {
		t.Errorf("a colleague takes it: got %d", got.status)
	}
	// An inquiry that corrects the record's lead is the record's, too.
	f.send(postedForm{action: f.base + "/record", values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}})
	if got := f.get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("afterwards it opens %s", got.path)
	}
}
