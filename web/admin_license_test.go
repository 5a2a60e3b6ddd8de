package web

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TestLicenses_FromLenderAndByHand_Enforced: the lender's first details name a license. Before that, and for other
// states, the page shows that none is known. A manual "no" blocks starts.
func TestLicenses_FromLenderAndByHand_Enforced(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, marcus, admin := h.signInAs("olivia"), h.signInAs("marcus"), h.signInAs("admin")
	search := func(v *testBrowser, state string) string {
		return strings.Join(strings.Fields(v.get("/leads/new/licence?property.address.state="+state).Text()), " ")
	}
	if got := search(olivia, "ID"); !strings.Contains(got, "No license on file for you in Idaho. Check with your manager") {
		t.Errorf("before anything is known: %q", got)
	}
	if got := search(olivia, ""); got != "" {
		t.Errorf("without a state: %q", got)
	}
	path := olivia.startLead("Rivera") // an unknown license blocks nothing
	olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	if got := search(olivia, "ID"); got != "Idaho: You’re licensed." {
		t.Errorf("after the lender named the license: %q", got)
	}
	if got := search(marcus, "ID"); !strings.Contains(got, "No license on file for you in Idaho. Licensed: Olivia Bennett") {
		t.Errorf("another company's license: got %q", got)
	}
	admin.get("/admin/licences").wantText("Olivia Bennett", "Idaho", "the lender")
	form := admin.get("/admin/licences").form(`form[action="/admin/licences"]`)
	if got := admin.send(form.with("state", "ID")); got.status != http.StatusUnprocessableEntity {
		t.Errorf("no license holder: got %d, want 422", got.status)
	}
	if got := admin.send(form.with("holder", h.people["olivia"].OriginatorUUID, "state", "ID", "may", "zzz")); got.status != http.StatusUnprocessableEntity || got.Find("#may[aria-invalid]").Length() != 1 {
		t.Errorf("an invalid answer: got %d, want 422 beside the field", got.status)
	}
	for _, who := range []string{"marcus", "olivia"} {
		admin.send(form.with("holder", h.people[who].OriginatorUUID, "state", "ID", "may", "false")).wantText("Entered by an administrator")
	}
	h.wantAudited("user-admin licence.set licence:" + h.people["marcus"].OriginatorUUID + " done")
	got := marcus.send(marcus.intakeForm("Nowak", "applicant.ssn", "123-45-6789"))
	if got.status != http.StatusUnprocessableEntity || len(h.inquiries("Nowak")) != 0 {
		t.Errorf("a start without a license: got %d, %d inquiries, want 422 and none", got.status, len(h.inquiries("Nowak")))
	}
	got.wantText("You aren’t licensed in this state", "You aren’t licensed in Idaho.")
	app := strings.TrimPrefix(path, "/leads/")
	refused := olivia.send(olivia.reassignForm(path, "marcus"))
	if refused.status != http.StatusUnprocessableEntity || !strings.Contains(refused.body, "licensed in the property") {
		t.Errorf("reassigned to an originator without a license: got %d: %s", refused.status, refused.text())
	}
	// A later answer from the lender does not undo a manual entry.
	if err := h.lenderSync.Refresh(t.Context(), heloc.AppID(app)); err != nil {
		t.Fatal(err)
	}
	if licenses, err := h.store.LicensesOf(t.Context(), h.people["olivia"].OriginatorUUID); err != nil || len(licenses) != 1 || licenses[0].Allowed {
		t.Errorf("got %+v, %v, want the manual \"no\"", licenses, err)
	}
	admin.send(form.with("holder", h.people["olivia"].OriginatorUUID, "state", "ID", "may", "forget"))
	if licenses, _ := h.store.LicensesOf(t.Context(), h.people["olivia"].OriginatorUUID); len(licenses) != 0 {
		t.Errorf("after the reset: got %+v", licenses)
	}
}

func TestTextsPage_ShowsConsentVersions(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true})
	h.signInAs("olivia").startLead("Rivera")
	if err := h.store.SaveConsentText(t.Context(), consentVersion, "Do you agree?"); err != nil {
		t.Fatal(err)
	}
	if err := h.store.SaveConsentText(t.Context(), consentVersion, "Do you agree?"); err != nil {
		t.Errorf("the same text again: %v", err)
	}
	if err := h.store.SaveConsentText(t.Context(), consentVersion, "Do you not?"); err == nil {
		t.Error("another text was accepted under a used version")
	}
	texts, err := h.store.ConsentTexts(t.Context())
	if err != nil || len(texts) != 1 || texts[0] != (lead.ConsentText{Version: consentVersion, Text: "Do you agree?", SinceAt: texts[0].SinceAt, Consents: 1}) {
		t.Errorf("got %+v, %v", texts, err)
	}
	h.signInAs("admin").get("/admin/texts").wantText(consentVersion, "Do you agree?")
}
