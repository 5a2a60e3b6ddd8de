package offers_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// payoffForm returns the selection form as its "Work it out" button sends it.
func payoffForm(p *webtest.Response) webtest.Form {
	p.T.Helper()
	f := p.Form(`form#select`)
	f.Action = p.Find(`form#select button[formaction]`).AttrOr("formaction", "")
	if f.Action == "" {
		p.T.Fatalf("%s has no button to work it out: %s", p.Path, p.MainText())
	}
	return f
}

const debtSelector = `#payoffs input[name="offer.selectedAccountsToPayoff"]`

func debtIDs(p *webtest.Response, selector string) []string {
	var ids []string
	p.Find(debtSelector + selector).Each(func(_ int, s *webtest.Selection) { ids = append(ids, s.AttrOr("value", "")) })
	return ids
}

// TestPayoff_PlainForms covers the whole process without scripts.
func TestPayoff_PlainForms(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			calls := &webtest.LenderCalls{}
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: calls.Middleware})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera-Payoff")
			card := olivia.WaitFor(lead, `form#form-asset-depletion`)
			marked := card.Find(`#form-asset-depletion input[name="liabilityPayoff.selectedAccountsToPayoff"]:not([disabled])`).
				First().AttrOr("value", "")
			olivia.Send(card.Form(`form#form-asset-depletion`).With("liabilityPayoff.selectedAccountsToPayoff", marked))
			page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)

			all, ticked := debtIDs(page, ""), debtIDs(page, "[checked]")
			if !slices.Equal(ticked, []string{marked}) || len(all) < 3 {
				t.Fatalf("selected %v of %v, want the debt that was marked with the income, %s", ticked, all, marked)
			}
			page.WantText("Not eligible", "Current monthly payment", "DTI", "the lender pays off the ones you choose at funding")

			// The borrower's current payments stay in the portal, and the choice remains.
			index := strings.TrimSuffix(strings.TrimPrefix(page.Find(`#payoffs input[value="`+marked+`"][type="hidden"]`).
				AttrOr("name", ""), "paysToday."), ".accountId")
			worked := olivia.Send(payoffForm(page).With("paysToday."+index+".amount", "$388.50"))
			worked.WantText("$388.50 a month", "as the borrower told you; not sent to the lender",
				"Weighted rate of these debts")
			if got := calls.CallsTo("direct-debt-payoff-offers"); len(got) != 1 || got[0].Query.Get("accountId") != marked {
				t.Fatalf("the lender got %+v, want the one account", got)
			}
			if again := olivia.Get(lead + "/offers"); again.Find(`input[name="paysToday.`+index+`.amount"]`).
				AttrOr("value", "") != "388.50" {
				t.Error("the borrower's current payments are lost")
			}
			if n := len(calls.CallsTo("direct-debt-payoff-offers")); n != 1 {
				t.Errorf("the lender got %d calls about the same debts", n)
			}
			if bad := olivia.Send(payoffForm(worked).With("paysToday."+index+".amount",
				"about 400")); bad.Status != http.StatusUnprocessableEntity ||
				bad.Find(`[name="paysToday.`+index+`.amount"][aria-invalid]`).AttrOr("value", "") != "about 400" {
				t.Errorf("an invalid amount: got %d", bad.Status)
			}

			// Other debts than the marked ones: the lender has no offers, and one button leads back.
			other := payoffForm(worked)
			other.Values["offer.selectedAccountsToPayoff"] = []string{all[0], all[1], all[2]}
			empty := olivia.Send(other)
			empty.WantText("no offers that pay off only these debts", "Restore the previous selection")
			if empty.Find(`input[name="offer.offerUuid"]`).Length() == 0 {
				t.Error("the available offers can no longer be selected")
			}
			back := olivia.Get(empty.Find(`#payoffs a.btn`).AttrOr("href", ""))
			if got := debtIDs(back, "[checked]"); back.Status != http.StatusOK || !slices.Equal(got, []string{marked}) {
				t.Fatalf("back: %d with %v selected, want %s", back.Status, got, marked)
			}

			// A quote for the choice shows what is paid off and treats the amount as the total.
			quote := back.Form(`form#quote`).With("amount", "48,000", "offer.selectedAccountsToPayoff", marked, "plan", "shown")
			quoted := back
			if dialect == "documented" {
				quoted = olivia.Post(lead+"/calculate-offers", quote.Values)
				asked := calls.CallsTo("calculate-offers")
				last := asked[len(asked)-1].Body
				if last["amount"] != 48_000.0 || last["liabilityPayoffAmount"] == nil || len(last["accountIds"].([]any)) != 1 {
					t.Errorf("calculate-offers got %v", last)
				}
				low := olivia.Post(lead+"/calculate-offers", quote.With("amount", "100").Values)
				if low.Status != http.StatusUnprocessableEntity {
					t.Errorf("a draw below the debts: got %d, want 422", low.Status)
				}
			}

			// Select the offer. With accounts to pay off, the request is asynchronous.
			id := quoted.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			strip := olivia.Send(payoffForm(quoted).With("offer.offerUuid", id))
			strip.WantText("Pays off", "Cash to the borrower", "With this line (estimate)")
			if strip.Find(`input[name="offer.offerUuid"][checked]`).Length() != 1 {
				t.Fatal("the offer is no longer chosen")
			}
			sheet := strip.Find(`a[href*="/show"]`).First().AttrOr("href", "")
			olivia.Get(sheet).WantText("You would draw $", "pays off one debt", "What it pays off")
			olivia.Get(sheet+"&lang=es").WantText("Usted retiraría $", "pagan una deuda", "Lo que paga")
			form := strip.Form(`form#select`).With("confirm.offer", "true")
			if got := form.Values["offer.selectedAccountsToPayoff"]; !slices.Equal(got, []string{marked}) {
				t.Errorf("the form selects %v, want %s", got, marked)
			}
			if got := olivia.Send(form); got.Path != lead {
				t.Fatalf("selecting: %d: %s", got.Status, got.MainText())
			}
			sent := calls.CallsTo("select-offer")[0].Body
			request, chosen := sent["request"].(map[string]any), sent["offer"].(map[string]any)
			if request["async"] != true || len(chosen["selectedAccountsToPayoff"].([]any)) != 1 {
				t.Errorf("select-offer got %v", sent)
			}
			if strings.Contains(mustJSON(t, calls.CallsTo("select-offer")), "388.5") ||
				strings.Contains(mustJSON(t, calls.CallsTo("calculate-offers")), "388.5") {
				t.Error("the borrower's current payments were sent")
			}
			h.WaitUntil("the borrower's move", func() bool {
				return h.Inquiries("Rivera-Payoff")[0].NextInquiryStep == heloc.StepBorrowerAuth
			})
		})
	}
}

