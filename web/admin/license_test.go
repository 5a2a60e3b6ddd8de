package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/web/webtest"
)

// TestLicenses_FromLenderAndByHand_Enforced: the lender's first details name a license. Before that, and for other
// states, the page shows that none is known. A manual "no" blocks starts.
func TestLicenses_FromLenderAndByHand_Enforced(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, marcus, admin := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("admin")
	search := func(v *webtest.Browser, state string) string {
		return strings.Join(strings.Fields(v.Get("/leads/new/license?property.address.state="+state).Text()), " ")
	}
	if got := search(olivia, "ID"); !strings.Contains(got,
		"No license on file for you in Idaho. Check with your manager") {
		t.Errorf("before anything is known: %q", got)
	}
	if got := search(olivia, ""); got != "" {
		t.Errorf("without a state: %q", got)
	}
	path := olivia.StartLead("Rivera") // an unknown license blocks nothing
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	if got := search(olivia, "ID"); got != "Idaho: You’re licensed." {
		t.Errorf("after the lender named the license: %q", got)
	}
	if got := search(marcus, "ID"); !strings.Contains(got,
		"No license on file for you in Idaho. Licensed: Olivia Bennett") {
		t.Errorf("another company's license: got %q", got)
	}
	admin.Get("/admin/licenses").WantText("Olivia Bennett", "Idaho", "the lender")
	form := admin.Get("/admin/licenses").Form(`form[action="/admin/licenses"]`)
	if got := admin.Send(form.With("state", "ID")); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("no license holder: got %d, want 422", got.Status)
	}
	if got := admin.Send(form.With("holder", h.People["olivia"].OriginatorUUID, "state", "ID",
		"may", "zzz")); got.Status != http.StatusUnprocessableEntity || got.Find("#may[aria-invalid]").Length() != 1 {
		t.Errorf("an invalid answer: got %d, want 422 beside the field", got.Status)
	}
	for _, who := range []string{"marcus", "olivia"} {
		admin.Send(form.With("holder", h.People[who].OriginatorUUID, "state", "ID", "may", "false")).
			WantText("Entered in Hearthline")
	}
	h.WantAudited("user-admin license.set license:" + h.People["marcus"].OriginatorUUID + " done")
	got := marcus.Send(marcus.IntakeForm("Nowak", "applicant.ssn", "123-45-6789"))
	if got.Status != http.StatusUnprocessableEntity || len(h.Inquiries("Nowak")) != 0 {
		t.Errorf("a start without a license: got %d, %d inquiries, want 422 and none", got.Status, len(h.Inquiries("Nowak")))
	}
	got.WantText("You aren’t licensed in this state", "You aren’t licensed in Idaho.")
	app := strings.TrimPrefix(path, "/leads/")
	refused := olivia.Send(olivia.ReassignForm(path, "marcus"))
	if refused.Status != http.StatusUnprocessableEntity || !strings.Contains(refused.Body, "licensed in the property") {
		t.Errorf("reassigned to an originator without a license: got %d: %s", refused.Status, refused.MainText())
	}
	// A later answer from the lender does not undo a manual entry.
	if err := h.LenderSync.Refresh(t.Context(), heloc.AppID(app)); err != nil {
		t.Fatal(err)
	}
	if licenses, err := h.Store.LicensesOf(t.Context(), h.People["olivia"].OriginatorUUID); err != nil ||
		len(licenses) != 1 || licenses[0].Allowed {
		t.Errorf("got %+v, %v, want the manual \"no\"", licenses, err)
	}
	admin.Send(form.With("holder", h.People["olivia"].OriginatorUUID, "state", "ID", "may", "forget"))
	if licenses, _ := h.Store.LicensesOf(t.Context(), h.People["olivia"].OriginatorUUID); len(licenses) != 0 {
		t.Errorf("after the reset: got %+v", licenses)
	}
}

func TestTextsPage_ShowsConsentVersions(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	h.SignInAs("olivia").StartLead("Rivera")
	if err := h.Store.SaveConsentText(t.Context(), webtest.ConsentVersion, "Do you agree?"); err != nil {
		t.Fatal(err)
	}
	if err := h.Store.SaveConsentText(t.Context(), webtest.ConsentVersion, "Do you agree?"); err != nil {
		t.Errorf("the same text again: %v", err)
	}
	if err := h.Store.SaveConsentText(t.Context(), webtest.ConsentVersion, "Do you not?"); err == nil {
		t.Error("another text was accepted under a used version")
	}
	texts, err := h.Store.ConsentTexts(t.Context())
	if err != nil || len(texts) != 1 || texts[0] != (lead.ConsentText{Version: webtest.ConsentVersion,
		Text: "Do you agree?", SinceAt: texts[0].SinceAt, Consents: 1}) {
		t.Errorf("got %+v, %v", texts, err)
	}
	h.SignInAs("admin").Get("/admin/texts").WantText(webtest.ConsentVersion, "Do you agree?")
}
