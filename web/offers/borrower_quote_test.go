package offers

import (
	"slices"
	"testing"
	"time"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// TestRequestedQuote_FinalOfferMissing_NothingElseShown has a selection that the lender no longer lists.
func TestRequestedQuote_FinalOfferMissing_NothingElseShown(t *testing.T) {
	t.Parallel()
	var l desklead.Snapshot
	l.Row.Converted = true
	draw, term, rate := heloc.Money(60_000_00), heloc.Count(10), heloc.Rate(7_5000)
	l.Details.App.Underwriting.SelectedOffer = &heloc.SelectedOffer{OfferUUID: "gone", DrawAmount: &draw}
	l.Details.App.Underwriting.Offers = []heloc.Offer{{UUID: "other", RateType: heloc.RateFixed, Term: &term, Rate: &rate}}
	grid := NewOfferGrid(l, QuoteSet{}, GridQuery{payoffGiven: true})
	q, _, err := grid.requestedQuote(text.Viewer{Now: time.Now(), Zone: time.UTC}, l, nil)
	if !fault.Is(err, fault.NotFound) || len(q.Offers) != 0 {
		t.Errorf("got %d offers, %v, want none and that it is not found", len(q.Offers), err)
	}
}

// TestBorrowerQuote_HardPull_NotSoftInquiry: the page says that nothing but a soft inquiry was made only while the
// lender shows nothing else.
func TestBorrowerQuote_HardPull_NotSoftInquiry(t *testing.T) {
	t.Parallel()
	pull := &heloc.Credit{}
	for name, tt := range map[string]struct {
		set  func(l *desklead.Snapshot)
		want bool
	}{
		"an inquiry":           {func(l *desklead.Snapshot) { l.Details.App.IsInquiry = new(true) }, true},
		"not said":             {func(*desklead.Snapshot) {}, true},
		"an application":       {func(l *desklead.Snapshot) { l.Row.Converted = true }, false},
		"no longer an inquiry": {func(l *desklead.Snapshot) { l.Details.App.IsInquiry = new(false) }, false},
		"a hard pull on file":  {func(l *desklead.Snapshot) { l.Details.App.Underwriting.HardCredit = pull }, false},
		"a soft pull on file":  {func(l *desklead.Snapshot) { l.Details.App.Underwriting.SoftCredit = pull }, true},
	} {
		var l desklead.Snapshot
		tt.set(&l)
		q := NewOfferGrid(l, QuoteSet{}, GridQuery{}).BorrowerQuote(text.Viewer{Now: time.Now(), Zone: time.UTC}, l, nil)
		if q.SoftInquiry != tt.want {
			t.Errorf("%s: got %v, want %v", name, q.SoftInquiry, tt.want)
		}
	}
}

// TestGridQuery_Request_UnknownBalance_NoTotal: a part of what is paid off is not sent as the total.
func TestGridQuery_Request_UnknownBalance_NoTotal(t *testing.T) {
	t.Parallel()
	draw, balance := heloc.Dollars(100_000), heloc.Dollars(12_000)
	debts := []heloc.Liability{{ID: "b"}, {ID: "a", Balance: &balance}}
	for _, tt := range []struct {
		ticked []string
		want   *heloc.Money
	}{{[]string{"a"}, &balance}, {[]string{"a", "b"}, nil}, {[]string{"b"}, nil}, {nil, nil}} {
		got := GridQuery{Payoff: tt.ticked}.request(&draw, debts)
		if !slices.Equal(got.AccountIDs, tt.ticked) {
			t.Errorf("%q: got the accounts %q", tt.ticked, got.AccountIDs)
		}
		if sum := got.LiabilityPayoff; (sum == nil) != (tt.want == nil) || sum != nil && *sum != *tt.want {
			t.Errorf("%q: got the total %v, want %v", tt.ticked, sum, tt.want)
		}
	}
}
