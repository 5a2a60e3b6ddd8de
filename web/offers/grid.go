package offers

import (
	"cmp"
	"context"
	"slices"

	desklead "hearthline/internal/desk/lead"
	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/web/page"
)

// QuoteSet is what the lender has supplied for a grid, apart from the lead's details.
type QuoteSet struct {
	Summaries      []deskoffers.QuoteSummary // newest first
	Current        *deskoffers.SavedQuote    // the quote that the grid shows; nil for the offers of the details
	historical     bool                      // the quote is shown as it was
	selectedIn     []deskoffers.SavedQuote   // the quotes that contain the chosen and pinned offers
	payoffPlan     deskoffers.PayoffPlan
	costsAvailable bool // the lender may report costs before the selection
	noQuotes       bool // the lender does not calculate offers for a draw
}

// loadGrid decrypts the quotes that a query needs, and no others. It completes the query.
func loadGrid(ctx context.Context, l page.Lead, model desklead.Snapshot, query *GridQuery) (OfferGrid, error) {
	quotes := QuoteSet{costsAvailable: model.LenderAnswers.OfferCosts, noQuotes: !model.LenderAnswers.Quotes}
	var err error
	if model.MayHaveQuotes() {
		if quotes.Summaries, err = l.Offers().Quotes(ctx); err != nil {
			return OfferGrid{}, err
		}
	}
	if model.MayHavePayoffPlan() {
		if quotes.payoffPlan, err = l.Offers().PayoffPlan(ctx); err != nil {
			return OfferGrid{}, err
		}
	}
	if query.quoteID != "" {
		saved, err := l.Offers().SavedQuote(ctx, query.quoteID)
		if err != nil {
			return OfferGrid{}, err
		}
		if *query = query.AsQuoted(saved.QuoteSummary); query.quoteID != "" {
			quotes.Current, quotes.historical = &saved, true
		}
	}
	*query = query.withDefaults(model, quotes.payoffPlan)
	if id := query.NewestAnswer(quotes.Summaries); !quotes.historical && id != "" {
		saved, err := l.Offers().SavedQuote(ctx, id)
		if err != nil {
			return OfferGrid{}, err
		}
		quotes.Current = &saved
	}
	missing := append([]string{query.Chosen}, query.Pins...)
	offers := model.Details.App.Underwriting.Offers
	if quotes.Current != nil {
		offers = slices.Concat(offers, quotes.Current.Answer.Offers)
	}
	missing = slices.DeleteFunc(missing, func(id string) bool { return containsOffer(offers, id) })
	if quotes.selectedIn, err = l.Offers().QuotesWith(ctx, missing); err != nil {
		return OfferGrid{}, err
	}
	return NewOfferGrid(model, quotes, *query), nil
}

// OfferGrid has the offers on a lead as one grid: those of the quote that answers the same query,
// or else those of the lead's details.
type OfferGrid struct {
	QuoteSet
	Query       GridQuery
	Offers      []heloc.Offer // of the chosen kind and fee
	All         []heloc.Offer
	pins        []heloc.Offer
	known       []heloc.Offer // of the grid, of the details and of the quotes with the chosen and pinned offers
	Payments    heloc.PaymentModel
	maxFee      *heloc.Money // the largest fee at this draw, if a quote reported it
	debts       []heloc.Liability
	payoffTotal heloc.Money // the total of the ticked debts
	payoffDebts []heloc.Liability
	balanceOpen bool                 // a ticked debt has no known balance, so that the total and what is left are unknown
	selected    *heloc.SelectedOffer // nil while the lender processes another selection

	estimatedDiscounts []heloc.Discount // those that the rates include as we estimate them
}