func mustJSON(t *testing.T, calls []webtest.LenderCall) string {
	t.Helper()
	var all []map[string]any
	for _, c := range calls {
		all = append(all, c.Body)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestPayoff_AfterTwoBlockedSteps_WithoutScript resolves two blocked steps and plans a payoff with plain forms.
func TestPayoff_AfterTwoBlockedSteps_WithoutScript(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera-Match-Liens-Payoff")
			olivia.Send(olivia.WaitFor(lead, `form[action$="/add-ssn"]`).Form(`form[action$="/add-ssn"]`).With("applicant.ssn",
				"123 45 6789"))
			olivia.Send(olivia.WaitFor(lead, `form[action$="/verify-liens"]`).Form(`form[action$="/verify-liens"]`))
			card := olivia.WaitFor(lead, `form#form-asset-depletion`)
			form := card.Form(`form#form-asset-depletion`)
			form.Values["liabilityPayoff.selectedAccountsToPayoff"] = nil
			card.Find(`#form-asset-depletion input[name="liabilityPayoff.selectedAccountsToPayoff"]:not([disabled])`).
				Each(func(_ int, s *webtest.Selection) {
					form.Values.Add("liabilityPayoff.selectedAccountsToPayoff", s.AttrOr("value", ""))
				})
			olivia.Send(form)
			page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
			id := page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			worked := olivia.Send(payoffForm(page).With("offer.offerUuid", id))
			got := olivia.Send(worked.Form(`form#select`).With("confirm.offer", "true"))
			if got.Path != lead {
				t.Fatalf("selecting: %d: %s", got.Status, got.MainText())
			}
			olivia.WaitFor(lead+"/offers", `#selected`)
		})
	}
}
