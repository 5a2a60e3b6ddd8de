package lead

import (
	"net/http"
	"slices"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/web/format"
	"hearthline/web/page"
)

// supply is what the lender has supplied for a grid besides the details.
type Supply struct {
	Heads    []desk.QuoteHead // newest first
	Open     *desk.KeptQuote  // the quote that the grid shows; nil for the offers of the details
	past     bool             // the quote is looked at as it was
	known    []desk.KeptQuote // in which the chosen and pinned offers came
	plan     desk.PayoffPlan
	tells    bool // the lender may tell costs before the selection
	noQuotes bool // the lender does not calculate offers for a draw
}

// supplyOf opens the quotes that a question needs, and no others.
func (s *Handlers) supplyOf(r *http.Request, l page.Lead, view desk.LeadView, ask *OffersAsk) (Supply, error) {
	var sup Supply
	ctx := r.Context()
	var err error
	if sup.Heads, err = l.Quotes(ctx); err != nil {
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
		if *ask = ask.AsOf(kept.QuoteHead); ask.quote != "" {
			sup.Open, sup.past = &kept, true
		}
	}
	*ask = ask.settled(view, sup.plan)
	if id := ask.Answer(sup.Heads); !sup.past && id != "" {
		kept, err := l.KeptQuote(ctx, id)
		if err != nil {
			return sup, err
		}
		sup.Open = &kept
	}
	wanted := append([]string{ask.Chosen}, ask.Pins...)
	at := view.Details.App.Underwriting.Offers
	if sup.Open != nil {
		at = slices.Concat(at, sup.Open.Answer.Offers)
	}
	wanted = slices.DeleteFunc(wanted, func(id string) bool {
		return slices.ContainsFunc(at, func(o heloc.Offer) bool { return o.UUID == id })
	})
	sup.known, err = l.QuotesWith(ctx, wanted)
	return sup, err
}

// priced are the offers on a lead as one grid: those of the details, or those of the
// quote that answers the same question in their place.
type Priced struct {
	Supply
	Ask    OffersAsk
	Offers []heloc.Offer // of the chosen kind and fee
	All    []heloc.Offer
	pins   []heloc.Offer
	Fee    heloc.FeeMethod
	Term   heloc.TermUnit
	max    *heloc.Money // the largest fee at this draw, when a quote told it
	debts  []heloc.Liability
	payoff heloc.Money // what the ticked debts come to
	offs   []heloc.Liability
}

// price settles which offers stand in the grid, and which of them are chosen and pinned.
func Price(l desk.LeadView, sup Supply, ask OffersAsk) Priced {
	p := Priced{
		Supply: sup, Ask: ask.settled(l, sup.plan), All: l.Details.App.Underwriting.Offers, Fee: l.Fee, Term: l.Term, debts: eligibleDebts(l),
	}
	for _, d := range p.debts {
		if slices.Contains(p.Ask.Payoff, d.ID) {
			p.offs = append(p.offs, d)
			p.payoff += orZero(d.Balance)
		}
	}
	if sup.Open != nil {
		p.All, p.max = sup.Open.Answer.Offers, sup.Open.Answer.MaxFee
	}
	if p.Ask.kind == "" || !p.has(p.Ask.kind) {
		p.Ask.kind = heloc.RateFixed
		if !p.has(heloc.RateFixed) && len(p.All) > 0 {
			p.Ask.kind = p.All[0].RateType
		}
	}
	for _, o := range p.All {
		if o.RateType == p.Ask.kind && (p.Ask.fee == nil || o.OriginationFeePercent != nil && *o.OriginationFeePercent == *p.Ask.fee) {
			p.Offers = append(p.Offers, o)
		}
	}
	known := slices.Concat(p.All, l.Details.App.Underwriting.Offers)
	for _, q := range sup.known {
		known = append(known, q.Answer.Offers...)
	}
	if o, ok := p.follow(known, p.Ask.Chosen, p.Offers); ok && offerIn(p.Offers, o.UUID) {
		p.Ask.Chosen = o.UUID
	} else {
		p.Ask.Chosen = ""
	}
	var pins []string
	for _, id := range p.Ask.Pins {
		if o, ok := p.follow(known, id, p.All); ok && !slices.Contains(pins, o.UUID) {
			p.pins, pins = append(p.pins, o), append(pins, o.UUID)
		}
	}
	p.Ask.Pins = pins
	p.Ask.less = p.discountsAsked()
	return p
}

// follow finds an offer again where a quote has put others in the place of the former
// ones: the same kind, term and fee. Where there is none, it is the offer itself.
func (p Priced) follow(known []heloc.Offer, id string, now []heloc.Offer) (heloc.Offer, bool) {
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

func (p Priced) has(kind heloc.OfferRateType) bool {
	return slices.ContainsFunc(p.All, func(o heloc.Offer) bool { return o.RateType == kind })
}

// find looks an offer of the grid up.
func (p Priced) find(id string) (heloc.Offer, bool) {
	at := slices.IndexFunc(p.Offers, func(o heloc.Offer) bool { return id != "" && o.UUID == id })
	if at < 0 {
		return heloc.Offer{}, false
	}
	return p.Offers[at], true
}

// outOfRange says why an offer cannot be had at a draw; empty when it can.
func outOfRange(o heloc.Offer, draw heloc.Money) string {
	switch {
	case o.MaxAmount != nil && draw > *o.MaxAmount:
		return "up to " + format.Amount(*o.MaxAmount) + " only"
	case o.MinAmount != nil && draw < *o.MinAmount:
		return "from " + format.Amount(*o.MinAmount) + " on"
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
