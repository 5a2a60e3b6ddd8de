package sandbox

import (
	"math/big"

	"hearthline/internal/heloc"
)

// The figures here are computed without the portal's code, so that an error which both would share shows as a
// difference between an estimate and a booking.

// loanTerms is how this lender charges its fee and how its variable lines are repaid.
type loanTerms struct {
	feeDeducted bool
	drawYears   map[int]int // the draw period in years, by the term in months
}

// loan is the loan amount of a draw: with the fee financed on top, or the draw itself if the fee is deducted from it.
func (t loanTerms) loan(draw heloc.Money, fee heloc.Rate) heloc.Money {
	if t.feeDeducted {
		return draw
	}
	return draw + percentOf(draw, fee)
}

// percentOf is a percentage of an amount, rounded half up to the cent.
func percentOf(m heloc.Money, r heloc.Rate) heloc.Money {
	product := new(big.Rat).Mul(big.NewRat(int64(m), 1), big.NewRat(int64(r), 1_000_000))
	return toCents(product)
}

// monthlyInterest is the interest of one month, rounded half up to the cent.
func monthlyInterest(owed heloc.Money, rate heloc.Rate) heloc.Money {
	return toCents(new(big.Rat).Mul(big.NewRat(int64(owed), 1), big.NewRat(int64(rate), 12_000_000)))
}

// levelPayment is the equal monthly payment whose present value over the term is the loan, rounded half up to the cent.
func levelPayment(loan heloc.Money, rate heloc.Rate, months int) heloc.Money {
	const precision = 256
	number := func(n int64) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(n) }
	discount := number(12_000_000)
	discount.Quo(discount, number(12_000_000+int64(rate)))
	present, factor := number(0), number(1)
	for range months {
		factor.Mul(factor, discount)
		present.Add(present, factor)
	}
	payment := number(int64(loan))
	payment.Quo(payment, present)
	cents, _ := payment.Rat(nil)
	return toCents(cents)
}

// toCents rounds half up to the cent.
func toCents(r *big.Rat) heloc.Money {
	twice := new(big.Int).Add(new(big.Int).Mul(r.Num(), big.NewInt(2)), r.Denom())
	return heloc.Money(twice.Div(twice, new(big.Int).Mul(r.Denom(), big.NewInt(2))).Int64())
}

// payment is the lender's estimate: fully amortizing for a fixed rate, interest only in the draw period of a
// variable one.
func (s *selection) payment() heloc.Money {
	if s.Offer.RateType == heloc.RateFloating {
		return monthlyInterest(s.Loan, s.Rate)
	}
	return levelPayment(s.Loan, s.Rate, int(*s.Offer.Term))
}

// drawPeriod is the draw period of a variable line in years, and its payment afterward; ok is false for other lines.
func (s *selection) drawPeriod(t loanTerms) (years int, afterward heloc.Money, ok bool) {
	term := int(*s.Offer.Term)
	years = t.drawYears[term]
	if s.Offer.RateType != heloc.RateFloating || years == 0 {
		return 0, 0, false
	}
	return years, levelPayment(s.Loan, s.Rate, term-12*years), true
}
