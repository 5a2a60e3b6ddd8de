package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// TestClone_NotElevated_RequiresStepUp: a clone is filled with what was sent, which reveals the borrower. A user
// without a recent step-up is asked first, even the lead's own originator, and then continues.
func TestClone_NotElevated_RequiresStepUp(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	v, key, _ := h.enroll("olivia", clock)
	path := v.startLead("Rivera-None")
	page := v.waitFor(path, `form[action$="/clone"]`)
	for range 3 {
		clock.advance(25 * time.Minute)
		v.get(path)
	}
	asked := v.send(page.form(`form[action$="/clone"]`))
	if asked.path != "/account/confirm" {
		t.Fatalf("got %d at %s, want a step-up", asked.status, asked.path)
	}
	scope := store.UserScopeOf(h.people["olivia"].Actor)
	if n, err := h.store.CountTransferableDrafts(t.Context(), scope); n != 0 || err != nil {
		t.Errorf("got %d drafts (%v) before the step-up, want none", n, err)
	}
	got := v.send(asked.form("form#proof").with("proof.code", totpCode(t, key, clock.now())))
	if got.path != "/leads/new" || got.form("form#intake").values.Get("applicant.dob") != "05/17/1979" {
		t.Errorf("confirmed: got %d at %s, want the completed intake", got.status, got.path)
	}
}

// TestClone_LogsReveal: a clone is logged as one reveal, with the user who made it.
func TestClone_LogsReveal(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, ada := h.signInAs("olivia"), h.signInAs("ada")
	path := olivia.startLead("Rivera-None")
	page := ada.waitFor(path, `form[action$="/clone"]`)
	for range 2 { // the second POST leads to the same draft
		ada.send(page.form(`form[action$="/clone"]`)).wantText("Copied from")
	}
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	reveals, err := h.store.Reveals(t.Context(), app, 9)
	h.must(err)
	if len(reveals) != 1 || reveals[0].UserID != "user-ada" || reveals[0].Reason != "restart" || reveals[0].Fields != "phone, e-mail, birth date, income" {
		t.Errorf("got %+v, want one reveal by ada with the fields that she saw", reveals)
	}
	h.wantAudited("user-ada borrower.reveal lead:" + string(app) + " opened")
	h.wantAudited("user-ada lead.clone lead:" + string(app) + " done")
	olivia.get(path+"/activity").wantText("Ada Assist", "To copy to a new inquiry")
}

// TestClone_RevealLimitReached_Rejected: the limit of reveals also applies to clones.
func TestClone_RevealLimitReached_Rejected(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, ada := h.signInAs("olivia"), h.signInAs("ada")
	path := olivia.startLead("Rivera-None")
	page := ada.waitFor(path, `form[action$="/clone"]`)
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
		for n := range 60 {
			id := "look-" + string(rune('A'+n))
			if err := tx.AddReveal(t.Context(), lead.Reveal{ID: id, App: app, UserID: "user-ada", UserName: "Ada", Fields: "phone", Reason: "contact", At: store.Millis(time.Now())}); err != nil {
				return err
			}
		}
		return nil
	}))
	got := ada.send(page.form(`form[action$="/clone"]`))
	if got.status != http.StatusServiceUnavailable && got.status != http.StatusTooManyRequests {
		t.Errorf("the 61st: got %d at %s, want 429", got.status, got.path)
	}
	got.wantNoText(borrowerSecrets)
	if n := ada.get("/drafts").Find("tbody tr").Length(); n != 0 {
		t.Errorf("got %d drafts, want none", n)
	}
}
