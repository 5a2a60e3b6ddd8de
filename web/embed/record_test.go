package embed_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/samplecrm"
	"hearthline/web/webtest"
)

// autosave saves the intake's values as the page's script does.
func autosave(f *webtest.Frame, form webtest.Form) {
	f.H.T.Helper()
	form.Action = f.Base + "/drafts/" + form.Values.Get("draft")
	if got := f.Send(form, "HX-Request", "true", "Sec-Fetch-Mode", "same-origin",
		"Sec-Fetch-Dest", "empty"); got.Status != http.StatusOK {
		f.H.T.Fatalf("the draft was not saved: %d %s", got.Status, got.MainText())
	}
}

// asUser returns the same launch by another user.
func asUser(first string, o samplecrm.LaunchClaims) samplecrm.LaunchClaims {
	o.Subject, o.Name, o.Email = "u-"+first, first, first+"@summit.test"
	return o
}

// connectUserAs connects a user's CRM sign-in.
func connectUserAs(a *webtest.CRM, first string) {
	a.H.T.Helper()
	page := a.PostLaunch(a.H.NewBrowser(), asUser(first, webtest.LaunchFor("0")))
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	v := a.H.SignInAs(first)
	f := v.Get(outside).Form("#connecting").With("match", strings.TrimSpace(page.Find(".letters").Text()))
	if got := v.Send(f); got.Status != http.StatusOK {
		a.H.T.Fatalf("connecting: got %d: %s", got.Status, got.MainText())
	}
}

func TestEmbedRecord_ResumesDraft(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	form := a.OpenFrame(webtest.LaunchFor("51")).Get("/").Form("form#intake")
	first := form.Values.Get("draft")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	autosave(f, form.With("applicant.phone", "(208) 555-0142", "applicant.name.firstName", "",
		"applicant.name.lastName", "Rivera-Liens"))

	// Another launch of the record has new values: existing values remain, missing ones are filled in.
	later := webtest.LaunchFor("51")
	later.Prefill = map[string]string{"applicant.name.firstName": "Elena", "applicant.name.lastName": "Rivera",
		"applicant.phone": "208-555-0142", "amountWanted": "60,000", "applicant.dob": "1979-05-14"}
	f = a.OpenFrame(later)
	page := f.Get("/")
	resumed := page.Form("form#intake").Values
	for name, want := range map[string]string{
		"draft": first, "applicant.name.lastName": "Rivera-Liens", "applicant.name.firstName": "Elena",
		"applicant.phone": "(208) 555-0142", "amountWanted": "60,000", "applicant.dob": "05/14/1979",
	} {
		if got := resumed.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	text := strings.Join(strings.Fields(page.Find("#resumed").Text()), " ")
	if !strings.Contains(text, "Rivera in CRM acme, Rivera-Liens here") || strings.Contains(text, "Phone") ||
		page.Find("#resumed li").Length() != 1 {
		t.Errorf("the differences: got %q", text)
	}
	// Other records and other CRMs have separate drafts.
	if got := a.OpenFrame(webtest.LaunchFor("52")).Get("/").Form("form#intake").Values.Get("draft"); got == first {
		t.Error("another record resumes this record's draft")
	}
	if got := h.OpenFrameAt("sf", "olivia", "51").Get("/").Form("form#intake").Values.Get("draft"); got == first {
		t.Error("another CRM's record with the same number resumes this draft")
	}
	// After the start the record opens its lead.
	app := f.StartLead("Rivera")
	if got := a.OpenFrame(webtest.LaunchFor("51")).Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Errorf("after the start it opens %s, want %s", got.Path, app)
	}
}

// A draft that was begun beside a record and sent from the full desk still belongs to the record.
func TestEmbedRecord_DraftSentInFullDesk_LinksLead(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	form := f.FilledIntake("Rivera")
	autosave(f, form)
	olivia := h.SignInAs("olivia")
	outside := olivia.Get("/leads/new?draft="+form.Values.Get("draft")).Form("form#intake").
		With("consent.attested", "true", "consent.method", "recorded-call")
	sent := olivia.Send(outside)
	if !strings.HasPrefix(sent.Path, "/leads/") {
		t.Fatalf("the start led to %s: %s", sent.Path, sent.MainText())
	}
	if got := f.Get("/"); got.Path != f.Base+sent.Path {
		t.Errorf("the record opens %s, want %s", got.Path, sent.Path)
	}
}

// A start without a response is not entered again: its record opens the receipt.
func TestEmbedRecord_UnknownStart_OpensReceipt(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	sent := f.Send(f.FilledIntake("Rivera-Lost"))
	if !strings.HasPrefix(sent.Path, f.Base+"/operations/") {
		t.Fatalf("a lost response led to %s (%d): %s", sent.Path, sent.Status, sent.MainText())
	}
	again := a.OpenFrame(webtest.LaunchFor("51"))
	if got, want := again.Get("/").Path, again.Base+strings.TrimPrefix(sent.Path, f.Base); got != want {
		t.Errorf("the record opens %s, want %s", got, want)
	}
}

