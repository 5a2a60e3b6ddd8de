package intake_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestClone_NotElevated_RequiresStepUp: a clone is filled with what was sent, which reveals the borrower. A user
// without a recent step-up is asked first, even the lead's own originator, and then continues.
func TestClone_NotElevated_RequiresStepUp(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	v, key, _ := h.Enroll("olivia", clock)
	path := v.StartLead("Rivera-None")
	page := v.WaitFor(path, `form[action$="/clone"]`)
	for range 3 {
		clock.Advance(25 * time.Minute)
		v.Get(path)
	}
	asked := v.Send(page.Form(`form[action$="/clone"]`))
	if asked.Path != "/account/confirm" {
		t.Fatalf("got %d at %s, want a step-up", asked.Status, asked.Path)
	}
	scope := store.UserScopeOf(h.People["olivia"].Actor)
	if n, err := h.Store.CountTransferableDrafts(t.Context(), scope); n != 0 || err != nil {
		t.Errorf("got %d drafts (%v) before the step-up, want none", n, err)
	}
	got := v.Send(asked.Form("form#proof").With("proof.code", webtest.TOTPCode(t, key, clock.Now())))
	if got.Path != "/leads/new" || got.Form("form#intake").Values.Get("applicant.dob") != "05/17/1979" {
		t.Errorf("confirmed: got %d at %s, want the completed intake", got.Status, got.Path)
	}
}

// TestClone_LogsReveal: a clone is logged as one reveal, with the user who made it.
func TestClone_LogsReveal(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, ada := h.SignInAs("olivia"), h.SignInAs("ada")
	path := olivia.StartLead("Rivera-None")
	page := ada.WaitFor(path, `form[action$="/clone"]`)
	for range 2 { // the second POST leads to the same draft
		ada.Send(page.Form(`form[action$="/clone"]`)).WantText("Copied from")
	}
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	reveals, err := h.Store.Reveals(t.Context(), app, 9)
	h.Must(err)
	if len(reveals) != 1 || reveals[0].UserID != "user-ada" || reveals[0].Reason != "restart" ||
		reveals[0].Fields != "phone, email, birth date, income" {
		t.Errorf("got %+v, want one reveal by ada with the fields that she saw", reveals)
	}
	h.WantAudited("user-ada borrower.reveal lead:" + string(app) + " opened")
	h.WantAudited("user-ada lead.clone lead:" + string(app) + " done")
	olivia.Get(path+"/activity").WantText("Ada Assist", "To copy to a new inquiry")
}

// TestClone_RevealLimitReached_Rejected: the limit of reveals also applies to clones.
func TestClone_RevealLimitReached_Rejected(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, ada := h.SignInAs("olivia"), h.SignInAs("ada")
	path := olivia.StartLead("Rivera-None")
	page := ada.WaitFor(path, `form[action$="/clone"]`)
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for n := range 60 {
			id := "look-" + string(rune('A'+n))
			if err := tx.AddReveal(t.Context(), lead.Reveal{ID: id, App: app, UserID: "user-ada", UserName: "Ada",
				Fields: "phone", Reason: "contact", At: store.Millis(time.Now())}); err != nil {
				return err
			}
		}
		return nil
	}))
	got := ada.Send(page.Form(`form[action$="/clone"]`))
	if got.Status != http.StatusServiceUnavailable && got.Status != http.StatusTooManyRequests {
		t.Errorf("the 61st: got %d at %s, want 429", got.Status, got.Path)
	}
	got.WantNoText(webtest.BorrowerSecrets)
	if n := ada.Get("/drafts").Find("tbody tr").Length(); n != 0 {
		t.Errorf("got %d drafts, want none", n)
	}
}
