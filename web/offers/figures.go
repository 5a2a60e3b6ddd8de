package offers

import (
	"cmp"
	"slices"
	"strconv"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/workspace"
)

// estimateAt returns an offer at the draw of the grid, for our estimates.
func (g OfferGrid) estimateAt(o heloc.Offer) heloc.PricedOffer {
	return g.Payments.Price(g.Query.Draw, o, o.Rate)
}

// tableFigures are the columns of the table of all offers.
func (g OfferGrid) tableFigures() []figure {
	return []figure{
		{label: "Estimated monthly payment", of: func(o heloc.Offer) string { return paymentText(g.drawn(o).Payment()) }},
		{label: "After the draw period", of: func(o heloc.Offer) string { return text.Afterward(g.drawn(o)) }},
		{label: "Draw period", of: func(o heloc.Offer) string { return drawPeriodText(g.drawn(o)) }},
		{label: "Rate", of: func(o heloc.Offer) string { return text.Percent(o.Rate) }},
		{label: "Fee", of: g.feeText},
		{label: g.cashName(), of: g.cashText},
		{label: "Loan amount", of: func(o heloc.Offer) string { return text.MoneyOrEmpty(g.drawn(o).Loan()) }},
		{label: "Total interest", of: func(o heloc.Offer) string { return totalInterestText(g.drawn(o)) }},
		{label: breakEvenLabel, of: g.breakEvenText},
		{label: "Fee cap remaining", of: g.feeCapHeadroom},
		// The lender gives it for fixed offers too; this table has all that the lender sent.
		{label: "Prime rate", of: func(o heloc.Offer) string { return text.Percent(o.PrimeRate) }},
		{label: "With prime 1 point higher", of: g.afterPrimeMove(primeUpOne)},
		{label: "With prime 2 points higher", of: g.afterPrimeMove(primeUpTwo)},
	}
}

// feeText is an offer's fee in percent and as an amount.
func (g OfferGrid) feeText(o heloc.Offer) string {
	return text.JoinNonEmpty(" · ", text.Percent(o.OriginationFeePercent), text.MoneyOrEmpty(g.estimateAt(o).FeeAmount()))
}

// cashText is what the borrower gets at the draw, if it depends on the offer: with an added fee it doesn’t.
func (g OfferGrid) cashText(o heloc.Offer) string {
	if g.Payments.Fee != heloc.FeeDeducted {
		return ""
	}
	if o.OriginationFeePercent == nil {
		return ""
	}
	return g.cashLeft(g.estimateAt(o))
}

// cashLeft is what the borrower gets; it is empty if a balance of the debts to pay off is unknown.
func (g OfferGrid) cashLeft(at heloc.PricedOffer) string {
	if g.balanceOpen || at.FeeUnknown && at.Method == heloc.FeeDeducted {
		return ""
	}
	return text.Money(at.NetCash() - g.payoffTotal)
}

// exceeded reports whether the debts to pay off are more than an offer leaves for them, as far as that is known.
func (g OfferGrid) exceeded(at heloc.PricedOffer) bool {
	if at.FeeUnknown {
		return g.payoffTotal > at.Draw
	}
	return g.payoffTotal > at.NetCash()
}

// payoffsTotal returns the total of the debts to pay off, or "" if there are none.
func (g OfferGrid) payoffsTotal() string {
	switch {
	case !g.balanceOpen:
		return text.MoneyOrEmpty(g.payoffTotal)
	case g.payoffTotal > 0:
		return text.Money(g.payoffTotal) + " and unknown balances"
	default:
		return "unknown balances"
	}
}

// totalInterestText is the interest of the whole term; it is empty if any payment of it is unknown.
func totalInterestText(at heloc.PricedOffer) string {
	if !at.ScheduleKnown() {
		return ""
	}
	return text.Money(at.TotalInterest())
}

