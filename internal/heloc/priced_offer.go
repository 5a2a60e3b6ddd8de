package heloc

import "math/big"

// PricedOffer is one offer at one draw: the input of our estimates. Payments are equal from the first month on, except
// that an interest-only offer is paid with interest alone while it can be drawn and is amortized over the remaining
// months afterward. Every figure assumes that the rate does not change and that nothing more is drawn.
type PricedOffer struct {
	Draw         Money // total, before debts are paid from it
	Fee          Rate  // origination fee, percent
	FeeUnknown   bool  // every amount that includes the fee is unknown then
	Rate         Rate  // annual, percent
	Months       int   // the term; zero if unknown, then there is no payment
	Method       FeeMethod
	InterestOnly bool // interest only during the draw period
	DrawMonths   int  // the draw period of an interest-only offer; zero if unknown
}

// FeeAmount is the fee as an amount.
func (p PricedOffer) FeeAmount() Money { return FeeAmount(p.Draw, p.Fee) }

// Loan is the balance on day one; zero if it includes an unknown fee.
func (p PricedOffer) Loan() Money {
	if p.FeeUnknown && p.Method != FeeDeducted {
		return 0
	}
	return LoanAmount(p.Draw, p.Fee, p.Method)
}

// NetCash is what the borrower and the debts paid off receive together: the draw, minus the
// fee when the fee is deducted; zero if that fee is unknown.
func (p PricedOffer) NetCash() Money {
	switch {
	case p.Method != FeeDeducted:
		return p.Draw
	case p.FeeUnknown:
		return 0
	default:
		return p.Draw - p.FeeAmount()
	}
}

// Payment is the estimate of the first monthly payment; zero when a figure is missing.
func (p PricedOffer) Payment() Money {
	switch {
	case !p.InterestOnly:
		return Payment(p.Loan(), p.Rate, p.Months)
	case p.Months <= 0:
		return 0
	default:
		return InterestOnly(p.Loan(), p.Rate)
	}
}

// Afterward is the estimate of the monthly payment after the draw period of an interest-only offer: the whole loan
// amortized over the remaining months. It is zero for other offers, and when the draw period is not known.
func (p PricedOffer) Afterward() Money {
	if !p.InterestOnly || !p.ScheduleKnown() {
		return 0
	}
	return Payment(p.Loan(), p.Rate, p.Months-p.DrawMonths)
}

// ScheduleKnown reports whether every payment of the term is known, and with it the totals and balances. It returns
// false for an interest-only offer whose draw period is unknown.
func (p PricedOffer) ScheduleKnown() bool {
	return p.Payment() > 0 && (!p.InterestOnly || p.DrawMonths > 0 && p.DrawMonths < p.Months)
}

// AtHigherRate returns the offer with its rate changed by points from the first day on; the rate does not go below
// zero.
func (p PricedOffer) AtHigherRate(points Rate) PricedOffer {
	p.Rate = max(0, p.Rate+points)
	return p
}

// TotalInterest is the interest of the whole schedule; zero when a figure is missing.
func (p PricedOffer) TotalInterest() Money {
	paid := p.InterestPaid()
	if len(paid) == 0 {
		return 0
	}
	return paid[len(paid)-1]
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
	if !p.ScheduleKnown() {
		return nil
	}
	afterward, owed := p.amortizingPayment(), p.Loan()
	all := make([]Money, p.Months+1)
	for month := range p.Months {
		all[month] = owed
		if month >= p.DrawMonths {
			owed = max(0, owed+InterestOnly(owed, p.Rate)-afterward)
		}
	}
	return all
}

// amortizingPayment is the payment once the loan is amortized.
func (p PricedOffer) amortizingPayment() Money {
	if p.InterestOnly {
		return p.Afterward()
	}
	return p.Payment()
}

// BreakEven is the first month from which the offer with the higher fee has cost less than
// the other one with the same term, counting every payment and the remaining balance, for the
// same cash received. ok is false when there is no such month or a figure is missing.
func BreakEven(lower, higher PricedOffer) (month int, ok bool) {
	a, b := lower.Balances(), higher.Balances()
	if len(a) == 0 || len(a) != len(b) || higher.FeeAmount() <= lower.FeeAmount() {
		return 0, false
	}
	cash := higher.NetCash() - lower.NetCash()
	payA, payB := lower.payments(), higher.payments()
	var paidA, paidB Money
	for m := 1; m < len(a); m++ {
		paidA, paidB = paidA+payA.in(m), paidB+payB.in(m)
		if paidB+b[m]-cash < paidA+a[m] {
			return m, true
		}
	}
	return 0, false
}

// payments are the two payments of a schedule. Those of the first months are different from the rest only for an
// interest-only offer.
type payments struct {
	first, afterward Money
	firstMonths      int
}

func (p PricedOffer) payments() payments {
	return payments{first: p.Payment(), afterward: p.amortizingPayment(), firstMonths: p.DrawMonths}
}

// in returns the payment of a month; the first month is 1.
func (p payments) in(month int) Money {
	if month <= p.firstMonths {
		return p.first
	}
	return p.afterward
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
