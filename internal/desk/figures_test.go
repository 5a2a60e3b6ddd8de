package desk_test

import (
	"slices"
	"testing"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// selectOffer submits a selection and returns its error.
func (h *harness) selectOffer(app heloc.AppID, s heloc.OfferSelection) error {
	h.t.Helper()
	l := h.openLead(h.olivia, app)
	_, err := l.Offers().SelectOffer(h.t.Context(), l.NewOperationID(heloc.OpSelectOffer), s)
	time.Sleep(5 * time.Second)
	return err
}

func (h *harness) detailsOffer(app heloc.AppID) heloc.Offer {
	h.t.Helper()
	view, err := h.openLead(h.olivia, app).Snapshot(h.t.Context())
	h.must(err)
	return view.Details.App.Underwriting.Offers[0]
}

func (h *harness) quoted(app heloc.AppID, ask heloc.QuoteRequest) []heloc.Offer {
	h.t.Helper()
	quote, err := h.openLead(h.olivia, app).Offers().Quote(h.t.Context(), ask)
	h.must(err)
	return quote.Offers
}

func TestSelectOffer_QuotedForOtherDraw_Invalid(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		time.Sleep(5 * time.Second)
		sixty, forty := heloc.Dollars(60_000), heloc.Dollars(40_000)
		offers := g.quoted(app, heloc.QuoteRequest{Amount: &sixty})
		g.quoted(app, heloc.QuoteRequest{Amount: &forty})
		id := offers[0].UUID
		wantField(t, g.selectOffer(app, heloc.OfferSelection{OfferUUID: id, Amount: forty}), "offer.selectedOfferAmount")
		wantField(t, g.selectOffer(app, heloc.OfferSelection{OfferUUID: id, Amount: sixty, Discounts: []string{"AUTOPAY"}}),
			"offer.selectedDiscounts")
		debt := g.debts(g.openLead(g.olivia, app))[0].ID
		wantField(t, g.selectOffer(app, heloc.OfferSelection{OfferUUID: id, Amount: sixty, AccountsToPayoff: []string{debt}}),
			"offer.selectedAccountsToPayoff")
		g.must(g.selectOffer(app, heloc.OfferSelection{OfferUUID: id, Amount: sixty}))
	})
}

func TestSelectOffer_QuotedWithDiscounts_NeedsThem(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		time.Sleep(5 * time.Second)
		draw := heloc.Dollars(60_000)
		id := g.quoted(app, heloc.QuoteRequest{Amount: &draw, AutopayDiscount: true})[0].UUID
		wantField(t, g.selectOffer(app, heloc.OfferSelection{OfferUUID: id, Amount: draw}), "offer.selectedDiscounts")
		wantField(t, g.selectOffer(app, heloc.OfferSelection{OfferUUID: id, Amount: draw,
			Discounts: []string{"CREDIT_UNION"}}), "offer.selectedDiscounts")
		g.must(g.selectOffer(app, heloc.OfferSelection{OfferUUID: id, Amount: draw, Discounts: []string{"AUTOPAY"}}))
	})
}

func TestSelectOffer_FromDetails_RefusedOnlyWhenAQuoteContradicts(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		time.Sleep(5 * time.Second)
		offer, fifty, sixty := g.detailsOffer(app), heloc.Dollars(50_000), heloc.Dollars(60_000)
		quoted := g.quoted(app, heloc.QuoteRequest{Amount: &sixty})
		at := slices.IndexFunc(quoted, func(o heloc.Offer) bool {
			return o.RateType == offer.RateType && *o.Term == *offer.Term &&
				*o.OriginationFeePercent == *offer.OriginationFeePercent
		})
		if at < 0 || *quoted[at].Rate == *offer.Rate {
			t.Fatal("want a sandbox that quotes different rates for different draws")
		}
		wantField(t, g.selectOffer(app, heloc.OfferSelection{OfferUUID: offer.UUID, Amount: sixty}), "offer.offerUuid")
		// There is no quote for another draw, nor for this one with a discount.
		g.must(g.selectOffer(app, heloc.OfferSelection{OfferUUID: offer.UUID, Amount: fifty}))
		g.must(g.selectOffer(app, heloc.OfferSelection{OfferUUID: offer.UUID, Amount: sixty, Discounts: []string{"AUTOPAY"}}))
		g.quoted(app, heloc.QuoteRequest{Amount: offer.MaxAmount})
		g.must(g.selectOffer(app, heloc.OfferSelection{OfferUUID: offer.UUID, Amount: *offer.MaxAmount}))
	})
}

func TestSelectOffer_FromPayoffOffers_NeedsTheDebts(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		time.Sleep(5 * time.Second)
		l := g.openLead(g.olivia, app)
		debt, draw := g.debts(l)[0], heloc.Dollars(60_000)
		offers, err := l.Offers().PayoffOffers(t.Context(), []string{debt.ID}, draw)
		g.must(err)
		wantField(t, g.selectOffer(app, heloc.OfferSelection{OfferUUID: offers[0].UUID, Amount: draw}),
			"offer.selectedAccountsToPayoff")
		g.must(g.selectOffer(app, heloc.OfferSelection{OfferUUID: offers[0].UUID, Amount: draw,
			AccountsToPayoff: []string{debt.ID}}))
	})
}

func TestQuotable_CalculateOffersMissing_IsRemembered(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		time.Sleep(5 * time.Second)
		quotable := func(who *desk.Lead) bool {
			t.Helper()
			snapshot, err := who.Snapshot(t.Context())
			g.must(err)
			return snapshot.LenderAnswers.Quotes
		}
		if !quotable(g.openLead(g.olivia, app)) {
			t.Error("got not quotable before the first request, want quotable")
		}
		draw := heloc.Dollars(60_000)
		_, err := g.openLead(g.olivia, app).Offers().Quote(t.Context(), heloc.QuoteRequest{Amount: &draw})
		notFound := fault.Is(err, fault.NotFound)
		if got := quotable(g.openLead(g.olivia, app)); got == notFound {
			t.Errorf("got quotable %v after %v", got, err)
		}
	})
}
