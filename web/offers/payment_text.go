package offers

import (
	"cmp"
	"slices"
	"strconv"

	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// perMonthText says what an offer costs a month, inside a sentence; it is empty if that is unknown:
//
//	$1,827.67 a month
//	$356.17 a month during the draw period, $1,922.27 afterward
//	$356.17 a month during the draw period, more afterward
func perMonthText(at heloc.PricedOffer) string {
	first := at.Payment()
	switch {
	case first <= 0:
		return ""
	case !at.InterestOnly:
		return text.Money(first) + " a month"
	default:
		return text.Money(first) + " a month during the draw period, " + cmp.Or(text.MoneyOrEmpty(at.Afterward()), "more") +
			" afterward"
	}
}

// drawPeriodText is the length of the draw period, "3 years"; it is empty if there is none or it is unknown.
func drawPeriodText(at heloc.PricedOffer) string {
	if !at.InterestOnly || at.DrawMonths <= 0 {
		return ""
	}
	return text.Months(at.DrawMonths)
}

// drawPeriodOf is the draw period of the grid's offers with a term, "draw 3 yr"; it is empty if there is none or it is
// unknown.
func (g OfferGrid) drawPeriodOf(term heloc.Count) string {
	for _, o := range g.Offers {
		if at := g.estimateAt(o); termOf(o) == term && at.InterestOnly && at.DrawMonths > 0 {
			return "draw " + strconv.Itoa(at.DrawMonths/12) + " yr"
		}
	}
	return ""
}

// paymentsOff reports whether the payments of the grid are not estimated, because they differed from the lender's.
func (g OfferGrid) paymentsOff() bool {
	return slices.Contains(g.Payments.Unconfirmed, g.Query.rateType)
}

// drawPeriodUnknown reports whether the grid has an offer whose payment rises at a time that is unknown.
func (g OfferGrid) drawPeriodUnknown() bool {
	return slices.ContainsFunc(g.Offers, func(o heloc.Offer) bool {
		at := g.estimateAt(o)
		return at.Payment() > 0 && !at.ScheduleKnown()
	})
}

// paymentNote says what the payments of the grid depend on.
func (g OfferGrid) paymentNote() string {
	switch {
	case g.paymentsOff():
		return ""
	case g.Query.rateType != heloc.RateFloating:
		return "The payment is an estimate."
	case g.Payments.Variable == heloc.VariableAmortizing:
		return "The payment is an estimate and changes with prime."
	default:
		return "The payment is an estimate, changes with prime and rises when the draw period ends."
	}
}

// methodText says how a loan is made up and repaid.
func (g OfferGrid) methodText(at heloc.PricedOffer) string {
	words := "net draw plus fee"
	if g.Payments.Fee == heloc.FeeDeducted {
		words = "the draw, from which the fee is deducted"
	}
	switch {
	case at.Payment() <= 0:
		return words
	case at.InterestOnly:
		return words + ", interest only during the draw period, then repaid in equal monthly payments"
	default:
		return words + ", repaid in equal monthly payments"
	}
}
