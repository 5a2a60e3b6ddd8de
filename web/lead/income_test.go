package lead_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestAssetDepletion_DebtsAlone_IncomeByDialect submits the payoff form with a debt chosen and nothing typed. The
// live lender gets the income of the inquiry, which the form shows; the documented one gets the debts only.
func TestAssetDepletion_DebtsAlone_IncomeByDialect(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			lender := &webtest.LenderCalls{}
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: lender.Middleware})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera-Payoff", "applicant.income.employmentType", "SELF_EMPLOYED",
				"applicant.income.grossAnnualIncome", "128,000", "applicant.income.savingsAmount", "9,500")
			card := olivia.WaitFor(lead, `form#form-asset-depletion`)
			form := card.Form(`form#form-asset-depletion`)
			debt := card.Find(`#form-asset-depletion input[name="liabilityPayoff.selectedAccountsToPayoff"]:not([disabled])`).
				First().AttrOr("value", "")
			if got := olivia.Send(form.With("liabilityPayoff.selectedAccountsToPayoff", debt)); got.Path != lead {
				t.Fatalf("led to %s (%d): %s", got.Path, got.Status, got.MainText())
			}
			sent := lender.CallsTo("asset-depletion")
			if len(sent) != 1 {
				t.Fatalf("the lender got %d calls, want one", len(sent))
			}
			income, ok := sent[0].Body["income"].(map[string]any)
			if dialect == "documented" {
				if ok {
					t.Errorf("sent the income %v, want none", income)
				}
				if shown := card.Find(`[name="income.employmentType"] option[selected]`).AttrOr("value", ""); shown != "" {
					t.Errorf("the form starts with the employment %q, want none", shown)
				}
			} else if income["employmentType"] != "SELF_EMPLOYED" || income["grossAnnualIncome"] != 128000.0 ||
				income["savingsAmount"] != 9500.0 {
				t.Errorf("sent the income %v, want that of the inquiry", income)
			}
			olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
		})
	}
}

// TestIncome_LiveDraftUnreadable_AskedAndNotSentWithout: when the income of the inquiry cannot be read, the fields
// are empty and required, and an incomplete form is not sent.
func TestIncome_LiveDraftUnreadable_AskedAndNotSentWithout(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Dialect: "live"})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera-Assets")
	olivia.WaitFor(lead, `form#form-asset-depletion`)
	err := h.Store.Write(t.Context(), func(tx *store.Tx) error {
		draft, err := tx.DraftOfLead(t.Context(), heloc.AppID(strings.TrimPrefix(lead, "/leads/")))
		if err != nil {
			return err
		}
		draft.Sealed = []byte("unreadable")
		return tx.SaveDraft(t.Context(), draft)
	})
	if err != nil {
		t.Fatal(err)
	}
	card := olivia.Get(lead)
	for _, act := range []string{"asset-depletion", "add-income"} {
		form := card.Form(`form#form-` + act)
		for _, control := range []string{"income.employmentType", "income.grossAnnualIncome"} {
			if form.Values.Get(control) != "" {
				t.Errorf("%s has %s = %q, want it empty", act, control, form.Values.Get(control))
			}
			if card.Find(`form#form-`+act+` [name="`+control+`"][required]`).Length() != 1 {
				t.Errorf("%s: %s is not required", act, control)
			}
		}
		for control, value := range map[string]string{"income.employmentType": "RETIRED", "income.grossAnnualIncome": "0"} {
			got := olivia.Send(card.Form(`form#form-`+act).With(control, value, "income.savingsAmount", "250,000"))
			other := map[string]string{"income.employmentType": "income.grossAnnualIncome",
				"income.grossAnnualIncome": "income.employmentType"}[control]
			if got.Status != http.StatusUnprocessableEntity ||
				got.Find(`form#form-`+act+` [name="`+other+`"][aria-invalid="true"]`).Length() != 1 {
				t.Errorf("%s with only %s: got %d, want 422 and an error at %s", act, control, got.Status, other)
			}
		}
	}
	if asked := h.LenderCallCount("/asset-depletion") + h.LenderCallCount("/add-income"); asked != 0 {
		t.Errorf("the lender got %d calls, want none", asked)
	}
	got := olivia.Send(card.Form(`form#form-add-income`).With("income.employmentType", "RETIRED",
		"income.grossAnnualIncome", "0", "income.savingsAmount", "250,000"))
	if got.Path != lead {
		t.Errorf("complete: got %s (%d), want %s", got.Path, got.Status, lead)
	}
}

