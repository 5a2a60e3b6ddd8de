package desk_test

import (
	"slices"
	"testing"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Every answer is stored with its request and its user, even an empty one.
func TestQuotes_AllSaved(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		l := g.openLead(g.olivia, app)
		debts := g.debts(l)
		_, err := l.Offers().Quote(t.Context(), heloc.QuoteRequest{Amount: new(heloc.Dollars(40_000)), AutopayDiscount: true})
		g.must(err)
		time.Sleep(time.Minute)
		offers, err := l.Offers().PayoffOffers(t.Context(), []string{debts[1].ID, debts[0].ID}, heloc.Dollars(50_000))
		g.must(err)
		quotes, err := l.Offers().Quotes(t.Context())
		g.must(err)
		if len(quotes) != 2 || !quotes[0].Payoff || quotes[1].Payoff || !quotes[1].Request.AutopayDiscount ||
			quotes[0].Offers != len(offers) {
			t.Fatalf("got %+v, want both, the newest first", quotes)
		}
		if q := quotes[0]; !slices.IsSorted(q.Request.AccountIDs) || len(q.Request.AccountIDs) != 2 ||
			*q.Request.Amount != heloc.Dollars(50_000) || q.ActorID != g.olivia.UserID || q.Name != g.olivia.Name {
			t.Errorf("got %+v, want the request and its user", q)
		}
		found, err := l.Offers().QuotesWith(t.Context(), []string{"", "unheard-of", offers[0].UUID})
		if err != nil || len(found) != 1 || found[0].ID != quotes[0].ID || found[0].At != quotes[0].At {
			t.Errorf("got %+v, %v, want the quote with the offer", found, err)
		}
		_, err = g.openLead(g.olivia, g.start(g.olivia, "Okafor")).Offers().SavedQuote(t.Context(), quotes[0].ID)
		wantKind(t, err, fault.NotFound)
		_, err = l.Offers().PayoffOffers(t.Context(), []string{"acct-made-up"}, 0)
		wantField(t, err, "offer.selectedAccountsToPayoff")
		_, err = l.Offers().Quote(t.Context(), heloc.QuoteRequest{Amount: new(heloc.Dollars(40_000)),
			AccountIDs: []string{"acct-made-up"}})
		wantField(t, err, "offer.selectedAccountsToPayoff")
		_, err = g.openLead(g.ann, app).Offers().PayoffOffers(t.Context(), []string{debts[0].ID}, 0)
		wantKind(t, err, fault.Denied)
	})
}

func (h *harness) debts(l *desk.Lead) []heloc.Liability {
	h.t.Helper()
	view, err := l.Snapshot(h.t.Context())
	h.must(err)
	return view.Details.App.Payoff.Existing.Eligible
}

// The borrower's current payments are stored with the lead, and unchanged ones are not stored again.
func TestSaveCurrentPayments_Unchanged_WritesOnce(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		l := g.openLead(g.olivia, app)
		debt := g.debts(l)[0].ID
		rows := func() int {
			_, n, ok, err := g.store.BrokenAudit(t.Context())
			if err != nil || !ok {
				t.Fatalf("the audit: %v %v", ok, err)
			}
			return n
		}
		before := rows()
		for range 2 {
			g.must(l.Offers().SaveCurrentPayments(t.Context(), map[string]heloc.Money{debt: heloc.Dollars(388)}))
		}
		if got := rows() - before; got != 1 {
			t.Errorf("got %d audit rows, want one", got)
		}
		plan, err := g.openLead(g.ann, app).Offers().PayoffPlan(t.Context())
		if err != nil || plan.CurrentPayments[debt] != heloc.Dollars(388) || len(plan.Selected) != 0 {
			t.Errorf("got %+v, %v", plan, err)
		}
		wantKind(t, g.openLead(g.ann, app).Offers().SaveCurrentPayments(t.Context(), nil), fault.Denied)
		g.must(l.Offers().SaveCurrentPayments(t.Context(), map[string]heloc.Money{}))
		if plan, err = l.Offers().PayoffPlan(t.Context()); err != nil || len(plan.CurrentPayments) != 0 {
			t.Errorf("got %+v, %v, want no payments", plan, err)
		}
	})
}

// The debts of the last selection are selected, even if the lender does not return all of them.
func TestPayoffPlan_AfterSelection_HasSelectedDebts(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		time.Sleep(5 * time.Second)
		l := g.openLead(g.olivia, app)
		view, err := l.Snapshot(t.Context())
		g.must(err)
		offer, debts := view.Details.App.Underwriting.Offers[0], g.debts(l)
		pick := func(amount heloc.Money, accounts ...string) error {
			l := g.openLead(g.olivia, app)
			_, err := l.Offers().SelectOffer(t.Context(), l.NewOperationID(heloc.OpSelectOffer), heloc.OfferSelection{
				OfferUUID: offer.UUID, Amount: amount, Discounts: []string{"AUTOPAY"}, AccountsToPayoff: accounts,
			})
			time.Sleep(5 * time.Second)
			return err
		}
		if *debts[0].Balance >= *offer.MinAmount {
			t.Fatalf("got a debt of %v in the sandbox, want a larger one", *debts[0].Balance)
		}
		all := []string{debts[0].ID, debts[1].ID, debts[2].ID}
		sum := *debts[0].Balance + *debts[1].Balance + *debts[2].Balance
		if sum > *offer.MinAmount {
			wantField(t, pick(sum-1, all...), "offer.selectedAccountsToPayoff")
		}
		g.must(pick(*offer.MaxAmount, debts[1].ID))
		plan, err := g.openLead(g.olivia, app).Offers().PayoffPlan(t.Context())
		if err != nil || !slices.Equal(plan.Selected, []string{debts[1].ID}) {
			t.Errorf("got %+v, %v, want the debt that was selected", plan, err)
		}
		if v, err := g.openLead(g.olivia, app).Snapshot(t.Context()); err != nil || len(v.DroppedDiscounts) != 0 {
			t.Errorf("got dropped discounts %v, %v, want none", v.DroppedDiscounts, err)
		}
	})
}
