package heloc

import "slices"

// VariablePayment is how a variable offer is repaid (PARTNER_VARIABLE_PAYMENT).
type VariablePayment string

// A variable line is paid with interest only while it can be drawn, and amortized afterward; or it is amortized from
// the first month on, as a fixed one is.
const (
	VariableInterestOnly VariablePayment = "interest-only" // the default
	VariableAmortizing   VariablePayment = "amortizing"
)

// PaymentModel is what our estimates assume about the lender's payments. The contract states none of it, so all of it
// is configured; interface-live.md section 6 has the values of the live service.
type PaymentModel struct {
	Fee         FeeMethod       // whether the fee is added to the draw or deducted from it
	Term        TermUnit        // the unit of an offer's term
	Variable    VariablePayment // how variable offers are repaid; empty means VariableInterestOnly
	DrawYears   map[int]int     // the draw period in years, by the term in months; unknown for other terms
	Unconfirmed []OfferRateType // the model was wrong for these, so that their offers have no payment
}

// Price returns an offer at a draw and a rate, which differs from the offer's own if discounts are not in it. An offer
// without a rate, a term or a known rate type has no payment.
func (m PaymentModel) Price(draw Money, o Offer, rate *Rate) PricedOffer {
	at := PricedOffer{Draw: draw, Method: m.Fee}
	if o.OriginationFeePercent != nil {
		at.Fee = *o.OriginationFeePercent
	}
	if rate == nil || o.Term == nil || slices.Contains(m.Unconfirmed, o.RateType) {
		return at
	}
	return m.repay(at, *rate, m.Term.Months(*o.Term), o.RateType)
}

// repay sets how a priced offer is repaid.
func (m PaymentModel) repay(at PricedOffer, rate Rate, months int, kind OfferRateType) PricedOffer {
	switch kind {
	case RateFixed:
	case RateFloating:
		if m.Variable != VariableAmortizing {
			at.InterestOnly, at.DrawMonths = true, m.DrawYears[months]*12
		}
	default:
		return at // the lender's own rate type: how it is repaid is not known
	}
	at.Rate, at.Months = rate, months
	return at
}

// Selected returns the selected offer with the lender's own loan amount and rate, for our estimate of its payments.
func (m PaymentModel) Selected(s SelectedOffer) PricedOffer {
	at := PricedOffer{Method: FeeDeducted} // the loan amount includes the fee already
	if s.LoanAmount == nil || s.Rate == nil || s.Term == nil || slices.Contains(m.Unconfirmed, s.RateType) {
		return at
	}
	at.Draw = *s.LoanAmount
	return m.repay(at, *s.Rate, m.Term.Months(*s.Term), s.RateType)
}