// afterPrimeMove is the first payment of a variable offer after the prime rate has changed; it is empty for a fixed
// offer.
func (g OfferGrid) afterPrimeMove(points heloc.Rate) func(heloc.Offer) string {
	return func(o heloc.Offer) string {
		if o.RateType != heloc.RateFloating {
			return ""
		}
		return text.MoneyOrEmpty(g.drawn(o).AtHigherRate(points).Payment())
	}
}

// feeCapHeadroom returns how far the fee is below the cap of the same draw. It is empty if that cap is
// unknown: a cap without a quote for the draw belongs to another amount than the fee.
func (g OfferGrid) feeCapHeadroom(o heloc.Offer) string {
	headroom, ok := heloc.Headroom(g.estimateAt(o).FeeAmount(), o.FeeCapAmount, g.maxFee)
	if !ok || !g.quoted() || o.OriginationFeePercent == nil {
		return ""
	}
	return text.Money(headroom)
}

// primeOf is the prime rate that an offer follows; it is empty for a fixed one.
func primeOf(o heloc.Offer) string {
	if o.RateType == heloc.RateFixed {
		return ""
	}
	return text.Percent(o.PrimeRate)
}

// breakEvenLabel says what heloc.BreakEven counts.
const breakEvenLabel = "Break-even (payments plus balance owed)"

// breakEvenText states from which month on the offer's fee pays back compared with the next lower
// fee of the same term; it is empty for the lowest fee, and where a payment is unknown.
func (g OfferGrid) breakEvenText(o heloc.Offer) string {
	lower, ok := g.nextLowerFee(o)
	if !ok || !g.drawn(o).ScheduleKnown() || !g.drawn(lower).ScheduleKnown() {
		return ""
	}
	than := " vs. " + text.Percent(lower.OriginationFeePercent) + " fee"
	if month, ok := heloc.BreakEven(g.drawn(lower), g.drawn(o)); ok {
		return "month " + strconv.Itoa(month) + than
	}
	return "none within the term" + than
}

// nextLowerFee returns the offer of the same kind and term with the next lower fee.
func (g OfferGrid) nextLowerFee(o heloc.Offer) (found heloc.Offer, ok bool) {
	for _, other := range g.All {
		if other.RateType != o.RateType || termOf(other) != termOf(o) || feeOf(other) >= feeOf(o) ||
			feeOf(other) == feeUnknown || other.Rate == nil || o.Rate == nil {
			continue
		}
		if !ok || feeOf(other) > feeOf(found) {
			found, ok = other, true
		}
	}
	return found, ok
}

// addTable adds the offers of the grid with the figures that any of them has.
func (g OfferGrid) addTable(v *view.View) {
	for _, o := range g.Offers {
		v.AllOffers = append(v.AllOffers, view.CompareColumn{Title: g.shortTitle(o), Note: outOfRangeText(o, g.Query.Draw)})
	}
	for _, f := range g.tableFigures() {
		if row, known := g.compareRow(f, g.Offers); known {
			v.AllFigures = append(v.AllFigures, row)
		}
	}
}

// shortTitle distinguishes an offer from the others in a grid: "10 years fixed, fee 2.99%".
func (g OfferGrid) shortTitle(o heloc.Offer) string {
	return g.title(o.Term, o.RateType, nil, o.OriginationFeePercent)
}

