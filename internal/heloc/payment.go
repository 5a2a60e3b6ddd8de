package heloc

import "math/big"

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
	product := big.NewInt(int64(draw))
	product.Mul(product, big.NewInt(int64(fee)))
	return Money(divHalfUp(product, 1_000_000))
}

// Payment is the monthly payment that repays the loan in equal installments at an annual
// rate, rounded half up to the cent; zero when a figure is missing. It is our estimate, never
// the lender's figure.
func Payment(loan Money, rate Rate, months int) Money {
	if loan <= 0 || months <= 0 || months > 1200 || rate < 0 {
		return 0
	}
	if rate == 0 {
		return Money(divHalfUp(big.NewInt(int64(loan)), int64(months)))
	}
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

// InterestOnly is the monthly payment while only interest is due.
func InterestOnly(loan Money, rate Rate) Money {
	if loan <= 0 || rate < 0 {
		return 0
	}
	product := big.NewInt(int64(loan))
	product.Mul(product, big.NewInt(int64(rate)))
	return Money(divHalfUp(product, 12_000_000))
}

func newFloat(v float64) *big.Float { return new(big.Float).SetPrec(floatPrecision).SetFloat64(v) }

func roundHalfUp(f *big.Float) Money {
	v, _ := newFloat(0).Add(f, newFloat(0.5)).Int64()
	return Money(v)
}

func divHalfUp(n *big.Int, d int64) int64 {
	n.Mul(n, big.NewInt(2)).Add(n, big.NewInt(d))
	return n.Div(n, big.NewInt(2*d)).Int64()
}
