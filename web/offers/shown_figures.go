package offers

import (
	"net/http"
	"slices"

	"hearthline/internal/heloc"
	"hearthline/web/form"
	"hearthline/web/page"
)

// shownFigures returns the figures that the page of a selection shows for the offer: those of the grid at the submitted
// figures. Nil if the grid does not know the offer or has no draw.
func shownFigures(r *http.Request, l page.Lead, f *form.Form, choice heloc.OfferSelection) (*heloc.OfferFigures, error) {
	if choice.OfferUUID == "" {
		return nil, nil
	}
	model, err := l.View(r.Context())
	if err != nil {
		return nil, err
	}
	query := ParseGridQuery(f.Values)
	quotes, err := loadQuotes(r.Context(), l, model, &query)
	if err != nil {
		return nil, err
	}
	return NewOfferGrid(model, quotes, query).shown(choice.OfferUUID, choice.Discounts), nil
}

// shown returns the figures of an offer at the draw of the grid, with the discounts to select.
func (p OfferGrid) shown(offer string, discounts []string) *heloc.OfferFigures {
	at := slices.IndexFunc(p.known, func(o heloc.Offer) bool { return o.UUID == offer })
	if at < 0 || p.Query.Draw <= 0 {
		return nil
	}
	o := p.known[at]
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
