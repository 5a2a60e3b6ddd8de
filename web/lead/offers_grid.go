package lead

import (
	"net/http"
	"slices"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/web/format"
	"hearthline/web/page"
)

// QuoteSet is what the lender has supplied for a grid besides the details.
type QuoteSet struct {
	Summaries      []desk.QuoteSummary // newest first
	Current        *desk.SavedQuote    // the quote that the grid shows; nil for the offers of the details
	historical     bool                // the quote is looked at as it was
	selectedIn     []desk.SavedQuote   // in which the chosen and pinned offers came
	payoffPlan     desk.PayoffPlan
	costsAvailable bool // the lender may tell costs before the selection
	noQuotes       bool // the lender does not calculate offers for a draw
}

// loadQuotes opens the quotes that a question needs, and no others.
func (s *Handlers) loadQuotes(r *http.Request, l page.Lead, view desk.LeadView, ask *GridQuery) (QuoteSet, error) {
	var sup QuoteSet
	ctx := r.Context()
	var err error
	if sup.Summaries, err = l.Quotes(ctx); err != nil {
		return sup, err
	}
	if sup.payoffPlan, err = l.PayoffPlan(ctx); err != nil {
		return sup, err
	}
	if sup.costsAvailable, err = l.MayHaveOfferCosts(ctx); err != nil {
		return sup, err
	}
	quotable, err := l.Quotable(ctx)
	if err != nil {
		return sup, err
	}
	sup.noQuotes = !quotable
	if ask.quoteID != "" {
		kept, err := l.SavedQuote(ctx, ask.quoteID)
		if err != nil {
			return sup, err
		}
		if *ask = ask.AsQuoted(kept.QuoteSummary); ask.quoteID != "" {
			sup.Current, sup.historical = &kept, true
		}
	}
	*ask = ask.withDefaults(view, sup.payoffPlan)
	if id := ask.NewestAnswer(sup.Summaries); !sup.historical && id != "" {
		kept, err := l.SavedQuote(ctx, id)
		if err != nil {
			return sup, err
		}
		sup.Current = &kept
	}
	wanted := append([]string{ask.Chosen}, ask.Pins...)
	at := view.Details.App.Underwriting.Offers
	if sup.Current != nil {
		at = slices.Concat(at, sup.Current.Answer.Offers)
	}
	wanted = slices.DeleteFunc(wanted, func(id string) bool {
		return slices.ContainsFunc(at, func(o heloc.Offer) bool { return o.UUID == id })
	})
	sup.selectedIn, err = l.QuotesWith(ctx, wanted)
	return sup, err
}

// OfferGrid are the offers on a lead as one grid: those of the details, or those of the
// quoteID that answers the same question in their place.
type OfferGrid struct {
	QuoteSet
	Query       GridQuery
	Offers      []heloc.Offer // of the chosen kind and fee
	All         []heloc.Offer
	pins        []heloc.Offer
	FeeMethod   heloc.FeeMethod
	TermUnit    heloc.TermUnit
	maxFee      *heloc.Money // the largest fee at this draw, when a quote told it
	debts       []heloc.Liability
	payoffTotal heloc.Money // what the ticked debts come to
	payoffDebts []heloc.Liability
}