// NewOfferGrid determines which offers are in the grid, and which of them are chosen and pinned.
func NewOfferGrid(l desklead.Snapshot, quotes QuoteSet, query GridQuery) OfferGrid {
	p := OfferGrid{
		QuoteSet: quotes, Query: query.withDefaults(l, quotes.payoffPlan), All: l.Details.App.Underwriting.Offers,
		Payments: l.Payments, debts: eligibleDebts(l),
	}
	if l.NewSelection == nil {
		p.selected = l.Details.App.Underwriting.SelectedOffer
	}
	for _, d := range p.debts {
		if slices.Contains(p.Query.Payoff, d.ID) {
			p.payoffDebts = append(p.payoffDebts, d)
			p.payoffTotal += orZero(d.Balance)
			p.balanceOpen = p.balanceOpen || d.Balance == nil
		}
	}
	if quotes.Current != nil {
		p.All, p.maxFee = quotes.Current.Answer.Offers, quotes.Current.Answer.MaxFee
	}
	p.estimateDiscounts()
	if kinds := p.rateTypes(); !slices.Contains(kinds, p.Query.rateType) {
		p.Query.rateType = heloc.RateFixed
		if len(kinds) > 0 {
			p.Query.rateType = kinds[0]
		}
	}
	for _, o := range p.All {
		if rateTypeOf(o) == p.Query.rateType && (p.Query.fee == nil ||
			o.OriginationFeePercent != nil && *o.OriginationFeePercent == *p.Query.fee) {
			p.Offers = append(p.Offers, o)
		}
	}
	p.known = slices.Concat(p.All, l.Details.App.Underwriting.Offers)
	for _, q := range quotes.selectedIn {
		p.known = append(p.known, q.Answer.Offers...)
	}
	if o, ok := p.matchOffer(p.Query.Chosen, p.Offers); ok && containsOffer(p.Offers, o.UUID) {
		p.Query.Chosen = o.UUID
	} else {
		p.Query.Chosen = ""
	}
	var pins []string
	for _, id := range p.Query.Pins {
		if o, ok := p.matchOffer(id, p.All); ok && !slices.Contains(pins, o.UUID) {
			p.pins, pins = append(p.pins, o), append(pins, o.UUID)
		}
	}
	p.Query.Pins = pins
	p.Query.discounts = p.discountsAsked()
	return p
}

// matchOffer finds an offer among those of a newer quote by its kind, term and fee. If there is
// none, it returns the offer itself.
func (g OfferGrid) matchOffer(id string, current []heloc.Offer) (heloc.Offer, bool) {
	o, ok := heloc.FindOffer(g.known, id)
	if !ok || containsOffer(current, id) {
		return o, ok
	}
	if at := slices.IndexFunc(current, func(n heloc.Offer) bool { return n.UUID != "" && sameTerms(n, o) }); at >= 0 {
		return current[at], true
	}
	return o, true
}

func sameTerms(a, b heloc.Offer) bool {
	return a.RateType == b.RateType && byTermAndFee(a, b) == 0
}

func containsOffer(offers []heloc.Offer, id string) bool {
	_, ok := heloc.FindOffer(offers, id)
	return ok
}

// rateTypes lists the rate types of the offers: fixed, variable, then those that we do not know.
func (g OfferGrid) rateTypes() []heloc.OfferRateType {
	var kinds []heloc.OfferRateType
	for _, o := range g.All {
		if kind := rateTypeOf(o); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	last := []heloc.OfferRateType{heloc.RateFloating, heloc.RateFixed} // behind these are the types that we do not know
	slices.SortFunc(kinds, func(a, b heloc.OfferRateType) int {
		return cmp.Or(slices.Index(last, b)-slices.Index(last, a), cmp.Compare(a, b))
	})
	return kinds
}

// rateTypeOf returns the rate type of an offer; an offer without one is like one whose type the lender calls unknown.
func rateTypeOf(o heloc.Offer) heloc.OfferRateType { return cmp.Or(o.RateType, heloc.RateUnknown) }

// find returns an offer of the grid by its id.
func (g OfferGrid) find(id string) (heloc.Offer, bool) { return heloc.FindOffer(g.Offers, id) }

// outOfRangeText states why an offer is not available at a draw; it is empty if it is.
func outOfRangeText(o heloc.Offer, draw heloc.Money) string {
	switch {
	case o.MaxAmount != nil && draw > *o.MaxAmount:
		return "Maximum " + text.Money(*o.MaxAmount)
	case o.MinAmount != nil && draw < *o.MinAmount:
		return "Minimum " + text.Money(*o.MinAmount)
	default:
		return ""
	}
}

// feeOf returns the fee of an offer, or feeUnknown, which sorts before all others, if the lender gives none.
func feeOf(o heloc.Offer) heloc.Rate {
	if o.OriginationFeePercent == nil {
		return feeUnknown
	}
	return *o.OriginationFeePercent
}

const feeUnknown heloc.Rate = -1

// knownFees returns the distinct known fees of offers.
func knownFees(offers []heloc.Offer) []heloc.Rate {
	return slices.DeleteFunc(distinct(offers, feeOf), func(fee heloc.Rate) bool { return fee == feeUnknown })
}

func termOf(o heloc.Offer) heloc.Count { return orZero(o.Term) }

// orZero returns the number, or zero if it is unknown.
func orZero[T heloc.Money | heloc.Rate | heloc.Count](known *T) (value T) {
	if known != nil {
		value = *known
	}
	return value
}
