package offers

import (
	"slices"

	"hearthline/internal/heloc"
)

// shown returns the figures that the grid shows for an offer, with the discounts to select.
func (p OfferGrid) shown(o heloc.Offer, discounts []string) *heloc.OfferFigures {
	priced := p.estimateAt(o)
	draw, loan := p.Query.Draw, priced.Loan()
	f := heloc.OfferFigures{RateType: o.RateType, Amount: &draw, Rate: o.Rate, Discounts: slices.Sorted(slices.Values(discounts)), LoanAmount: &loan}
	if payment := priced.Payment(); payment > 0 {
		f.Payment = &payment
	}
	if o.OriginationFeePercent != nil {
		fee := priced.FeeAmount()
		f.Fee = &fee
	}
	return &f
}
