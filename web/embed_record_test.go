package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/samplecrm"
)

// filledIntake returns the intake of the frame's record, completed with everything that the CRM does not provide.
func (f *embedFrame) filledIntake(lastName string) postedForm {
	f.h.t.Helper()
	form := f.get("/leads/new").form(`form#intake`)
	for name, values := range f.h.signInAs("olivia").intakeForm(lastName).values {
		if form.values.Get(name) == "" && name != "draft" && name != "operation" {
			form.values[name] = values
		}
	}
	return form.with("frame.seen", "true", "applicant.name.lastName", lastName)
}

// startLead sends it and returns the lead's path inside the frame.
func (f *embedFrame) startLead(lastName string) string {
	f.h.t.Helper()
	sent := f.send(f.filledIntake(lastName))
	if !strings.HasPrefix(sent.path, f.base+"/leads/") {
		f.h.t.Fatalf("the start led to %s (%d): %s", sent.path, sent.status, sent.text())
	}
	return strings.TrimPrefix(sent.path, f.base)
}

// autosave saves the intake's values as the page's script does.
func (f *embedFrame) autosave(form postedForm) {
	f.h.t.Helper()
	form.action = f.base + "/drafts/" + form.values.Get("draft")
	if got := f.send(form, "HX-Request", "true", "Sec-Fetch-Mode", "same-origin", "Sec-Fetch-Dest", "empty"); got.status != http.StatusOK {
		f.h.t.Fatalf("the draft was not saved: %d %s", got.status, got.text())
	}
}

// asUser returns the same launch by another user.
func asUser(first string, o samplecrm.LaunchClaims) samplecrm.LaunchClaims {
	o.Subject, o.Name, o.Email = "u-"+first, first, first+"@summit.test"
	return o
}

// connectUserAs connects a user's CRM sign-in.
func (a *crmFixture) connectUserAs(first string) {
	a.h.t.Helper()
	page := a.postLaunch(a.h.newBrowser(), asUser(first, launchFor("0")))
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	v := a.h.signInAs(first)
	f := v.get(outside).form("#connecting").with("match", strings.TrimSpace(page.Find(".letters").Text()))
	if got := v.send(f); got.status != http.StatusOK {
		a.h.t.Fatalf("connecting: got %d: %s", got.status, got.text())
	}
}

func TestEmbedRecord_ResumesDraft(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	form := a.openFrame(launchFor("51")).get("/").form("form#intake")
	first := form.values.Get("draft")
	f := a.openFrame(launchFor("51"))
	f.autosave(form.with("applicant.phone", "(208) 555-0142", "applicant.name.firstName", "", "applicant.name.lastName", "Rivera-Liens"))

	// Another launch of the record has new values: existing values remain, missing ones are filled in.
	later := launchFor("51")
	later.Prefill = map[string]string{"applicant.name.firstName": "Elena", "applicant.name.lastName": "Rivera", "applicant.phone": "208-555-0142", "amountWanted": "60,000", "applicant.dob": "1979-05-14"}
	f = a.openFrame(later)
	page := f.get("/")
	resumed := page.form("form#intake").values
	for name, want := range map[string]string{
		"draft": first, "applicant.name.lastName": "Rivera-Liens", "applicant.name.firstName": "Elena", "applicant.phone": "(208) 555-0142", "amountWanted": "60,000", "applicant.dob": "05/14/1979",
	} {
		if got := resumed.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	text := strings.Join(strings.Fields(page.Find("#resumed").Text()), " ")
	if !strings.Contains(text, "Rivera in CRM acme, Rivera-Liens here") || strings.Contains(text, "Phone") || page.Find("#resumed li").Length() != 1 {
		t.Errorf("the differences: got %q", text)
	}
	// Other records and other CRMs have separate drafts.
	if got := a.openFrame(launchFor("52")).get("/").form("form#intake").values.Get("draft"); got == first {
		t.Error("another record resumes this record's draft")
	}
	if got := h.openFrameAt("sf", "olivia", "51").get("/").form("form#intake").values.Get("draft"); got == first {
		t.Error("another CRM's record with the same number resumes this draft")
	}
	// After the start the record opens its lead.
	app := f.startLead("Rivera")
	if got := a.openFrame(launchFor("51")).get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("after the start it opens %s, want %s", got.path, app)
	}
}

// A draft that was begun beside a record and sent from the full desk still belongs to the record.
func TestEmbedRecord_DraftSentInFullDesk_LinksLead(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	f := a.openFrame(launchFor("51"))
	form := f.filledIntake("Rivera")
	f.autosave(form)
	olivia := h.signInAs("olivia")
	outside := olivia.get("/leads/new?draft="+form.values.Get("draft")).form("form#intake").with("consent.attested", "true", "consent.method", "recorded-call")
	sent := olivia.send(outside)
	if !strings.HasPrefix(sent.path, "/leads/") {
		t.Fatalf("the start led to %s: %s", sent.path, sent.text())
	}
	if got := f.get("/"); got.path != f.base+sent.path {
		t.Errorf("the record opens %s, want %s", got.path, sent.path)
	}
}

// A start without a response is not entered again: its record opens the receipt.
func TestEmbedRecord_UnknownStart_OpensReceipt(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	f := a.openFrame(launchFor("51"))
	sent := f.send(f.filledIntake("Rivera-Lost"))
	if !strings.HasPrefix(sent.path, f.base+"/operations/") {
		t.Fatalf("a lost response led to %s (%d): %s", sent.path, sent.status, sent.text())
	}
	again := a.openFrame(launchFor("51"))
	if got, want := again.get("/").path, again.base+strings.TrimPrefix(sent.path, f.base); got != want {
		t.Errorf("the record opens %s, want %s", got, want)
	}
}

