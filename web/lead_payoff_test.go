package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"hearthline/internal/heloc"
)

// lenderCalls records the calls about offers and payoffs, in order.
type lenderCalls struct {
	mu    sync.Mutex
	calls []lenderCall
	edit  func(path string, body map[string]any)
}

type lenderCall struct {
	path  string
	query url.Values
	body  map[string]any
}

func (o *lenderCalls) middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		if slices.Contains([]string{"calculate-offers", "select-offer", "direct-debt-payoff-offers", "borrower-costs", "asset-depletion"}, at) {
			raw, _ := io.ReadAll(r.Body)
			var body map[string]any
			_ = json.Unmarshal(raw, &body)
			if o.edit != nil {
				o.edit(at, body)
				raw, _ = json.Marshal(body)
			}
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(raw))), int64(len(raw))
			o.mu.Lock()
			o.calls = append(o.calls, lenderCall{at, r.URL.Query(), body})
			o.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}

// callsTo returns the calls to one path.
func (o *lenderCalls) callsTo(path string) []lenderCall {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(o.calls), func(h lenderCall) bool { return h.path != path })
}

// payoffForm returns the selection form as its "Work it out" button sends it.
func (p *response) payoffForm() postedForm {
	p.t.Helper()
	f := p.form(`form#select`)
	f.action = p.Find(`form#select button[formaction]`).AttrOr("formaction", "")
	if f.action == "" {
		p.t.Fatalf("%s has no button to work it out: %s", p.path, p.text())
	}
	return f
}

const debtSelector = `#payoffs input[name="offer.selectedAccountsToPayoff"]`

func (p *response) debtIDs(selector string) []string {
	var ids []string
	p.Find(debtSelector + selector).Each(func(_ int, s *selection) { ids = append(ids, s.AttrOr("value", "")) })
	return ids
}

