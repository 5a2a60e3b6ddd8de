package web

import (
	"net/url"
	"slices"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// offersAsk is what the grid is asked to show. The zero value is the grid as it opens.
type offersAsk struct {
	draw    heloc.Money // 0: as the lead wants it
	fee     *heloc.Rate // only this fee
	kind    heloc.OfferRateType
	autopay bool
	union   bool
	chosen  string   // the offer taken apart below the grid
	less    []string // discounts that stand ticked, by their types
	payoff  []string // debts that stand ticked, by their account ids
	failed  string   // why the last quote did not come
	fresh   bool     // the lender has just answered
	gone    bool     // this lender does not quote anew
	wrong   []fault.Field
}

// parseAsk reads the controls of the grid, of the address or of a form; what makes no
// sense in them is left out, because a question is never refused for it.
func parseAsk(in url.Values) offersAsk {
	f := form{values: in, sent: map[string]string{}}
	a := offersAsk{
		fee: f.rate("originationFee"), kind: heloc.OfferRateType(f.text("rateType")), autopay: f.checked("autoPayDiscountEnabled"),
		union: f.checked("cuDiscountEnabled"), chosen: f.text("offer.offerUuid"),
		less: f.list("offer.selectedDiscounts"), payoff: f.list("offer.selectedAccountsToPayoff"),
	}
	for _, name := range []string{"amount", "offer.selectedOfferAmount"} {
		if m := f.money(name); a.draw == 0 && m != nil {
			a.draw = *m
		}
	}
	if a.kind != heloc.RateFixed && a.kind != heloc.RateFloating {
		a.kind = ""
	}
	return a
}

// priced are the offers on a lead as one grid: those of the details, and those of the
// latest quote for the same question in their place.
type priced struct {
	ask    offersAsk
	offers []heloc.Offer // of the chosen kind and fee
	all    []heloc.Offer
	fee    heloc.FeeMethod
	term   heloc.TermUnit
	max    *heloc.Money // the largest fee at this draw, when a quote told it
	payoff heloc.Money  // what the ticked debts come to
}

// price settles the question: which draw, which kind of rate, which offers.
func price(l desk.LeadView, quotes []desk.KeptQuote, ask offersAsk) priced {
	p := priced{ask: ask, all: l.Details.App.Underwriting.Offers, fee: l.Fee, term: l.Term}
	if debts := l.Details.App.Payoff.Existing; debts != nil {
		for _, d := range debts.Eligible {
			if d.Balance != nil && slices.Contains(ask.payoff, d.ID) {
				p.payoff += *d.Balance
			}
		}
	}
	if p.ask.draw == 0 {
		p.ask.draw = drawOf(l.Row.Wanted, p.all)
	}
	for _, q := range quotes {
		if p.answers(q.Ask) && len(q.Answer.Offers) > 0 {
			p.all, p.max = q.Answer.Offers, q.Answer.MaxFee
			break
		}
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
	known := [][]heloc.Offer{l.Details.App.Underwriting.Offers}
	for _, q := range quotes {
		known = append(known, q.Answer.Offers)
	}
	p.ask.chosen = p.follow(known)
	return p
}

// follow finds the chosen offer again where a quote has put others in the place of the
// former ones: the same kind, term and fee. What the grid does not show is not chosen.
func (p priced) follow(known [][]heloc.Offer) string {
	for _, o := range slices.Concat(append([][]heloc.Offer{p.offers}, known...)...) {
		if p.ask.chosen == "" || o.UUID != p.ask.chosen {
			continue
		}
		at := slices.IndexFunc(p.offers, func(n heloc.Offer) bool {
			return n.UUID != "" && n.RateType == o.RateType && termOf(n) == termOf(o) && feeOf(n) == feeOf(o)
		})
		if at >= 0 {
			return p.offers[at].UUID
		}
	}
	return ""
}

// answers says whether a quote was asked for what the grid is asked now.
func (p priced) answers(q heloc.QuoteRequest) bool {
	return q.Amount != nil && *q.Amount == p.ask.draw && q.AutopayDiscount == p.ask.autopay && q.CreditUnionMember == p.ask.union &&
		len(q.AccountIDs) == 0 && (q.OriginationFee == nil || p.ask.fee != nil && *q.OriginationFee == *p.ask.fee)
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

// drawOf is the draw a grid opens with: as wanted, when any offer reaches so far, else
// the largest that every offer allows.
func drawOf(wanted heloc.Money, offers []heloc.Offer) heloc.Money {
	var all, most heloc.Money
	for _, o := range offers {
		if o.MaxAmount == nil {
			continue
		}
		most = max(most, *o.MaxAmount)
		if all == 0 || *o.MaxAmount < all {
			all = *o.MaxAmount
		}
	}
	if wanted > 0 && (most == 0 || wanted <= most) {
		return wanted
	}
	return all
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
