package offers_test

import (
	"net/url"
	"slices"
	"testing"

	desklead "hearthline/internal/desk/lead"
	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/heloc"
	"hearthline/web/form"
	"hearthline/web/offers"
	"hearthline/web/webtest"
)

// FuzzOffers reads any query for the grid and the planner: each one is either valid or has errors, and what is shown
// stays within its limits.
func FuzzOffers(f *testing.F) {
	f.Add("45,000", "2.99", "FIXED", "o1", "a1,a2", "388.50", "q1")
	f.Add("-1", "101", "VARIABLE", "", ",,", "about 400", "")
	f.Add("1e9", "NaN", "", "\x00", "a1", "$1 234,5", "../..")
	fee, rate, term, most, owed := heloc.Percent(2.99), heloc.Percent(8.2), heloc.Count(120), heloc.Dollars(220_000),
		heloc.Dollars(9_000)
	debts := []heloc.Liability{{ID: "a1", Balance: &owed}, {ID: "a2", Balance: &owed, InterestRate: &rate}}
	model := desklead.Snapshot{Payments: heloc.PaymentModel{Fee: heloc.FeeAdded, Term: heloc.TermMonths}}
	model.Details.App.Underwriting.Offers = []heloc.Offer{{UUID: "o1", Rate: &rate, OriginationFeePercent: &fee,
		Term: &term, MaxAmount: &most, RateType: heloc.RateFloating, PrimeRate: &rate}}
	model.Details.App.Payoff.Existing = &heloc.ExistingLiabilities{Eligible: debts}
	f.Fuzz(func(t *testing.T, draw, only, kind, offer, accounts, pays, quote string) {
		in := url.Values{
			"amount": {draw}, "originationFee": {only}, "rateType": {kind},
			"offer.offerUuid": {offer}, "pin": {offer, accounts, draw, pays, quote},
			"accountId": {accounts}, "offer.selectedAccountsToPayoff": {accounts}, "quote": {quote}, "plan": {"shown"},
			"paysToday.0.accountId": {"a1"}, "paysToday.0.amount": {pays}, "paysToday.7.accountId": {accounts},
			"paysToday.7.amount": {pays},
		}
		posted := &form.Form{Values: in, Corrections: map[string]string{}}
		ask := offers.ParseGridQuery(in)
		if ask.Draw < 0 || ask.Draw > form.MaxMoney || len(ask.Pins) > offers.MaxPinned || !slices.IsSorted(ask.Payoff) {
			t.Errorf("got %+v", ask)
		}
		for id, m := range offers.ParseCurrentPayments(posted, debts) {
			if m <= 0 || m > form.MaxMoney || id != "a1" && id != "a2" {
				t.Errorf("pays %v on %q", m, id)
			}
		}
		if q := offers.QuoteRequest(posted, ask, model); !posted.HasErrors() &&
			(q.Amount == nil || *q.Amount <= 0 || q.LiabilityPayoff != nil && *q.LiabilityPayoff > *q.Amount) {
			t.Errorf("asks %+v", q)
		}
		p := offers.NewOfferGrid(model, offers.QuoteSet{},
			ask.AsQuoted(deskoffers.QuoteSummary{Request: heloc.QuoteRequest{AccountIDs: []string{"a2"}}}))
		_ = offers.PresentOffers(webtest.DenverViewer(t), model, p) // must not panic
	})
}
