package text

import (
	"cmp"
	"strings"

	"hearthline/internal/heloc"
)

// OfferFigure is the text of a figure of an offer; it is empty if the figure is unknown.
func OfferFigure(f heloc.OfferFigures, figure heloc.Figure) string {
	switch figure {
	case heloc.FigureAmount:
		return Dollars(f.Amount)
	case heloc.FigureRate:
		return Percent(f.Rate)
	case heloc.FigurePayment:
		return Dollars(f.Payment)
	case heloc.FigureLoanAmount:
		return Dollars(f.LoanAmount)
	case heloc.FigureFee:
		return Dollars(f.Fee)
	default:
		names := make([]string, len(f.Discounts))
		for i, kind := range f.Discounts {
			names[i] = Name(kind)
		}
		return strings.Join(names, ", ")
	}
}

var offerFigures = map[string]string{
	"amount": "Draw", "rate": "Rate", "discounts": "Discounts", "payment": "Monthly payment", "loan-amount": "Loan amount",
	"fee": "Fee",
}

// OfferFigureName is the name of a figure of an offer that was compared with the lender's booking.
func OfferFigureName(name string) string { return lookup(offerFigures, name) }

// Afterward is the payment after the draw period of an interest-only offer, which is higher. It is empty for other
// offers.
func Afterward(at heloc.PricedOffer) string {
	if !at.InterestOnly || at.Payment() <= 0 {
		return ""
	}
	return cmp.Or(MoneyOrEmpty(at.Afterward()), "rises")
}
