package lead

import (
	"slices"
	"strconv"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/words"
	"hearthline/web/format"
)

// showPlanner maps the debts that the line can pay off: what they come to, what they cost
// a month today as the borrower tells it, and what the line would cost. No ratio is worked
// out: the interface tells no payment of a debt, and no limit.
func (p Priced) showPlanner(debts heloc.PayoffDetails) views.PlannerView {
	v := views.PlannerView{Debts: showDebts(debts, p.Ask.Payoff), Nothing: p.nothing()}
	for i := range v.Debts {
		if m, ok := p.plan.Pays[v.Debts[i].ID]; ok {
			v.Debts[i].Pays = format.TypedMoney(&m)
		}
	}
	if good := p.lastGood(); v.Nothing && len(good) > 0 {
		v.Back = to.PayoffQuery{Accounts: good, Amount: format.TypedMoney(&p.Ask.Draw)}
	}
	if len(p.offs) == 0 {
		return v
	}
	v.Chosen = format.Counted(len(p.offs), "debt", "debts")
	v.Total, v.Before = format.Amount(p.payoff), p.paysToday()
	v.Hand, v.OldRate = format.Amount(p.Ask.Draw-p.payoff), oldRate(p.offs)
	if o, ok := p.find(p.Ask.Chosen); ok {
		at := p.at(o)
		v.Hand, v.Fee, v.Loan = format.Amount(at.NetCash()-p.payoff), format.Amount(at.FeeAmount()), format.Amount(at.Loan())
		v.After, v.NewRate = format.SomeAmount(at.Payment()), format.Percent(o.Rate)
	}
	return v
}

// nothing says that the lender had no offers for these debts when it was asked last.
func (p Priced) nothing() bool {
	at := slices.IndexFunc(p.Heads, func(q desk.QuoteHead) bool {
		return len(p.Ask.Payoff) > 0 && q.Payoff && slices.Equal(q.Ask.AccountIDs, p.Ask.Payoff)
	})
	return at >= 0 && p.Heads[at].Offers == 0 && !p.past
}

// lastGood is the choice of debts that had offers last: of a quote, or else as they were
// marked before the offers were made.
func (p Priced) lastGood() []string {
	for _, q := range p.Heads {
		if q.Offers > 0 && len(q.Ask.AccountIDs) > 0 && !slices.Equal(q.Ask.AccountIDs, p.Ask.Payoff) {
			return q.Ask.AccountIDs
		}
	}
	return p.plan.Marked
}

// paysToday is what the ticked debts cost a month, and of how many that was told.
func (p Priced) paysToday() string {
	var sum heloc.Money
	told := 0
	for _, d := range p.offs {
		if m, ok := p.plan.Pays[d.ID]; ok {
			sum += m
			told++
		}
	}
	switch told {
	case 0:
		return ""
	case len(p.offs):
		return format.Amount(sum)
	default:
		return format.Amount(sum) + " for " + strconv.Itoa(told) + " of " + strconv.Itoa(len(p.offs))
	}
}

// oldRate is the rate of the ticked debts together, weighted by balance; it says when some
// of them have no rate.
func oldRate(debts []heloc.Liability) string {
	var owed []heloc.Owed
	for _, d := range debts {
		if d.InterestRate != nil && d.Balance != nil {
			owed = append(owed, heloc.Owed{Balance: *d.Balance, Rate: *d.InterestRate})
		}
	}
	rate, ok := heloc.WeightedRate(owed)
	if !ok {
		return words.Dash
	}
	rate = (rate + 50) / 100 * 100 // two places are what such a figure is worth
	if len(owed) < len(debts) {
		return format.Percent(&rate) + " for " + strconv.Itoa(len(owed)) + " of " + strconv.Itoa(len(debts))
	}
	return format.Percent(&rate)
}
