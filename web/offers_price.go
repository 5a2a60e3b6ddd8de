package web

import (
	"net/http"
	"slices"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
)

// supply is what the lender has supplied for a grid besides the details.
type supply struct {
	heads    []desk.QuoteHead // newest first
	open     *desk.KeptQuote  // the quote that the grid shows; nil for the offers of the details
	past     bool             // the quote is looked at as it was
	known    []desk.KeptQuote // in which the chosen and pinned offers came
	plan     desk.PayoffPlan
	tells    bool // the lender may tell costs before the selection
	noQuotes bool // the lender does not calculate offers for a draw
}

// supplyOf opens the quotes that a question needs, and no others.
func (s *Server) supplyOf(r *http.Request, l Lead, view desk.LeadView, ask *offersAsk) (supply, error) {
	var sup supply
	ctx := r.Context()
	var err error
	if sup.heads, err = l.Quotes(ctx); err != nil {
		return sup, err
	}
	if sup.plan, err = l.PayoffPlan(ctx); err != nil {
		return sup, err
	}
	if sup.tells, err = l.TellsCosts(ctx); err != nil {
		return sup, err
	}
	quotable, err := l.Quotable(ctx)
	if err != nil {
		return sup, err
	}
	sup.noQuotes = !quotable
	if ask.quote != "" {
		kept, err := l.KeptQuote(ctx, ask.quote)
		if err != nil {
			return sup, err
		}
		if *ask = ask.asOf(kept.QuoteHead); ask.quote != "" {
			sup.open, sup.past = &kept, true
		}
	}
	*ask = ask.settled(view, sup.plan)
	if id := ask.answer(sup.heads); !sup.past && id != "" {
		kept, err := l.KeptQuote(ctx, id)
		if err != nil {
			return sup, err
		}
		sup.open = &kept
	}
	wanted := append([]string{ask.chosen}, ask.pins...)
	at := view.Details.App.Underwriting.Offers
	if sup.open != nil {
		at = slices.Concat(at, sup.open.Answer.Offers)
	}
	wanted = slices.DeleteFunc(wanted, func(id string) bool {
		return slices.ContainsFunc(at, func(o heloc.Offer) bool { return o.UUID == id })
	})
	sup.known, err = l.QuotesWith(ctx, wanted)
	return sup, err
}

// priced are the offers on a lead as one grid: those of the details, or those of the
// quote that answers the same question in their place.
type priced struct {
	supply
	ask    offersAsk
	offers []heloc.Offer // of the chosen kind and fee
	all    []heloc.Offer
	pins   []heloc.Offer
	fee    heloc.FeeMethod
	term   heloc.TermUnit
	max    *heloc.Money // the largest fee at this draw, when a quote told it
	debts  []heloc.Liability
	payoff heloc.Money // what the ticked debts come to
	offs   []heloc.Liability
}

// price settles which offers stand in the grid, and which of them are chosen and pinned.
func price(l desk.LeadView, sup supply, ask offersAsk) priced {
	p := priced{
		supply: sup, ask: ask.settled(l, sup.plan), all: l.Details.App.Underwriting.Offers, fee: l.Fee, term: l.Term, debts: eligibleDebts(l),
	}
	for _, d := range p.debts {
		if slices.Contains(p.ask.payoff, d.ID) {
			p.offs = append(p.offs, d)
			p.payoff += orZero(d.Balance)
		}
	}
	if sup.open != nil {
		p.all, p.max = sup.open.Answer.Offers, sup.open.Answer.MaxFee
	}
	if p.ask.kind == "" || !p.has(p.ask.kind) {
		p.ask.kind = heloc.RateFixed
		if !p.has(heloc.RateFixed) && len(p.all) > 0 {
			p.ask.kind = p.all[0].RateType
		}
	}
	for _, o := range p.all {
		if o.RateType == p.ask.kind && (p.ask.fee == nil || o.OriginationFeePercent != nil && *o.OriginationFeePercent == *p.ask.fee) {
			p.offers = append(p.offers, o)
		}
	}
	known := slices.Concat(p.all, l.Details.App.Underwriting.Offers)
	for _, q := range sup.known {
		known = append(known, q.Answer.Offers...)
	}
	if o, ok := p.follow(known, p.ask.chosen, p.offers); ok && offerIn(p.offers, o.UUID) {
		p.ask.chosen = o.UUID
	} else {
		p.ask.chosen = ""
	}
	var pins []string
	for _, id := range p.ask.pins {
		if o, ok := p.follow(known, id, p.all); ok && !slices.Contains(pins, o.UUID) {
			p.pins, pins = append(p.pins, o), append(pins, o.UUID)
		}
	}
	p.ask.pins = pins
	p.ask.less = p.discountsAsked()
	return p
}

// follow finds an offer again where a quote has put others in the place of the former
// ones: the same kind, term and fee. Where there is none, it is the offer itself.
func (p priced) follow(known []heloc.Offer, id string, now []heloc.Offer) (heloc.Offer, bool) {
	at := slices.IndexFunc(known, func(o heloc.Offer) bool { return id != "" && o.UUID == id })
	if at < 0 {
		return heloc.Offer{}, false
	}
	if offerIn(now, id) {
		return known[at], true
	}
	if same := slices.IndexFunc(now, func(n heloc.Offer) bool { return n.UUID != "" && alike(n, known[at]) }); same >= 0 {
		return now[same], true
	}
	return known[at], true
}

func alike(a, b heloc.Offer) bool {
	return a.RateType == b.RateType && termOf(a) == termOf(b) && feeOf(a) == feeOf(b)
}

func offerIn(offers []heloc.Offer, id string) bool {
	return slices.ContainsFunc(offers, func(o heloc.Offer) bool { return id != "" && o.UUID == id })
}

func (p priced) has(kind heloc.OfferRateType) bool {
	return slices.ContainsFunc(p.all, func(o heloc.Offer) bool { return o.RateType == kind })
}

// find looks an offer of the grid up.
func (p priced) find(id string) (heloc.Offer, bool) {
	at := slices.IndexFunc(p.offers, func(o heloc.Offer) bool { return id != "" && o.UUID == id })
	if at < 0 {
		return heloc.Offer{}, false
	}
	return p.offers[at], true
}

// outOfRange says why an offer cannot be had at a draw; empty when it can.
func outOfRange(o heloc.Offer, draw heloc.Money) string {
	switch {
	case o.MaxAmount != nil && draw > *o.MaxAmount:
		return "up to " + amount(*o.MaxAmount) + " only"
	case o.MinAmount != nil && draw < *o.MinAmount:
		return "from " + amount(*o.MinAmount) + " on"
	default:
		return ""
	}
}

func orZero(m *heloc.Money) heloc.Money {
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