func TestEmbedRecord_OwnedByColleague_HidesLead(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.connectUserAs("marcus")
	a.connectUserAs("maya")
	a.attest()
	hers := a.openFrame(launchFor("51"))
	form := hers.filledIntake("Quackenbush")
	hers.autosave(form)
	his := a.openFrame(asUser("marcus", launchFor("51")))
	page := his.get("/")
	if got := page.form("form#intake").values.Get("draft"); got == form.values.Get("draft") || strings.Contains(page.body, "Quackenbush") {
		t.Error("he sees her draft")
	}
	page.wantText("A colleague started an inquiry for this record")
	if got := his.get("/leads/new?draft=" + form.values.Get("draft")); got.status != http.StatusNotFound {
		t.Errorf("her draft by its number: got %d", got.status)
	}
	app := hers.startLead("Quackenbush")
	text := his.get("/")
	text.wantText("An inquiry for this record is with Olivia Bennett", h.leadRow(heloc.AppID(strings.TrimPrefix(app, "/leads/"))).ShortID)
	another, _ := text.Find(`#with a[href$="/leads/new"]`).Attr("href")
	page = his.get(strings.TrimPrefix(another, his.base))
	page.wantText("A colleague has this record’s inquiry")
	if strings.Contains(page.body+text.body, "Quackenbush") || his.get(app).status != http.StatusNotFound {
		t.Error("he sees her lead")
	}
	if got := a.openFrame(asUser("maya", launchFor("51"))).get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("their manager: got %s, want the lead", got.path)
	}
}

// TestEmbedRecord_LeadReassigned_WarnsBeforeSecondStart opens the user's own record again the next day.
func TestEmbedRecord_LeadReassigned_WarnsBeforeSecondStart(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	app := a.openFrame(launchFor("51")).startLead("Quackenbush")
	olivia := h.signInAs("olivia")
	if got := olivia.send(olivia.reassignForm(app, "marcus")); got.status != http.StatusOK {
		t.Fatalf("the reassignment: got %d: %s", got.status, got.text())
	}
	page := a.openFrame(launchFor("51")).get("/")
	page.wantText("An inquiry for this record was reassigned to Marcus", "Start a new inquiry")
	if strings.Contains(page.body, "Quackenbush") {
		t.Error("it shows borrower data")
	}
	if got := a.openFrame(launchFor("52")).get("/"); !strings.HasSuffix(got.path, "/leads/new") {
		t.Errorf("another record opens %s", got.path)
	}
	// A user vouched for only by the CRM does not see who has the lead.
	if err := h.embedService.RevokeAttestation(t.Context(), access.Operator(), "acme"); err != nil {
		t.Fatal(err)
	}
	masked := a.openFrame(launchFor("51")).get("/")
	masked.wantText("Confirm it’s you", "An inquiry for this record was reassigned to a colleague.")
}

func TestEmbedRecord_SameNumberInTwoCRMs_Separate(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	app := a.openFrame(launchFor("51")).startLead("Rivera")
	other := h.openFrameAt("sf", "olivia", "51")
	page := other.get("/")
	if !strings.HasSuffix(page.path, "/leads/new") {
		t.Fatalf("the other CRM's record opens %s, want its own intake", page.path)
	}
	// The lead is offered because it has the same number, and is linked only when the user presses the button.
	take := postedForm{action: other.base + "/record", values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}}
	if got, _ := page.Find(`#elsewhere button[formaction]`).Attr("value"); got != take.values.Get("record.lead") {
		t.Errorf("the offer: got %q, want the lead", got)
	}
	wrong := h.openFrameAt("sf", "olivia", "52")
	if got := wrong.send(postedForm{action: wrong.base + "/record", values: take.values}); got.status != http.StatusNotFound {
		t.Errorf("a record with another number linked it: got %d", got.status)
	}
	if got := other.send(take); !strings.HasSuffix(got.path, app) {
		t.Fatalf("linking it led to %s (%d): %s", got.path, got.status, got.text())
	}
	who := h.people["olivia"].UserID
	h.wantAudited(who + " embed.take-lead lead:" + strings.TrimPrefix(app, "/leads/") + " done")
	if got := other.get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("afterwards it opens %s", got.path)
	}
}

func TestEmbedRecord_LeadStartedOutside_OfferedOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.connectUserAs("marcus")
	a.attest()
	app := h.signInAs("olivia").startLead("Rivera", "partnerDataRequest.externalReferenceId", "51")
	f := a.openFrame(launchFor("51"))
	page := f.get("/")
	if !strings.HasSuffix(page.path, "/leads/new") || page.Find("#elsewhere").Length() != 1 {
		t.Fatalf("got %s: %s", page.path, page.Find("#elsewhere").Text())
	}
	if got := a.openFrame(asUser("marcus", launchFor("51"))).get("/"); got.Find("#elsewhere").Length() != 0 {
		t.Error("the page offers it to a colleague")
	}
	his := a.openFrame(asUser("marcus", launchFor("51")))
	if got := his.send(postedForm{action: his.base + "/record", values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}}); got.status != http.StatusNotFound {
		t.Errorf("a colleague links it: got %d", got.status)
	}
	// An inquiry that corrects the record's lead is linked to the record, too.
	f.send(postedForm{action: f.base + "/record", values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}})
	if got := f.get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("afterwards it opens %s", got.path)
	}
}
