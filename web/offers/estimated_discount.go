package offers

import (
	"slices"
	"strings"

	"hearthline/internal/heloc"
)

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