// NewOfferGrid settles which offers stand in the grid, and which of them are chosen and pinned.
func NewOfferGrid(l desk.LeadView, sup QuoteSet, ask GridQuery) OfferGrid {
	p := OfferGrid{
		QuoteSet: sup, Query: ask.withDefaults(l, sup.payoffPlan), All: l.Details.App.Underwriting.Offers, FeeMethod: l.Fee, TermUnit: l.Term, debts: eligibleDebts(l),
	}
	for _, d := range p.debts {
		if slices.Contains(p.Query.Payoff, d.ID) {
			p.payoffDebts = append(p.payoffDebts, d)
			p.payoffTotal += moneyOrZero(d.Balance)
		}
	}
	if sup.Current != nil {
		p.All, p.maxFee = sup.Current.Answer.Offers, sup.Current.Answer.MaxFee
	}
	if p.Query.rateType == "" || !p.hasRateType(p.Query.rateType) {
		p.Query.rateType = heloc.RateFixed
		if !p.hasRateType(heloc.RateFixed) && len(p.All) > 0 {
			p.Query.rateType = p.All[0].RateType
		}
	}
	for _, o := range p.All {
		if o.RateType == p.Query.rateType && (p.Query.fee == nil || o.OriginationFeePercent != nil && *o.OriginationFeePercent == *p.Query.fee) {
			p.Offers = append(p.Offers, o)
		}
	}
	known := slices.Concat(p.All, l.Details.App.Underwriting.Offers)
	for _, q := range sup.selectedIn {
		known = append(known, q.Answer.Offers...)
	}
	if o, ok := p.matchOffer(known, p.Query.Chosen, p.Offers); ok && containsOffer(p.Offers, o.UUID) {
		p.Query.Chosen = o.UUID
	} else {
		p.Query.Chosen = ""
	}
	var pins []string
	for _, id := range p.Query.Pins {
		if o, ok := p.matchOffer(known, id, p.All); ok && !slices.Contains(pins, o.UUID) {
			p.pins, pins = append(p.pins, o), append(pins, o.UUID)
		}
	}
	p.Query.Pins = pins
	p.Query.discounts = p.discountsAsked()
	return p
}

// matchOffer finds an offer again where a quote has put others in the place of the former
// ones: the same kind, term and fee. Where there is none, it is the offer itself.
func (p OfferGrid) matchOffer(known []heloc.Offer, id string, now []heloc.Offer) (heloc.Offer, bool) {
	at := slices.IndexFunc(known, func(o heloc.Offer) bool { return id != "" && o.UUID == id })
	if at < 0 {
		return heloc.Offer{}, false
	}
	if containsOffer(now, id) {
		return known[at], true
	}
	if same := slices.IndexFunc(now, func(n heloc.Offer) bool { return n.UUID != "" && sameTerms(n, known[at]) }); same >= 0 {
		return now[same], true
	}
	return known[at], true
}

func sameTerms(a, b heloc.Offer) bool {
	return a.RateType == b.RateType && termOf(a) == termOf(b) && feeOf(a) == feeOf(b)
}

func containsOffer(offers []heloc.Offer, id string) bool {
	return slices.ContainsFunc(offers, func(o heloc.Offer) bool { return id != "" && o.UUID == id })
}

func (p OfferGrid) hasRateType(kind heloc.OfferRateType) bool {
	return slices.ContainsFunc(p.All, func(o heloc.Offer) bool { return o.RateType == kind })
}

// find looks an offer of the grid up.
func (p OfferGrid) find(id string) (heloc.Offer, bool) {
	at := slices.IndexFunc(p.Offers, func(o heloc.Offer) bool { return id != "" && o.UUID == id })
	if at < 0 {
		return heloc.Offer{}, false
	}
	return p.Offers[at], true
}

// outOfRangeText says why an offer cannot be had at a draw; empty when it can.
func outOfRangeText(o heloc.Offer, draw heloc.Money) string {
	switch {
	case o.MaxAmount != nil && draw > *o.MaxAmount:
		return "up to " + format.Money(*o.MaxAmount) + " only"
	case o.MinAmount != nil && draw < *o.MinAmount:
		return "from " + format.Money(*o.MinAmount) + " on"
	default:
		return ""
	}
}

func moneyOrZero(m *heloc.Money) heloc.Money {
	if m == nil {
		return 0
	}
	return *m
}

func feeOf(o heloc.Offer) heloc.Rate {
	if o.OriginationFeePercent == nil {
		return 0
	}
	return *o.OriginationFeePercent
}

func termOf(o heloc.Offer) heloc.Count {
	if o.Term == nil {
		return 0
	}
	return *o.Term
}
