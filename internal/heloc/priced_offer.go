package heloc

import "math/big"

// PricedOffer is one offer at one draw: the input of our estimates. Payments are equal from
// the first month on; the interface does not specify what happens in a draw window, and we
// do not guess.
type PricedOffer struct {
	Draw   Money // total, before debts are paid from it
	Fee    Rate  // origination fee, percent
	Rate   Rate  // annual, percent
	Months int
	Method FeeMethod
}

// FeeAmount is the fee as an amount.
func (p PricedOffer) FeeAmount() Money { return FeeAmount(p.Draw, p.Fee) }

// Loan is the balance on day one.
func (p PricedOffer) Loan() Money { return LoanAmount(p.Draw, p.Fee, p.Method) }

// NetCash is what the borrower and the debts paid off receive together: the draw, minus the
// fee when the fee is deducted.
func (p PricedOffer) NetCash() Money {
	if p.Method == FeeDeducted {
		return p.Draw - p.FeeAmount()
	}
	return p.Draw
}

// Payment is the monthly estimate; zero when a figure is missing.
func (p PricedOffer) Payment() Money { return Payment(p.Loan(), p.Rate, p.Months) }

// PaymentAt is the monthly estimate if the rate changed by so many points on the first day;
// the rate does not go below zero.
func (p PricedOffer) PaymentAt(points Rate) Money {
	return Payment(p.Loan(), max(0, p.Rate+points), p.Months)
}

// TotalInterest is the interest of the whole schedule if the rate does not change; zero when a figure
// is missing.
func (p PricedOffer) TotalInterest() Money {
	pay, owed, paid := p.Payment(), p.Loan(), Money(0)
	if pay == 0 {
		return 0
	}
	for range p.Months {
		interest := InterestOnly(owed, p.Rate)
		owed, paid = max(0, owed+interest-pay), paid+interest
	}
	return paid
}

// InterestPaid is the interest paid up to each month of the schedule of Balances: zero first, the
// total last. It is empty when a figure is missing.
func (p PricedOffer) InterestPaid() []Money {
	owed := p.Balances()
	paid := make([]Money, len(owed))
	for month := 1; month < len(owed); month++ {
		paid[month] = paid[month-1] + InterestOnly(owed[month-1], p.Rate)
	}
	return paid
}

// Balances is the balance after each month: the loan first, zero last. Each month's interest
// is rounded half up to the cent, and the last payment absorbs the remaining cents. It is
// empty when a figure is missing.
func (p PricedOffer) Balances() []Money {
	pay, owed := p.Payment(), p.Loan()
	if pay == 0 {
		return nil
	}
	all := make([]Money, p.Months+1)
	for month := range p.Months {
		all[month] = owed
		owed = p.after(owed, pay)
	}
	return all
}

// BreakEven is the first month from which the offer with the higher fee has cost less than
// the other one with the same term, counting every payment and the remaining balance, for the
// same cash received. ok is false when there is no such month or a figure is missing.
func BreakEven(lower, higher PricedOffer) (month int, ok bool) {
	payA, payB := lower.Payment(), higher.Payment()
	if payA == 0 || payB == 0 || lower.Months != higher.Months || higher.FeeAmount() <= lower.FeeAmount() {
		return 0, false
	}
	owedA, owedB := lower.Loan(), higher.Loan()
	cash := higher.NetCash() - lower.NetCash()
	for m := 1; m <= lower.Months; m++ {
		owedA, owedB = lower.after(owedA, payA), higher.after(owedB, payB)
		if m == lower.Months {
			owedA, owedB = 0, 0 // the last payment absorbs the remaining cents
		}
		if payB*Money(m)+owedB-cash < payA*Money(m)+owedA {
			return m, true
		}
	}
	return 0, false
}

// after is the balance one month later.
func (p PricedOffer) after(owed, pay Money) Money {
	return max(0, owed+InterestOnly(owed, p.Rate)-pay)
}

// Headroom is the amount by which a fee is below the lowest of its caps; negative when it is
// above. ok is false when there is no cap.
func Headroom(fee Money, caps ...*Money) (headroom Money, ok bool) {
	for _, limit := range caps {
		if limit == nil {
			continue
		}
		if margin := *limit - fee; !ok || margin < headroom {
			headroom, ok = margin, true
		}
	}
	return headroom, ok
}

// Debt is a balance with its annual rate.
type Debt struct {
	Balance Money
	Rate    Rate
}

// WeightedRate is the average rate of several debts, weighted by balance and rounded half up
// to a ten-thousandth of a point. ok is false when the balances add up to zero.
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
