package lead

import (
	"strconv"

	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// pointUp and twoUp are how far prime is moved to show what a variable rate can do.
const pointUp, twoUp = heloc.Rate(10_000), heloc.Rate(20_000)

// at is an offer at the draw of the grid, for our estimates.
func (p Priced) at(o heloc.Offer) heloc.Priced {
	at := heloc.Priced{Draw: p.Ask.Draw, Fee: feeOf(o), Months: p.Term.Months(termOf(o)), Method: p.Fee}
	if o.Rate == nil {
		at.Months = 0 // nothing can be worked out
		return at
	}
	at.Rate = *o.Rate
	return at
}

// payment is our estimate at the draw.
func (p Priced) payment(o heloc.Offer) heloc.Money { return p.at(o).Payment() }

// figures are what an offer comes to at the draw, in the order in which they are compared;
// a dash where there is nothing to say.
func (p Priced) Figures(o heloc.Offer) []ui.Fact {
	at := p.at(o)
	if outOfRange(o, p.Ask.Draw) != "" {
		at.Months = 0
	}
	interest := ""
	if at.Payment() > 0 {
		interest = format.Amount(at.TotalInterest())
	}
	facts := []ui.Fact{
		{Label: "Estimated payment, a month", Value: exactly(at.Payment())},
		{Label: "Rate", Value: format.Percent(o.Rate)},
		{Label: "Fee", Value: format.Joined(" · ", format.Percent(o.OriginationFeePercent), format.SomeAmount(at.FeeAmount()))},
		{Label: "Net cash", Value: format.SomeAmount(at.NetCash() - p.payoff)},
		{Label: "Loan amount", Value: format.SomeAmount(at.Loan())},
		{Label: "All interest, if nothing changes", Value: interest},
		{Label: "Higher fee pays back", Value: p.paysBack(o)},
		{Label: "Room below the fee cap", Value: p.room(o)},
		{Label: "With prime 1 point higher", Value: p.moved(o, pointUp)},
		{Label: "With prime 2 points higher", Value: p.moved(o, twoUp)},
	}
	for i := range facts {
		facts[i].Value = words.Or(facts[i].Value)
	}
	return facts
}

// moved is the payment of a variable offer after prime has moved; empty for a fixed one.
func (p Priced) moved(o heloc.Offer, points heloc.Rate) string {
	if o.RateType != heloc.RateFloating || outOfRange(o, p.Ask.Draw) != "" {
		return ""
	}
	return format.SomeAmount(p.at(o).PaymentAt(points))
}

// room is what the fee stays below the cap on it; empty where there is none.
func (p Priced) room(o heloc.Offer) string {
	room, ok := heloc.Headroom(p.at(o).FeeAmount(), o.FeeCapAmount, p.max)
	if !ok || p.Ask.Draw == 0 {
		return ""
	}
	return format.Amount(room)
}

// paysBack says from which month on the fee of an offer has cost less than the next lower
// one of its term; empty for the lowest.
func (p Priced) paysBack(o heloc.Offer) string {
	lower, ok := p.nextLower(o)
	if !ok {
		return ""
	}
	than := ", against fee " + format.Percent(lower.OriginationFeePercent)
	if month, ok := heloc.BreakEven(p.at(lower), p.at(o)); ok {
		return "from month " + strconv.Itoa(month) + than
	}
	return "not within the term" + than
}

// nextLower is the offer of the same kind and term with the fee below.
func (p Priced) nextLower(o heloc.Offer) (found heloc.Offer, ok bool) {
	for _, other := range p.All {
		if other.RateType != o.RateType || termOf(other) != termOf(o) || feeOf(other) >= feeOf(o) || other.Rate == nil || o.Rate == nil {
			continue
		}
		if !ok || feeOf(other) > feeOf(found) {
			found, ok = other, true
		}
	}
	return found, ok
}

// compare puts offers side by side, each with all its figures.
func (p Priced) compare(offers []heloc.Offer) views.CompareView {
	var c views.CompareView
	for _, o := range offers {
		column := views.CompareColumn{UUID: o.UUID, Title: p.shortOf(o), InGrid: offerIn(p.Offers, o.UUID), Note: outOfRange(o, p.Ask.Draw)}
		for _, f := range p.Figures(o) {
			if len(c.Columns) == 0 {
				c.Labels = append(c.Labels, f.Label)
			}
			column.Values = append(column.Values, f.Value)
		}
		c.Columns = append(c.Columns, column)
	}
	return c
}

// shortOf tells an offer from the others of a grid: "10 years fixed, fee 2.99%".
func (p Priced) shortOf(o heloc.Offer) string {
	return p.titleOf(o.Term, o.RateType, nil, o.OriginationFeePercent)
}

// strip takes one offer apart: to the borrower, plus the debts, plus the fee, is the loan.
func (p Priced) strip(o heloc.Offer) views.QuoteStrip {
	at := p.at(o)
	fee, loan, hand := at.FeeAmount(), at.Loan(), at.NetCash()-p.payoff
	method := "net draw plus fee, repaid in equal months"
	if p.Fee == heloc.FeeDeducted {
		method = "the fee is taken out of the draw, repaid in equal months"
	}
	s := views.QuoteStrip{
		Title: p.titleOf(o.Term, o.RateType, o.Rate, o.OriginationFeePercent), Hand: format.Amount(hand), FeeName: "Fee " + format.Percent(o.OriginationFeePercent),
		Fee: format.Amount(fee), Loan: format.Amount(loan), Payment: exactly(at.Payment()), Method: method, PaysOff: format.SomeAmount(p.payoff),
	}
	if hand >= 0 {
		s.Bar = ui.NewMoneyBar("Of a loan of "+format.Amount(loan)+": to the borrower "+format.Amount(hand)+", fee "+format.Amount(fee),
			ui.BarAmount{Class: "p2", Cents: int64(hand)}, ui.BarAmount{Class: "p1", Cents: int64(p.payoff)}, ui.BarAmount{Class: "p3", Cents: int64(fee)})
	} else {
		s.Short = "The debts come to more than this draw leaves. Raise it, or pay off less."
	}
	add := func(label, value string) {
		if value != "" {
			s.Figures = append(s.Figures, ui.Fact{Label: label, Value: value})
		}
	}
	for _, f := range p.Figures(o)[5:8] {
		add(f.Label, f.Value)
	}
	add("With prime 1 point higher", p.moved(o, pointUp))
	add("With prime 2 points higher", p.moved(o, twoUp))
	if o.RateType == heloc.RateFloating && o.Rate != nil && o.PrimeRate != nil {
		margin := *o.Rate - *o.PrimeRate
		add("Margin over prime", format.Percent(&margin))
	}
	add("Prime rate", format.Percent(o.PrimeRate))
	add("From", format.Dollars(o.MinAmount))
	add("Up to", format.Dollars(o.MaxAmount))
	add("Largest fee for this offer", format.Dollars(o.FeeCapAmount))
	add("Fee before discounts", format.Percent(o.PreDiscountOriginationFee))
	for _, d := range o.Discounts {
		add(discountName(d)+" offered", "−"+format.Percent(d.RateAmount))
	}
	return s
}

// balances are what is owed over the years: of the chosen offer, and of the pinned ones
// beside it.
func (p Priced) balances(chosen heloc.Offer) views.BalanceChart {
	lines := []views.BalanceLine{{Name: p.shortOf(chosen), Owed: yearly(p.at(chosen).Balances())}}
	for _, o := range p.pins {
		if o.UUID != chosen.UUID && outOfRange(o, p.Ask.Draw) == "" {
			lines = append(lines, views.BalanceLine{Name: p.shortOf(o), Owed: yearly(p.at(o).Balances())})
		}
	}
	return views.NewBalanceChart(lines)
}

// yearly is every twelfth balance in cents, and the last.
func yearly(balances []heloc.Money) []int64 {
	var cents []int64
	for m := 0; m < len(balances); m += 12 {
		cents = append(cents, int64(balances[m]))
	}
	if len(balances)%12 != 1 && len(balances) > 0 {
		cents = append(cents, int64(balances[len(balances)-1]))
	}
	return cents
}
