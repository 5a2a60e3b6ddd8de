package offers

import (
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
