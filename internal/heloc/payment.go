package heloc

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// FeeMethod is how the origination fee is paid (PARTNER_FEE_METHOD).
type FeeMethod string

// The fee is financed on top of the draw, or deducted from it.
const (
	FeeAdded    FeeMethod = "added"
	FeeDeducted FeeMethod = "deducted"
)

// TermUnit is the unit of an offer's term (PARTNER_TERM_UNIT).
type TermUnit string

// The units of a term.
const (
	TermMonths TermUnit = "months"
	TermYears  TermUnit = "years"
)

// Months converts a term to months.
func (u TermUnit) Months(term Count) int {
	if u == TermYears {
		return int(term) * 12
	}
	return int(term)
}

// floatPrecision is in bits: enough that 360 multiplications do not change the cent.
const floatPrecision = 160

// LoanAmount is the balance on day one for a net draw and a fee in percent:
// draw × (1 + fee) when the fee is added, the draw itself when it is deducted.
func LoanAmount(draw Money, fee Rate, method FeeMethod) Money {
	if method == FeeDeducted {
		return draw
	}
	return draw + FeeAmount(draw, fee)
}

// FeeAmount is the fee as an amount, rounded half up to the cent.
func FeeAmount(draw Money, fee Rate) Money {
	return Money(mulDivHalfUp(int64(draw), int64(fee), 1_000_000))
}

// Payment is the monthly payment that repays the loan in equal installments at an annual
// rate, rounded half up to the cent; zero when a figure is missing. It is our estimate, never
// the lender's figure.
func Payment(loan Money, rate Rate, months int) Money {
	if loan <= 0 || months <= 0 || months > 1200 || rate < 0 {
		return 0
	}
	if rate == 0 {
		return Money(mulDivHalfUp(int64(loan), 1, int64(months)))
	}
	if pay, ok := approximatePayment(float64(loan), float64(rate)/(12*1_000_000), float64(months)); ok {
		return pay
	}
	return exactPayment(loan, rate, months)
}

// approximatePayment calculates a payment in 64 bits, which is about two hundred times as fast as with all digits. ok
// is false when the result is so close to the middle between two cents that its errors could change the cent.
func approximatePayment(loan, monthly, months float64) (pay Money, ok bool) {
	// The relative error of each step is below 1e-15, and that of the whole below 1e-13.
	exact := loan * monthly / -math.Expm1(-months*math.Log1p(monthly))
	whole := math.Floor(exact)
	if exact > 1<<50 || math.Abs(exact-whole-0.5) < 1e-6+exact*1e-11 {
		return 0, false
	}
	return Money(math.Floor(exact + 0.5)), true
}

// exactPayment calculates a payment with all digits that matter.
func exactPayment(loan Money, rate Rate, months int) Money {
	one := newFloat(1)
	monthly := newFloat(0).Quo(newFloat(float64(rate)), newFloat(12*1_000_000))
	growth := newFloat(1)
	factor := newFloat(0).Add(one, monthly)
	for range months {
		growth.Mul(growth, factor)
	}
	// loan × i × g / (g − 1)
	pay := newFloat(0).Mul(newFloat(float64(loan)), monthly)
	pay.Mul(pay, growth)
	pay.Quo(pay, newFloat(0).Sub(growth, one))
	return roundHalfUp(pay)
}

// SameCents reports whether two amounts differ by at most one cent, as they can when they are rounded differently.
func SameCents(a, b Money) bool { return a-b <= 1 && b-a <= 1 }

// InterestOnly is the monthly payment while only interest is due.
func InterestOnly(loan Money, rate Rate) Money {
	if loan <= 0 || rate < 0 {
		return 0
	}
	return Money(mulDivHalfUp(int64(loan), int64(rate), 12_000_000))
}

func newFloat(v float64) *big.Float { return new(big.Float).SetPrec(floatPrecision).SetFloat64(v) }

func roundHalfUp(f *big.Float) Money {
	v, _ := newFloat(0).Add(f, newFloat(0.5)).Int64()
	return Money(v)
}

// mulDivHalfUp is a × b ÷ d, rounded half up. Amounts and rates whose product fits in 64 bits, which are all that
// occur, need no memory.
func mulDivHalfUp(a, b, d int64) int64 {
	if high, low := bits.Mul64(uint64(a), uint64(b)); a >= 0 && b >= 0 && high == 0 && low < 1<<62 {
		return (int64(low) + d/2) / d
	}
	product := big.NewInt(a)
	return divHalfUp(product.Mul(product, big.NewInt(b)), d)
}

func divHalfUp(n *big.Int, d int64) int64 {
	n.Mul(n, big.NewInt(2)).Add(n, big.NewInt(d))
	return n.Div(n, big.NewInt(2*d)).Int64()
}

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
	at := PricedOffer{Draw: draw, Method: m.Fee, FeeUnknown: o.OriginationFeePercent == nil}
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