// quoteStrip breaks an offer down: the amount to the borrower plus the debts plus the fee is the
// loan.
func (g OfferGrid) quoteStrip(o heloc.Offer) view.QuoteBreakdown {
	at := g.estimateAt(o)
	fee, loan, toBorrower := at.FeeAmount(), at.Loan(), at.NetCash()-g.payoffTotal
	s := view.QuoteBreakdown{
		Payments:       twoPayments(g.drawn(o)),
		ToBorrowerName: g.cashName(),
		Title:          g.title(o.Term, o.RateType, o.Rate, o.OriginationFeePercent), ToBorrower: text.OrDash(g.cashLeft(at)),
		FeeName: text.JoinNonEmpty(" ", "Fee", text.Percent(o.OriginationFeePercent)), Fee: text.Money(fee),
		Loan: text.OrDash(text.MoneyOrEmpty(loan)), Method: g.methodText(g.drawn(o)), PaysOff: g.payoffsTotal(),
	}
	if at.FeeUnknown {
		s.Fee = text.Dash
	}
	paysOff := ""
	if g.payoffTotal > 0 {
		paysOff = ", payoffs " + text.Money(g.payoffTotal)
	}
	switch {
	case g.exceeded(at):
		s.MismatchReason = "These debts exceed the cash from this draw. Increase the draw or pay off fewer debts."
	case at.FeeUnknown || g.balanceOpen: // the parts are not known
	default:
		s.Bar = ui.NewMoneyBar("Of a loan of "+text.Money(loan)+": to the borrower "+text.Money(toBorrower)+paysOff+", fee "+
			text.Money(fee),
			ui.BarAmount{Class: "p2", Cents: int64(toBorrower)}, ui.BarAmount{Class: "p1", Cents: int64(g.payoffTotal)},
			ui.BarAmount{Class: "p3", Cents: int64(fee)})
	}
	return s
}

// drawName names the draw of the grid inside a sentence. A draw that the fee is deducted from is not
// the net draw.
func (g OfferGrid) drawName() string {
	if g.Payments.Fee == heloc.FeeDeducted {
		return "draw"
	}
	return "net draw"
}

// cashName names the amount that the borrower gets, from which a deducted fee is already subtracted.
func (g OfferGrid) cashName() string {
	if g.Payments.Fee == heloc.FeeDeducted {
		return "Cash to the borrower, after the fee"
	}
	return "Cash to the borrower"
}

// balances charts the remaining balance over the years, for the chosen offer and the pinned ones.
func (g OfferGrid) balances(chosen heloc.Offer) view.BalanceChart {
	lines := []balanceLine{g.balanceLine(chosen)}
	for _, o := range g.pins {
		if o.UUID != chosen.UUID && containsOffer(g.All, o.UUID) && outOfRangeText(o, g.Query.Draw) == "" {
			lines = append(lines, g.balanceLine(o))
		}
	}
	return newBalanceChart(lines)
}

func (g OfferGrid) balanceLine(o heloc.Offer) balanceLine {
	at := g.drawn(o)
	return balanceLine{Name: g.shortTitle(o), Owed: at.Balances(), InterestPaid: at.InterestPaid()}
}

// paymentText formats a payment with its cents, so that a column of payments is easy to compare. It is empty if
// unknown.
func paymentText(m heloc.Money) string {
	if m <= 0 {
		return ""
	}
	return text.Cents(m)
}

// perMonthText says what an offer costs a month, inside a sentence; it is empty if that is unknown:
//
//	$1,827.67 a month
//	$356.17 a month during the draw period, $1,922.27 afterward
//	$356.17 a month during the draw period, more afterward
func perMonthText(at heloc.PricedOffer) string {
	first := at.Payment()
	switch {
	case first <= 0:
		return ""
	case !at.InterestOnly:
		return text.Money(first) + " a month"
	default:
		return text.Money(first) + " a month during the draw period, " + cmp.Or(text.MoneyOrEmpty(at.Afterward()), "more") +
			" afterward"
	}
}

// drawPeriodText is the length of the draw period, "3 years"; it is empty if there is none or it is unknown.
func drawPeriodText(at heloc.PricedOffer) string {
	if !at.InterestOnly || at.DrawMonths <= 0 {
		return ""
	}
	return text.Months(at.DrawMonths)
}

// drawPeriodOf is the draw period of the grid's offers with a term, "draw 3 yr"; it is empty if there is none or it is
// unknown.
func (g OfferGrid) drawPeriodOf(term heloc.Count) string {
	for _, o := range g.Offers {
		if at := g.estimateAt(o); termOf(o) == term && at.InterestOnly && at.DrawMonths > 0 {
			return "draw " + strconv.Itoa(at.DrawMonths/12) + " yr"
		}
	}
	return ""
}

// paymentsOff reports whether the payments of the grid are not estimated, because they differed from the lender's.
func (g OfferGrid) paymentsOff() bool {
	return slices.Contains(g.Payments.Unconfirmed, g.Query.rateType)
}

