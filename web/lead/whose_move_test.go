package lead_test

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestWhoseMove_PageAndListByRole reads the next step and the list row of Olivia's lead as each role that sees it.
func TestWhoseMove_PageAndListByRole(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	path, app := h.SignInAs("olivia").StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	const name = "Olivia Bennett"
	change := func(f func(l *lead.Row)) {
		h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
			l, err := tx.AnyLead(t.Context(), app)
			if err != nil {
				return err
			}
			f(&l)
			return tx.SaveLead(t.Context(), &l, h.Now(), true)
		}))
	}
	others := name + " responds to the lender. You can contact the borrower, add notes and set reminders."
	for _, tt := range []struct{ who, list, page, may string }{
		{"olivia", "you", "Your move", ""}, {"maya", name, "With " + name, ""}, {"ada", name, "With " + name, others},
	} {
		v := h.SignInAs(tt.who)
		step := strings.Join(strings.Fields(v.Get(path).Find("#step").Text()), " ")
		if !strings.Contains(step, tt.page) || !strings.Contains(step, tt.may) ||
			tt.page != "Your move" && strings.Contains(step, "Your move") {
			t.Errorf("%s on the page: got %q, want %q and %q", tt.who, step, tt.page, tt.may)
		}
		if tt.may == "" && strings.Contains(step, "responds to the lender") {
			t.Errorf("%s may respond, and reads %q", tt.who, step)
		}
		if row := strings.Join(strings.Fields(v.Get("/leads?view=all").Find("#lead-"+string(app)+" .c-step .sub").Text()),
			" "); !strings.HasPrefix(row, tt.list+" ·") {
			t.Errorf("%s in the list: got %q, want %q", tt.who, row, tt.list)
		}
	}
	change(func(l *lead.Row) {
		l.Step, l.StepSince = heloc.StepBorrowerAuth, store.Millis(h.Now().Add(-48*time.Hour))
	})
	h.SignInAs("ada").Get(path).WantText("With "+name,
		"You can follow up with the borrower. "+name+" responds to the lender.")
	change(func(l *lead.Row) {
		l.Step, l.StepSince, l.Originator, l.FormerOriginator = heloc.StepCreditMatch, store.Millis(h.Now()), "",
			heloc.OriginatorID(h.People["olivia"].OriginatorUUID)
	})
	ada := h.SignInAs("ada").Get(path)
	ada.WantText("Unassigned", "No originator has this lead. Reassign it to one who can respond to the lender.")
	if strings.Contains(ada.Find("#step").Text(), "Your move") {
		t.Error("an unassigned lead is the assistant's move")
	}
}
