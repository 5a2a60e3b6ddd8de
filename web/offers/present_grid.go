package offers

import (
	"cmp"
	"slices"
	"strings"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
)

// distinct returns the different values of the offers, lowest first.
func distinct[T cmp.Ordered](offers []heloc.Offer, of func(heloc.Offer) T) []T {
	var all []T
	for _, o := range offers {
		all = append(all, of(o))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// offerAt returns the offer with a term and a fee, if the lender made one.
func (g OfferGrid) offerAt(term heloc.Count, fee heloc.Rate) (found heloc.Offer, ok bool) {
	at := slices.IndexFunc(g.Offers, func(o heloc.Offer) bool { return termOf(o) == term && feeOf(o) == fee })
	if at >= 0 {
		found = g.Offers[at]
	}
	return found, at >= 0
}

// cell maps the offer with a term and a fee; it is empty if the lender made none.
func (g OfferGrid) cell(term heloc.Count, fee heloc.Rate) view.OfferCell {
	o, ok := g.offerAt(term, fee)
	if !ok {
		return view.OfferCell{}
	}
	at := g.drawn(o)
	return view.OfferCell{
		UUID: o.UUID, Payment: paymentText(at.Payment()), Rate: text.Percent(o.Rate),
		InterestOnly: at.InterestOnly && at.Payment() > 0, Afterward: paymentText(at.Afterward()), Margin: marginText(o),
		Reason: outOfRangeText(o, g.Query.Draw), Pinned: slices.Contains(g.Query.Pins, o.UUID), Sentence: g.sentence(o),
		Selected: g.selectedText(o),
	}
}

// selectedText marks the selected offer, and states its rate if the lender now has another for the same terms.
func (g OfferGrid) selectedText(o heloc.Offer) string {
	s := g.selected
	switch {
	case s == nil || s.Term == nil || !sameTerms(o, heloc.Offer{RateType: s.RateType, Term: s.Term,
		OriginationFeePercent: s.OriginationFeePercent}):
		return ""
	case s.Rate == nil || equal(s.Rate, o.Rate):
		return "Selected"
	default:
		return "Selected at " + text.Percent(s.Rate)
	}
}

// title describes an offer in one line, "10 years fixed at 8.20%, fee 2.99%".
func (g OfferGrid) title(term *heloc.Count, kind heloc.OfferRateType, rate, fee *heloc.Rate) string {
	return offerTitle(g.Payments.Term, term, kind, rate, fee)
}

func offerTitle(unit heloc.TermUnit, term *heloc.Count, kind heloc.OfferRateType, rate, fee *heloc.Rate) string {
	var long string
	if term != nil {
		_, long = text.TermWords(unit, *term)
	}
	words := text.JoinNonEmpty(" ", long, rateTypeText(kind))
	if rate != nil {
		words += " at " + text.Percent(rate)
	}
	if fee != nil {
		words += ", fee " + text.Percent(fee)
	}
	return strings.TrimPrefix(strings.TrimSpace(words), "at ")
}

// rateTypeText names a rate type inside a sentence, a type of the lender's own under its own name; it is
// empty if the lender gave none.
func rateTypeText(kind heloc.OfferRateType) string {
	if kind == "" || kind == heloc.RateUnknown {
		return ""
	}
	return strings.ToLower(text.RateType(string(kind)))
}

func discountName(d heloc.Discount) string { return text.Name(string(d.Type)) + " discount" }

// presentDiscounts lists the discounts of the offers, by type.
func (g OfferGrid) presentDiscounts() []view.DiscountChoice {
	var choices []view.DiscountChoice
	for _, d := range g.discountsOffered() {
		c := view.DiscountChoice{Type: string(d.Type), Name: text.Name(string(d.Type)), Selected: g.asks(d.Type)}
		if d.RateAmount != nil {
			c.Amount = "−" + text.Percent(d.RateAmount)
		}
		switch {
		case d.Type.Autopay():
			c.Control = "autoPayDiscountEnabled"
		case d.Type.CreditUnion():
			c.Control = "cuDiscountEnabled"
		}
		choices = append(choices, c)
	}
	return choices
}
