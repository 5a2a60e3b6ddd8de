package offers

import (
	"slices"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// requotes reports whether the lender may calculate offers for the draw of the grid.
func (p OfferGrid) requotes() bool { return !p.Query.quotesUnsupported && !p.noQuotes }

// quoted reports whether the lender supplied the figures for exactly what the grid shows: draw,
// debts and discounts.
func (p OfferGrid) quoted() bool {
	return p.Current != nil && !p.Current.Payoff && p.Current.Request.Amount != nil && *p.Current.Request.Amount == p.Query.Draw
}

// choosable says whether an offer may be selected at these figures. Without quotes, what the
// lender gave for no draw in particular is all there is. The same is true after a failed quote.
func (p OfferGrid) choosable() bool {
	return p.quoted() || !p.requotes() || p.Query.quoteFailed && !p.noPayoffOffers() && !p.noDrawOffers()
}

// due reports whether the page should request a quote for what the grid shows at once.
func (p OfferGrid) due() bool {
	if p.choosable() || p.historical || p.Query.failure != "" || len(p.Query.fieldErrors) > 0 || p.noPayoffOffers() || p.noDrawOffers() || p.Query.Draw <= 0 || p.Query.Draw < p.payoffTotal {
		return false
	}
	return p.hasOffersAtDraw()
}

// hasOffersAtDraw reports whether the draw is within the limits of at least one offer.
func (p OfferGrid) hasOffersAtDraw() bool {
	return slices.ContainsFunc(p.All, func(o heloc.Offer) bool { return outOfRangeText(o, p.Query.Draw) == "" })
}

// noDrawOffers reports whether the lender has no offers for exactly what the grid is asked.
func (p OfferGrid) noDrawOffers() bool { return p.requotes() && p.Query.noOffersIn(p.Summaries) }

// payoffText names the debts that the figures of the grid pay off; empty without any.
func (p OfferGrid) payoffText() string {
	if len(p.payoffDebts) == 0 {
		return ""
	}
	return " that pays off " + text.Pluralize(len(p.payoffDebts), "debt", "debts") + " of " + text.Money(p.payoffTotal)
}

// source says what the figures of the grid belong to.
func (p OfferGrid) source() string {
	debts := p.payoffText()
	switch {
	case len(p.All) == 0:
		return ""
	case p.quoted():
		words := "The lender quoted these rates for a " + p.drawName() + " of " + text.Money(p.Query.Draw) + debts
		if names := p.discountsIn(); len(names) > 0 {
			words += ", including the " + strings.Join(names, " and the ") + " discount"
		}
		return words + "." + p.estimatedDiscountsText()
	case p.Current != nil:
		return "The lender provided these rates for a line" + debts + ", without a draw amount." + p.estimated()
	default:
		return "The lender provided these rates without a draw amount." + p.estimated()
	}
}

func (p OfferGrid) estimated() string {
	if p.Query.Draw <= 0 || !p.hasOffersAtDraw() {
		return ""
	}
	return " The payments are our estimates for " + text.Money(p.Query.Draw) + "." + p.estimatedDiscountsText()
}

// cannotSelectText states why no offer can be selected at these figures yet; it is empty if one can.
func (p OfferGrid) cannotSelectText() string {
	switch {
	case p.choosable():
		return ""
	case p.noPayoffOffers():
		return "To select an offer, choose debts that the lender has offers for."
	case p.noDrawOffers():
		return "The lender has no offers for a " + p.drawName() + " of " + text.Money(p.Query.Draw) + p.payoffText() + "."
	default:
		return "To select an offer, get a quote for a " + p.drawName() + " of " + text.Money(p.Query.Draw) + "."
	}
}

// excluded names the ticked discounts that the figures do not include.
func (p OfferGrid) excluded() string {
	var names []string
	for _, d := range p.discountsOffered() {
		selected := slices.Contains(p.Query.discounts, string(d.Type)) || p.Query.quoteFailed && p.asks(d.Type)
		if selected && !p.includes(d.Type) && !p.estimates(d.Type) {
			names = append(names, discountWord(d.Type))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "The figures don’t include the " + strings.Join(names, " and the ") + " discount. The lender sets the final rate and payment."
}

// includes reports whether the rates of the grid include a discount.
func (p OfferGrid) includes(kind heloc.DiscountType) bool {
	return p.quoted() && p.asks(kind)
}

// discountsIn names the discounts that the rates of the grid include.
func (p OfferGrid) discountsIn() []string {
	if !p.quoted() {
		return nil
	}
	var names []string
	if p.Query.Autopay {
		names = append(names, "autopay")
	}
	if p.Query.creditUnion {
		names = append(names, "credit union")
	}
	return names
}

func discountWord(kind heloc.DiscountType) string { return strings.ToLower(text.Name(string(kind))) }

// discountsOffered lists the discounts of the offers, each type once.
func (p OfferGrid) discountsOffered() []heloc.Discount { return discountsOf(p.All) }

func discountsOf(offers []heloc.Offer) []heloc.Discount {
	var all []heloc.Discount
	for _, o := range offers {
		for _, d := range o.Discounts {
			if !slices.ContainsFunc(all, func(known heloc.Discount) bool { return known.Type == d.Type }) {
				all = append(all, d)
			}
		}
	}
	return all
}

// discountsAsked lists the discounts to select. Those that the quote was requested with follow the
// query, so that the selection matches the quote.
func (p OfferGrid) discountsAsked() []string {
	selected := slices.Clone(p.Query.discounts)
	for _, d := range p.discountsOffered() {
		switch {
		case p.requotes() && (d.Type.Autopay() || d.Type.CreditUnion()):
			selected = slices.DeleteFunc(selected, func(kind string) bool { return kind == string(d.Type) })
		case p.asks(d.Type) && !slices.Contains(selected, string(d.Type)):
			selected = append(selected, string(d.Type))
		}
	}
	return selected
}

// asks reports whether the query of the grid includes a discount.
func (p OfferGrid) asks(kind heloc.DiscountType) bool {
	return kind.Autopay() && p.Query.Autopay || kind.CreditUnion() && p.Query.creditUnion
}

// readTickedDiscounts sets the discounts of the query to those that were ticked for selection. It is for forms
// that contain them; a discount that no offer has stays as it was.
func (a *GridQuery) readTickedDiscounts(offers []heloc.Offer) {
	for _, o := range offers {
		for _, d := range o.Discounts {
			selected := slices.Contains(a.discounts, string(d.Type))
			switch {
			case d.Type.Autopay():
				a.Autopay = selected
			case d.Type.CreditUnion():
				a.creditUnion = selected
			}
		}
	}
}