func TestEmbedRecord_OwnedByColleague_HidesLead(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	connectUserAs(a, "marcus")
	connectUserAs(a, "maya")
	a.Attest()
	hers := a.OpenFrame(webtest.LaunchFor("51"))
	form := hers.FilledIntake("Quackenbush")
	autosave(hers, form)
	his := a.OpenFrame(asUser("marcus", webtest.LaunchFor("51")))
	page := his.Get("/")
	if got := page.Form("form#intake").Values.Get("draft"); got == form.Values.Get("draft") ||
		strings.Contains(page.Body, "Quackenbush") {
		t.Error("he sees her draft")
	}
	page.WantText("A colleague started an inquiry for this record")
	if got := his.Get("/leads/new?draft=" + form.Values.Get("draft")); got.Status != http.StatusNotFound {
		t.Errorf("her draft by its number: got %d", got.Status)
	}
	app := hers.StartLead("Quackenbush")
	text := his.Get("/")
	text.WantText("An inquiry for this record is with Olivia Bennett",
		h.LeadRow(heloc.AppID(strings.TrimPrefix(app, "/leads/"))).ShortID)
	another, _ := text.Find(`#with a[href$="/leads/new"]`).Attr("href")
	page = his.Get(strings.TrimPrefix(another, his.Base))
	page.WantText("A colleague has this record’s inquiry")
	if strings.Contains(page.Body+text.Body, "Quackenbush") || his.Get(app).Status != http.StatusNotFound {
		t.Error("he sees her lead")
	}
	if got := a.OpenFrame(asUser("maya", webtest.LaunchFor("51"))).Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Errorf("their manager: got %s, want the lead", got.Path)
	}
}

// TestEmbedRecord_LeadReassigned_WarnsBeforeSecondStart opens the user's own record again the next day.
func TestEmbedRecord_LeadReassigned_WarnsBeforeSecondStart(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	app := a.OpenFrame(webtest.LaunchFor("51")).StartLead("Quackenbush")
	olivia := h.SignInAs("olivia")
	if got := olivia.Send(olivia.ReassignForm(app, "marcus")); got.Status != http.StatusOK {
		t.Fatalf("the reassignment: got %d: %s", got.Status, got.MainText())
	}
	page := a.OpenFrame(webtest.LaunchFor("51")).Get("/")
	page.WantText("An inquiry for this record was reassigned to Marcus", "Start a new inquiry")
	if strings.Contains(page.Body, "Quackenbush") {
		t.Error("it shows borrower data")
	}
	if got := a.OpenFrame(webtest.LaunchFor("52")).Get("/"); !strings.HasSuffix(got.Path, "/leads/new") {
		t.Errorf("another record opens %s", got.Path)
	}
	// A user vouched for only by the CRM does not see who has the lead.
	if err := h.EmbedService.RevokeAttestation(t.Context(), access.Operator(), "acme"); err != nil {
		t.Fatal(err)
	}
	masked := a.OpenFrame(webtest.LaunchFor("51")).Get("/")
	masked.WantText("Confirm it’s you", "An inquiry for this record was reassigned to a colleague.")
}

func TestEmbedRecord_SameNumberInTwoCRMs_Separate(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	app := a.OpenFrame(webtest.LaunchFor("51")).StartLead("Rivera")
	other := h.OpenFrameAt("sf", "olivia", "51")
	page := other.Get("/")
	if !strings.HasSuffix(page.Path, "/leads/new") {
		t.Fatalf("the other CRM's record opens %s, want its own intake", page.Path)
	}
	// The lead is offered because it has the same number, and is linked only when the user presses the button.
	take := webtest.Form{Action: other.Base + "/record",
		Values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}}
	if got, _ := page.Find(`#elsewhere button[formaction]`).Attr("value"); got != take.Values.Get("record.lead") {
		t.Errorf("the offer: got %q, want the lead", got)
	}
	wrong := h.OpenFrameAt("sf", "olivia", "52")
	if got := wrong.Send(webtest.Form{Action: wrong.Base + "/record",
		Values: take.Values}); got.Status != http.StatusNotFound {
		t.Errorf("a record with another number linked it: got %d", got.Status)
	}
	if got := other.Send(take); !strings.HasSuffix(got.Path, app) {
		t.Fatalf("linking it led to %s (%d): %s", got.Path, got.Status, got.MainText())
	}
	who := h.People["olivia"].UserID
	h.WantAudited(who + " embed.take-lead lead:" + strings.TrimPrefix(app, "/leads/") + " done")
	if got := other.Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Errorf("afterwards it opens %s", got.Path)
	}
}

func TestEmbedRecord_LeadStartedOutside_OfferedOnly(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	connectUserAs(a, "marcus")
	a.Attest()
	app := h.SignInAs("olivia").StartLead("Rivera", "partnerDataRequest.externalReferenceId", "51")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	page := f.Get("/")
	if !strings.HasSuffix(page.Path, "/leads/new") || page.Find("#elsewhere").Length() != 1 {
		t.Fatalf("got %s: %s", page.Path, page.Find("#elsewhere").Text())
	}
	if got := a.OpenFrame(asUser("marcus", webtest.LaunchFor("51"))).Get("/"); got.Find("#elsewhere").Length() != 0 {
		t.Error("the page offers it to a colleague")
	}
	his := a.OpenFrame(asUser("marcus", webtest.LaunchFor("51")))
	if got := his.Send(webtest.Form{Action: his.Base + "/record",
		Values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}}); got.Status != http.StatusNotFound {
		t.Errorf("a colleague links it: got %d", got.Status)
	}
	// An inquiry that corrects the record's lead is linked to the record, too.
	f.Send(webtest.Form{Action: f.Base + "/record",
		Values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}})
	if got := f.Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Errorf("afterwards it opens %s", got.Path)
	}
}
