package offers

import (
	"slices"
	"strconv"

	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/workspace"
)

// presentPlanner maps the debts that the line can pay off: their total, what they cost a month
// today according to the borrower, and what the line would cost. It calculates no ratio, because
// the interface reports neither the payments of debts nor a limit.
func (g OfferGrid) presentPlanner(debts heloc.PayoffDetails) view.PlannerView {
	v := view.PlannerView{Debts: workspace.PresentDebts(debts, g.Query.Payoff), NoOffers: g.noPayoffOffers()}
	for i := range v.Debts {
		if m, ok := g.payoffPlan.CurrentPayments[v.Debts[i].ID]; ok {
			v.Debts[i].PaysToday = text.ControlMoney(&m)
		}
	}
	if accounts := g.lastPayoffWithOffers(); v.NoOffers && len(accounts) > 0 {
		v.LastWithOffers = to.PayoffQuery{Accounts: accounts, Amount: text.ControlMoney(&g.Query.Draw)}
	}
	if len(g.payoffDebts) == 0 {
		return v
	}
	v.Chosen = text.Pluralize(len(g.payoffDebts), "debt", "debts")
	v.Total, v.Before = g.payoffsTotal(), g.currentPaymentsText()
	v.ToBorrowerName, v.OldRate = "Cash to the borrower", currentRateText(g.payoffDebts)
	v.ToBorrower = text.OrDash(g.cashLeft(heloc.PricedOffer{Draw: g.Query.Draw}))
	if g.Payments.Fee == heloc.FeeDeducted {
		v.ToBorrowerName = "Cash to the borrower, before the fee"
	}
	if o, ok := g.find(g.Query.Chosen); ok {
		at := g.estimateAt(o)
		v.ToBorrowerName = g.cashName()
		v.ToBorrower, v.Loan = text.OrDash(g.cashLeft(at)), text.MoneyOrEmpty(at.Loan())
		if !at.FeeUnknown {
			v.Fee = text.Money(at.FeeAmount())
		}
		v.After, v.NewRate = perMonthText(at), text.Percent(o.Rate)
	}
	return v
}

// noPayoffOffers reports whether the lender had no offers for these debts when last asked.
func (g OfferGrid) noPayoffOffers() bool {
	at := slices.IndexFunc(g.Summaries, func(q deskoffers.QuoteSummary) bool {
		return len(g.Query.Payoff) > 0 && q.Payoff && slices.Equal(q.Request.AccountIDs, g.Query.Payoff)
	})
	return at >= 0 && g.Summaries[at].Offers == 0 && !g.historical
}

// lastPayoffWithOffers returns the last selection of debts that had offers: that of a quote, or
// else the one that was selected before there were offers.
func (g OfferGrid) lastPayoffWithOffers() []string {
	for _, q := range g.Summaries {
		if q.Offers > 0 && len(q.Request.AccountIDs) > 0 && !slices.Equal(q.Request.AccountIDs, g.Query.Payoff) {
			return q.Request.AccountIDs
		}
	}
	return g.payoffPlan.Selected
}

// currentPayments returns what the selected debts cost per month today, and for how many of them the borrower stated
// the payment.
func (g OfferGrid) currentPayments() (sum heloc.Money, known int) {
	for _, d := range g.payoffDebts {
		if m, ok := g.payoffPlan.CurrentPayments[d.ID]; ok {
			sum, known = sum+m, known+1
		}
	}
	return sum, known
}

// currentPaymentsText returns what the ticked debts cost a month, and for how many of them that is known.
func (g OfferGrid) currentPaymentsText() string {
	switch sum, known := g.currentPayments(); known {
	case 0:
		return ""
	case len(g.payoffDebts):
		return text.Money(sum)
	default:
		return text.Money(sum) + " for " + strconv.Itoa(known) + " of " + strconv.Itoa(len(g.payoffDebts))
	}
}

// currentRateText returns the average rate of the ticked debts, weighted by balance. It states if
// some of them have no rate.
func currentRateText(debts []heloc.Liability) string {
	var owed []heloc.Debt
	for _, d := range debts {
		if d.InterestRate != nil && d.Balance != nil {
			owed = append(owed, heloc.Debt{Balance: *d.Balance, Rate: *d.InterestRate})
		}
	}
	rate, ok := heloc.WeightedRate(owed)
	if !ok {
		return text.Dash
	}
	rate = (rate + 50) / 100 * 100 // the inputs justify no more than two decimal places
	if len(owed) < len(debts) {
		return text.Percent(&rate) + " for " + strconv.Itoa(len(owed)) + " of " + strconv.Itoa(len(debts))
	}
	return text.Percent(&rate)
}
