package format

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views/words"
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
			names[i] = words.Name(kind)
		}
		return strings.Join(names, ", ")
	}
}