// TestPayoff_PlainForms covers the whole process without scripts.
func TestPayoff_PlainForms(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			calls := &lenderCalls{}
			h := newHarness(t, harnessOptions{dialect: dialect, lenderMiddleware: calls.middleware})
			olivia := h.signInAs("olivia")
			lead := olivia.startLead("Rivera-Payoff")
			card := olivia.waitFor(lead, `form#form-asset-depletion`)
			marked := card.Find(`#form-asset-depletion input[name="liabilityPayoff.selectedAccountsToPayoff"]:not([disabled])`).First().AttrOr("value", "")
			olivia.send(card.form(`form#form-asset-depletion`).with("liabilityPayoff.selectedAccountsToPayoff", marked))
			page := olivia.waitFor(lead+"/offers", `input[name="offer.offerUuid"]`)

			all, ticked := page.debtIDs(""), page.debtIDs("[checked]")
			if !slices.Equal(ticked, []string{marked}) || len(all) < 3 {
				t.Fatalf("selected %v of %v, want the debt that was marked with the income, %s", ticked, all, marked)
			}
			page.wantText("Not eligible", "Pays today", "DTI", "the lender pays these at funding")

			// The borrower's current payments stay in the portal, and the choice remains.
			index := strings.TrimSuffix(strings.TrimPrefix(page.Find(`#payoffs input[value="`+marked+`"][type="hidden"]`).AttrOr("name", ""), "paysToday."), ".accountId")
			worked := olivia.send(page.payoffForm().with("paysToday."+index+".amount", "$388.50"))
			worked.wantText("$388.50 a month", "as the borrower told you; it stays here", "Rate of these debts, by balance")
			if got := calls.callsTo("direct-debt-payoff-offers"); len(got) != 1 || got[0].query.Get("accountId") != marked {
				t.Fatalf("the lender got %+v, want the one account", got)
			}
			if again := olivia.get(lead + "/offers"); again.Find(`input[name="paysToday.`+index+`.amount"]`).AttrOr("value", "") != "388.50" {
				t.Error("the borrower's current payments are lost")
			}
			if n := len(calls.callsTo("direct-debt-payoff-offers")); n != 1 {
				t.Errorf("the lender got %d calls about the same debts", n)
			}
			if bad := olivia.send(worked.payoffForm().with("paysToday."+index+".amount", "about 400")); bad.status != http.StatusUnprocessableEntity || bad.Find(`[name="paysToday.`+index+`.amount"][aria-invalid]`).AttrOr("value", "") != "about 400" {
				t.Errorf("an invalid amount: got %d", bad.status)
			}

			// Other debts than the marked ones: the lender has no offers, and one button leads back.
			other := worked.payoffForm()
			other.values["offer.selectedAccountsToPayoff"] = []string{all[0], all[1], all[2]}
			empty := olivia.send(other)
			empty.wantText("no offers that pay off exactly these debts", "Put the last good choice back")
			if empty.Find(`input[name="offer.offerUuid"]`).Length() == 0 {
				t.Error("the available offers can no longer be selected")
			}
			back := olivia.get(empty.Find(`#payoffs a.btn`).AttrOr("href", ""))
			if got := back.debtIDs("[checked]"); back.status != http.StatusOK || !slices.Equal(got, []string{marked}) {
				t.Fatalf("back: %d with %v selected, want %s", back.status, got, marked)
			}

			// A quote for the choice shows what is paid off and treats the amount as the total.
			quote := back.form(`form#quote`).with("amount", "48,000", "offer.selectedAccountsToPayoff", marked, "plan", "shown")
			quoted := back
			if dialect == "documented" {
				quoted = olivia.post(lead+"/calculate-offers", quote.values)
				asked := calls.callsTo("calculate-offers")
				last := asked[len(asked)-1].body
				if last["amount"] != 48_000.0 || last["liabilityPayoffAmount"] == nil || len(last["accountIds"].([]any)) != 1 {
					t.Errorf("calculate-offers got %v", last)
				}
				low := olivia.post(lead+"/calculate-offers", quote.with("amount", "100").values)
				if low.status != http.StatusUnprocessableEntity {
					t.Errorf("a draw below the debts: got %d, want 422", low.status)
				}
			}

			// Select the offer. With accounts to pay off, the request is asynchronous.
			id := quoted.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			strip := olivia.send(quoted.payoffForm().with("offer.offerUuid", id))
			strip.wantText("Pays off", "Cash to the borrower", "On this line, estimate")
			if strip.Find(`input[name="offer.offerUuid"][checked]`).Length() != 1 {
				t.Fatal("the offer is no longer chosen")
			}
			sheet := strip.Find(`#terms header a`).First().AttrOr("href", "")
			olivia.get(sheet).wantText("Debts paid off", "Draw amount")
			olivia.get(sheet + "&lang=es").wantText("Paga deudas por")
			form := strip.form(`form#select`).with("confirm.offer", "true")
			if got := form.values["offer.selectedAccountsToPayoff"]; !slices.Equal(got, []string{marked}) {
				t.Errorf("the form selects %v, want %s", got, marked)
			}
			if got := olivia.send(form); got.path != lead {
				t.Fatalf("selecting: %d: %s", got.status, got.text())
			}
			sent := calls.callsTo("select-offer")[0].body
			request, chosen := sent["request"].(map[string]any), sent["offer"].(map[string]any)
			if request["async"] != true || len(chosen["selectedAccountsToPayoff"].([]any)) != 1 {
				t.Errorf("select-offer got %v", sent)
			}
			if strings.Contains(mustJSON(t, calls.callsTo("select-offer")), "388.5") || strings.Contains(mustJSON(t, calls.callsTo("calculate-offers")), "388.5") {
				t.Error("the borrower's current payments were sent")
			}
			h.waitUntil("the borrower's move", func() bool { return h.inquiries("Rivera-Payoff")[0].NextInquiryStep == heloc.StepBorrowerAuth })
		})
	}
}

func mustJSON(t *testing.T, calls []lenderCall) string {
	t.Helper()
	var all []map[string]any
	for _, c := range calls {
		all = append(all, c.body)
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
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHarness(t, harnessOptions{dialect: dialect})
			olivia := h.signInAs("olivia")
			lead := olivia.startLead("Rivera-Match-Liens-Payoff")
			olivia.send(olivia.waitFor(lead, `form[action$="/add-ssn"]`).form(`form[action$="/add-ssn"]`).with("applicant.ssn", "123 45 6789"))
			olivia.send(olivia.waitFor(lead, `form[action$="/verify-liens"]`).form(`form[action$="/verify-liens"]`))
			card := olivia.waitFor(lead, `form#form-asset-depletion`)
			form := card.form(`form#form-asset-depletion`)
			form.values["liabilityPayoff.selectedAccountsToPayoff"] = nil
			card.Find(`#form-asset-depletion input[name="liabilityPayoff.selectedAccountsToPayoff"]:not([disabled])`).Each(func(_ int, s *selection) {
				form.values.Add("liabilityPayoff.selectedAccountsToPayoff", s.AttrOr("value", ""))
			})
			olivia.send(form)
			page := olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
			id := page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			worked := olivia.send(page.payoffForm().with("offer.offerUuid", id))
			got := olivia.send(worked.form(`form#select`).with("confirm.offer", "true"))
			if got.path != lead {
				t.Fatalf("selecting: %d: %s", got.status, got.text())
			}
			olivia.waitFor(lead+"/offers", `#selected`)
		})
	}
}