// drawPeriodUnknown reports whether the grid has an offer whose payment rises at a time that is unknown.
func (g OfferGrid) drawPeriodUnknown() bool {
	return slices.ContainsFunc(g.Offers, func(o heloc.Offer) bool {
		at := g.estimateAt(o)
		return at.Payment() > 0 && !at.ScheduleKnown()
	})
}

// paymentNote says what the payments of the grid depend on.
func (g OfferGrid) paymentNote() string {
	switch {
	case g.paymentsOff():
		return ""
	case g.Query.rateType != heloc.RateFloating:
		return "The payment is an estimate."
	case g.Payments.Variable == heloc.VariableAmortizing:
		return "The payment is an estimate and changes with prime."
	default:
		return "The payment is an estimate, changes with prime and rises when the draw period ends."
	}
}

// methodText says how a loan is made up and repaid.
func (g OfferGrid) methodText(at heloc.PricedOffer) string {
	words := "net draw plus fee"
	if g.Payments.Fee == heloc.FeeDeducted {
		words = "the draw, from which the fee is deducted"
	}
	switch {
	case at.Payment() <= 0:
		return words
	case at.InterestOnly:
		return words + ", interest only during the draw period, then repaid in equal monthly payments"
	default:
		return words + ", repaid in equal monthly payments"
	}
}

// home is what a home secures. liens leaves out the debts that the line pays off, as far as the lender says that they
// count toward the CLTV.
type home struct {
	value, before, liens, loan heloc.Money
	valueName                  string
}

// homeWith returns what the home secures with a loan. It is unknown if the value or a balance is.
func (g OfferGrid) homeWith(l desklead.Snapshot, loan heloc.Money) (h home, ok bool) {
	a := l.Details.App
	value, name := a.Value.AVM, "AVM value"
	if value == nil {
		value, name = a.Value.BorrowerEstimated, "Stated value"
	}
	if value == nil || *value <= 0 {
		return home{}, false
	}
	if !workspace.LiensKnown(a) {
		return home{}, false
	}
	h = home{value: *value, valueName: name, loan: loan}
	for _, lien := range a.Liens {
		if lien.CurrentBalance == nil {
			return home{}, false
		}
		h.before += *lien.CurrentBalance
	}
	h.liens = h.before
	for _, d := range g.payoffDebts {
		if d.CLTVCredit != nil && *d.CLTVCredit {
			if d.Balance == nil {
				return home{}, false
			}
			h.liens -= *d.Balance
		}
	}
	return h, h.liens >= 0
}

// presentHome maps what the home secures with the chosen offer, or without any.
func (g OfferGrid) presentHome(l desklead.Snapshot, chosen *heloc.Offer) view.HomeView {
	var loan heloc.Money
	if chosen != nil {
		loan = g.drawn(*chosen).Loan()
	}
	h, ok := g.homeWith(l, loan)
	if !ok || chosen != nil && loan == 0 {
		return view.HomeView{}
	}
	v := view.HomeView{Value: text.Money(h.value), ValueName: h.valueName}
	liens := h.before
	if chosen != nil {
		v.CLTV, liens = percentOf(h.liens+h.loan, h.value), h.liens
	}
	rest := h.value - liens - h.loan
	label := "Of a value of " + v.Value + ": liens " + text.Money(liens)
	if h.loan > 0 {
		label += ", this line " + text.Money(h.loan)
	}
	if rest >= 0 {
		v.Remaining = text.Money(rest)
		label += ", remaining equity " + v.Remaining
	}
	v.Bar = ui.NewMoneyBar(label, ui.BarAmount{Class: "p1", Cents: int64(liens)},
		ui.BarAmount{Class: "p2", Cents: int64(h.loan)}, ui.BarAmount{Class: "p3", Cents: int64(max(rest, 0))})
	return v
}

// percentOf is a ratio with one decimal place.
func percentOf(part, whole heloc.Money) string {
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + "%"
}
