package offers

import (
	"slices"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// requotes reports whether the lender may calculate offers for the draw of the grid.
func (g OfferGrid) requotes() bool { return !g.Query.quotesUnsupported && !g.noQuotes }

// quoted reports whether the lender supplied the figures for exactly what the grid shows: draw,
// debts and discounts.
func (g OfferGrid) quoted() bool {
	return g.Current != nil && !g.Current.Payoff && g.Current.Request.Amount != nil &&
		*g.Current.Request.Amount == g.Query.Draw
}

// choosable says whether an offer may be selected at these figures. Without quotes, what the
// lender gave for no draw in particular is all there is. The same is true after a failed quote.
func (g OfferGrid) choosable() bool {
	return g.quoted() || !g.requotes() || g.Query.quoteFailed && !g.noPayoffOffers() && !g.noDrawOffers()
}

// due reports whether the page should request a quote for what the grid shows at once.
func (g OfferGrid) due() bool {
	if g.choosable() || g.historical || g.Query.failure != "" || len(g.Query.fieldErrors) > 0 || g.noPayoffOffers() ||
		g.noDrawOffers() || g.Query.Draw <= 0 || g.Query.Draw < g.payoffTotal {
		return false
	}
	return g.hasOffersAtDraw()
}

// hasOffersAtDraw reports whether the draw is within the limits of at least one offer.
func (g OfferGrid) hasOffersAtDraw() bool {
	return slices.ContainsFunc(g.All, func(o heloc.Offer) bool { return outOfRangeText(o, g.Query.Draw) == "" })
}

// noDrawOffers reports whether the lender has no offers for exactly what the grid is asked.
func (g OfferGrid) noDrawOffers() bool { return g.requotes() && g.Query.noOffersIn(g.Summaries) }

// payoffText names the debts that the figures of the grid pay off; empty without any.
func (g OfferGrid) payoffText() string {
	if len(g.payoffDebts) == 0 {
		return ""
	}
	return " that pays off " + text.Pluralize(len(g.payoffDebts), "debt", "debts") + " of " + g.payoffsTotal()
}

// source says what the figures of the grid belong to.
func (g OfferGrid) source() string {
	debts := g.payoffText()
	switch {
	case len(g.All) == 0:
		return ""
	case g.quoted():
		words := "The lender quoted these rates for a " + g.drawName() + " of " + text.Money(g.Query.Draw) + debts
		var names []string
		if g.Query.Autopay {
			names = append(names, "autopay")
		}
		if g.Query.creditUnion {
			names = append(names, "credit union")
		}
		if len(names) > 0 {
			words += ", including the " + strings.Join(names, " and the ") + " discount"
		}
		return words + "." + g.estimatedDiscountsText()
	case g.Current != nil:
		return "The lender provided these rates for a line" + debts + ", without a draw amount." + g.estimated()
	default:
		return "The lender provided these rates without a draw amount." + g.estimated()
	}
}

func (g OfferGrid) estimated() string {
	if g.Query.Draw <= 0 || !g.hasOffersAtDraw() {
		return ""
	}
	return " The payments are our estimates for " + text.Money(g.Query.Draw) + "." + g.estimatedDiscountsText()
}

// cannotSelectText states why no offer can be selected at these figures yet; it is empty if one can.
func (g OfferGrid) cannotSelectText() string {
	switch {
	case g.choosable():
		return ""
	case g.noPayoffOffers():
		return "To select an offer, choose debts that the lender has offers for."
	case g.noDrawOffers():
		return "The lender has no offers for a " + g.drawName() + " of " + text.Money(g.Query.Draw) + g.payoffText() + "."
	default:
		return "To select an offer, get a quote for a " + g.drawName() + " of " + text.Money(g.Query.Draw) + "."
	}
}

// excluded names the ticked discounts that the figures do not include.
func (g OfferGrid) excluded() string {
	var names []string
	for _, d := range g.discountsOffered() {
		selected := slices.Contains(g.Query.discounts, string(d.Type)) || g.Query.quoteFailed && g.asks(d.Type)
		if selected && !g.includes(d.Type) && !g.estimates(d.Type) {
			names = append(names, discountWord(d.Type))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "The figures don’t include the " + strings.Join(names, " and the ") +
		" discount. The lender sets the final rate and payment."
}

// includes reports whether the rates of the grid include a discount.
func (g OfferGrid) includes(kind heloc.DiscountType) bool {
	return g.quoted() && g.asks(kind)
}

func discountWord(kind heloc.DiscountType) string { return strings.ToLower(text.Name(string(kind))) }

// discountsOffered lists the discounts of the offers, each type once.
func (g OfferGrid) discountsOffered() []heloc.Discount { return discountsOf(g.All) }

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
func (g OfferGrid) discountsAsked() []string {
	selected := slices.Clone(g.Query.discounts)
	for _, d := range g.discountsOffered() {
		switch {
		case g.requotes() && (d.Type.Autopay() || d.Type.CreditUnion()):
			selected = slices.DeleteFunc(selected, func(kind string) bool { return kind == string(d.Type) })
		case g.asks(d.Type) && !slices.Contains(selected, string(d.Type)):
			selected = append(selected, string(d.Type))
		}
	}
	return selected
}

// asks reports whether the query of the grid includes a discount.
func (g OfferGrid) asks(kind heloc.DiscountType) bool {
	return kind.Autopay() && g.Query.Autopay || kind.CreditUnion() && g.Query.creditUnion
}

// readTickedDiscounts sets the discounts of the query to those that were ticked for selection. It is for forms
// that contain them; a discount that no offer has stays as it was.
func (q *GridQuery) readTickedDiscounts(offers []heloc.Offer) {
	for _, o := range offers {
		for _, d := range o.Discounts {
			selected := slices.Contains(q.discounts, string(d.Type))
			switch {
			case d.Type.Autopay():
				q.Autopay = selected
			case d.Type.CreditUnion():
				q.creditUnion = selected
			}
		}
	}
}

// estimateDiscounts lowers the rates of the grid by the discounts to select that the lender has not priced in: the
// offer carries their amounts, and the lender subtracts them at the selection (section 4.4). A saved quote is shown
// as it was.
func (g *OfferGrid) estimateDiscounts() {
	if g.historical {
		return
	}
	for _, d := range g.discountsOffered() {
		if d.RateAmount != nil && g.selects(d.Type) && !g.includes(d.Type) {
			g.estimatedDiscounts = append(g.estimatedDiscounts, d)
		}
	}
	if len(g.estimatedDiscounts) == 0 {
		return
	}
	g.All = slices.Clone(g.All)
	for i := range g.All {
		g.All[i].Rate = g.discountedRate(g.All[i])
	}
}

// discountedRate is an offer's rate less the estimated discounts that the offer has; nil if its rate is unknown.
func (g *OfferGrid) discountedRate(o heloc.Offer) *heloc.Rate {
	if o.Rate == nil {
		return nil
	}
	rate := *o.Rate
	for _, d := range o.Discounts {
		if d.RateAmount != nil && g.estimates(d.Type) {
			rate -= *d.RateAmount
		}
	}
	rate = max(0, rate)
	return &rate
}

// estimates reports whether the rates of the grid include a discount as we estimate it.
func (g *OfferGrid) estimates(kind heloc.DiscountType) bool {
	return slices.ContainsFunc(g.estimatedDiscounts, func(d heloc.Discount) bool { return d.Type == kind })
}

// selects reports whether a discount is selected with an offer of the grid.
func (g *OfferGrid) selects(kind heloc.DiscountType) bool {
	return slices.Contains(g.Query.discounts, string(kind)) || g.asks(kind)
}

// estimatedDiscountsText says which discounts the rates include as we estimate them; it is empty without any.
func (g *OfferGrid) estimatedDiscountsText() string {
	if len(g.estimatedDiscounts) == 0 {
		return ""
	}
	names := make([]string, len(g.estimatedDiscounts))
	for i, d := range g.estimatedDiscounts {
		names[i] = discountWord(d.Type) + " discount (−" + d.RateAmount.String() + ")"
	}
	return " The rates include our estimate of the " + strings.Join(names, " and the ") +
		". The lender sets the final rate."
}