// TestPayoff_NothingChosen_ErrorAtTheDebts: the lender asks for debts, so the error is at the debts, and not at the
// income that nobody asked for.
func TestPayoff_NothingChosen_ErrorAtTheDebts(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			lender := &webtest.LenderCalls{}
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: lender.Middleware})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera-Payoff")
			got := olivia.Send(olivia.WaitFor(lead, `form#form-asset-depletion`).Form(`form#form-asset-depletion`))
			if got.Status != http.StatusUnprocessableEntity || len(lender.CallsTo("asset-depletion")) != 0 {
				t.Fatalf("got %d with %d calls, want 422 and none", got.Status, len(lender.CallsTo("asset-depletion")))
			}
			const control = "liabilityPayoff.selectedAccountsToPayoff"
			if links := got.Find(`#complaints a`); links.Length() != 1 || links.AttrOr("href", "") != "#"+control {
				t.Errorf("the summary has %d links, the first to %q", links.Length(), links.AttrOr("href", ""))
			}
			debts := got.Find(`[id="` + control + `"]`)
			if debts.Find(`input[name="`+control+`"]`).Length() == 0 || debts.AttrOr("aria-invalid", "") != "true" ||
				debts.AttrOr("tabindex", "") != "-1" {
				t.Error("the error does not lead to the debts")
			}
			if text := debts.Find(".err").Text(); !strings.Contains(text, "Choose at least one debt to pay off") {
				t.Errorf("the debts say %q", text)
			}
			if got.Find(`[aria-invalid][name^="income."]`).Length() != 0 {
				t.Error("an income control is marked as invalid")
			}
		})
	}
}

// TestIncome_EmploymentTypes_AreThoseOfTheDialect: the documented lender does not know the employment types that only
// the live one has.
func TestIncome_EmploymentTypes_AreThoseOfTheDialect(t *testing.T) {
	t.Parallel()
	for dialect, accepted := range map[string]bool{"documented": false, "live": true} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			lender := &webtest.LenderCalls{}
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: lender.Middleware})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera-Assets")
			form := olivia.WaitFor(lead, `form#form-asset-depletion`).Form(`form#form-asset-depletion`)
			got := olivia.Send(form.With("income.employmentType", "ALIMONY", "income.grossAnnualIncome", "60,000"))
			if sent := len(lender.CallsTo("asset-depletion")) == 1; sent != accepted {
				t.Errorf("sent: %v (%d), want %v", sent, got.Status, accepted)
			}
			if !accepted {
				got.WantText("Choose from the list")
			}
		})
	}
}

// TestIncome_Prefilled_ViewLoggedOncePerUser: the filled-in income is borrower data, so each user's first look at it is
// logged as a view; looking again, and a page that shows no income, log nothing.
func TestIncome_Prefilled_ViewLoggedOncePerUser(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Dialect: "live"})
	olivia := h.SignInAs("olivia")
	path := olivia.StartLead("Rivera-Assets")
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	olivia.WaitFor(path, `form#form-asset-depletion`)
	maya := h.SignInAs("maya")
	maya.Get(path + "/history")
	for range 2 {
		olivia.Get(path)
		maya.Get(path)
	}
	rows, err := h.Store.Reveals(t.Context(), app, 9)
	if err != nil || len(rows) != 2 || rows[0].Fields != "income" || rows[1].Fields != "income" ||
		rows[0].UserID == rows[1].UserID {
		t.Errorf("got the views %+v, %v, want one of the income by each user", rows, err)
	}
	audit, err := h.Store.AuditOf(t.Context(), "lead:"+string(app), 99)
	audited := 0
	for _, a := range audit {
		if a.Action == store.ActionReveal && a.Detail == "reason:prefill fields:income" {
			audited++
		}
	}
	if err != nil || audited != 2 {
		t.Errorf("got the audit %+v, %v, want two views", audit, err)
	}
	olivia.Get(path+"/activity").WantText("Viewed borrower details: income", "Filled in to send to the lender again")
}
