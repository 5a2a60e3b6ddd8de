package offers

import (
	"slices"
	"strings"

	"hearthline/internal/heloc"
)

// estimateDiscounts lowers the rates of the grid by the discounts to select that the lender has not priced in: the offer
// carries their amounts, and the lender subtracts them at the selection (section 4.4). A saved quote is shown as it was.
func (p *OfferGrid) estimateDiscounts() {
	if p.historical {
		return
	}
	for _, d := range p.discountsOffered() {
		if d.RateAmount != nil && p.selects(d.Type) && !p.includes(d.Type) {
			p.estimatedDiscounts = append(p.estimatedDiscounts, d)
		}
	}
	if len(p.estimatedDiscounts) == 0 {
		return
	}
	p.All = slices.Clone(p.All)
	for i := range p.All {
		p.All[i].Rate = p.discountedRate(p.All[i])
	}
}

// discountedRate is an offer's rate less the estimated discounts that the offer has; nil if its rate is unknown.
func (p *OfferGrid) discountedRate(o heloc.Offer) *heloc.Rate {
	if o.Rate == nil {
		return nil
	}
	rate := *o.Rate
	for _, d := range o.Discounts {
		if d.RateAmount != nil && p.estimates(d.Type) {
			rate -= *d.RateAmount
		}
	}
	rate = max(0, rate)
	return &rate
}

// estimates reports whether the rates of the grid include a discount as we estimate it.
func (p *OfferGrid) estimates(kind heloc.DiscountType) bool {
	return slices.ContainsFunc(p.estimatedDiscounts, func(d heloc.Discount) bool { return d.Type == kind })
}

// selects reports whether a discount is selected with an offer of the grid.
func (p *OfferGrid) selects(kind heloc.DiscountType) bool {
	return slices.Contains(p.Query.discounts, string(kind)) || p.asks(kind)
}

// estimatedDiscountsText says which discounts the rates include as we estimate them; it is empty without any.
func (p *OfferGrid) estimatedDiscountsText() string {
	if len(p.estimatedDiscounts) == 0 {
		return ""
	}
	names := make([]string, len(p.estimatedDiscounts))
	for i, d := range p.estimatedDiscounts {
		names[i] = discountWord(d.Type) + " discount (−" + d.RateAmount.String() + ")"
	}
	return " The rates include our estimate of the " + strings.Join(names, " and the ") + ". The lender sets the final rate."
}
