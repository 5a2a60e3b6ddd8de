package words

var offerFigures = map[string]string{
	"amount": "Draw", "rate": "Rate", "discounts": "Discounts", "payment": "Monthly payment", "loan-amount": "Loan amount", "fee": "Fee",
}

// OfferFigure is the name of a figure of an offer that was compared with the lender's booking.
func OfferFigure(name string) string { return lookup(offerFigures, name) }
