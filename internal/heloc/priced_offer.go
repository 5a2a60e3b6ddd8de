package heloc

import "math/big"

// PricedOffer is one offer at one draw: what our estimates are worked out from. Payments are
// equal months from the first one on; what the lender may do in a draw window is not
// known to the interface, and not guessed.
type PricedOffer struct {
	Draw   Money // total, before debts are paid from it
	Fee    Rate  // origination fee, percent
	Rate   Rate  // a year, percent
	Months int
	Method FeeMethod
}

// FeeAmount is the fee in money.
func (p PricedOffer) FeeAmount() Money { return FeeAmount(p.Draw, p.Fee) }

// Loan is what is owed on day one.
func (p PricedOffer) Loan() Money { return LoanAmount(p.Draw, p.Fee, p.Method) }

// NetCash is what the borrower and the debts paid off receive together: the draw, less a
// fee that is taken out of it.
func (p PricedOffer) NetCash() Money {
	if p.Method == FeeDeducted {
		return p.Draw - p.FeeAmount()
	}
	return p.Draw
}

// Payment is the monthly estimate; zero when a figure is missing.
func (p PricedOffer) Payment() Money { return Payment(p.Loan(), p.Rate, p.Months) }

// PaymentAt is the monthly estimate after the rate has moved by so many points from the
// first day on; never below a rate of nothing.
func (p PricedOffer) PaymentAt(points Rate) Money {
	return Payment(p.Loan(), max(0, p.Rate+points), p.Months)
}

// TotalInterest is all interest if nothing changes; zero when a figure is missing.
func (p PricedOffer) TotalInterest() Money {
	pay := p.Payment()
	if pay == 0 {
		return 0
	}
	return TotalInterest(p.Loan(), pay, p.Months)
}

// Balances is what is owed after each month: the loan first, nothing last. Interest of a
// month is half up to the cent, and the last payment takes the cents that are left. It is
// empty when a figure is missing.
func (p PricedOffer) Balances() []Money {
	pay, owed := p.Payment(), p.Loan()
	if pay == 0 {
		return nil
	}
	all := make([]Money, p.Months+1)
	for month := range p.Months {
		all[month] = owed
		owed = max(0, owed+InterestOnly(owed, p.Rate)-pay)
	}
	return all
}

// BreakEven is the first month from which the offer with the higher fee has cost less than
// the other one of the same term, counting every payment and what is still owed, for the
// same cash in hand. ok is false when it never does, or a figure is missing.
func BreakEven(lower, higher PricedOffer) (month int, ok bool) {
	a, b := lower.Balances(), higher.Balances()
	if len(a) == 0 || len(a) != len(b) || higher.FeeAmount() <= lower.FeeAmount() {
		return 0, false
	}
	payA, payB := lower.Payment(), higher.Payment()
	cash := higher.NetCash() - lower.NetCash()
	for m := 1; m < len(a); m++ {
		if payB*Money(m)+b[m]-cash < payA*Money(m)+a[m] {
			return m, true
		}
	}
	return 0, false
}

// Headroom is what a fee stays below the cap on it; below zero when it is above. ok is
// false where there is no cap.
func Headroom(fee Money, caps ...*Money) (room Money, ok bool) {
	for _, most := range caps {
		if most == nil {
			continue
		}
		if left := *most - fee; !ok || left < room {
			room, ok = left, true
		}
	}
	return room, ok
}

// Debt is a balance at a yearly rate.
type Debt struct {
	Balance Money
	Rate    Rate
}

// WeightedRate is the rate of several debts together, each counted by its balance, half
// up to a ten-thousandth of a point. ok is false when they come to nothing.
func WeightedRate(debts []Debt) (rate Rate, ok bool) {
	product, sum := new(big.Int), int64(0)
	for _, d := range debts {
		product.Add(product, new(big.Int).Mul(big.NewInt(int64(d.Balance)), big.NewInt(int64(d.Rate))))
		sum += int64(d.Balance)
	}
	if sum <= 0 {
		return 0, false
	}
	return Rate(divHalfUp(product, sum)), true
}
