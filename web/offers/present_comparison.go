package offers

import (
	"slices"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
)

// figure is one row of the comparison, or one column of the table of all offers.
type figure struct {
	label string
	main  bool
	some  bool // the row is left out if no offer has it
	of    func(heloc.Offer) string
}

// presentComparison maps the chosen offer and the pinned ones side by side. The figures are in three groups: what
// leaves the account, what the offer costs in the end, and what stays open.
func (g OfferGrid) presentComparison(l desklead.Snapshot) view.CompareTable {
	var t view.CompareTable
	offers := g.comparedOffers()
	for _, o := range offers {
		column := view.CompareColumn{
			UUID: o.UUID, Title: g.columnTitle(o), Note: outOfRangeText(o, g.Query.Draw),
			InGrid: containsOffer(g.Offers, o.UUID), Pinned: containsOffer(g.pins, o.UUID), Chosen: o.UUID == g.Query.Chosen,
		}
		if !containsOffer(g.All, o.UUID) {
			column.Note = "not among these offers"
		}
		t.Columns = append(t.Columns, column)
	}
	if len(offers) == 0 {
		return t
	}
	for _, section := range []struct {
		name    string
		figures []figure
	}{{"Payment", g.paymentFigures()}, {"Cost", g.costFigures(offers)}, {"Term and limits", g.flexibilityFigures(l)}} {
		group := view.CompareGroup{Name: section.name}
		for _, f := range section.figures {
			row, any := g.compareRow(f, offers)
			switch {
			case !any && f.some:
			case any && !row.Main && row.Same():
				t.Same = append(t.Same, row.Label+" "+row.Values[0])
			default:
				group.Rows = append(group.Rows, row)
			}
		}
		t.Groups = append(t.Groups, group)
	}
	return t
}

// comparedOffers are the chosen offer, then the others that are pinned.
func (g OfferGrid) comparedOffers() []heloc.Offer {
	var all []heloc.Offer
	if chosen, ok := g.find(g.Query.Chosen); ok {
		all = append(all, chosen)
	}
	for _, o := range g.pins {
		if o.UUID != g.Query.Chosen {
			all = append(all, o)
		}
	}
	return all
}

// compareRow maps one figure of every offer, with a dash for each that is unknown. An offer that is not among those
// of the grid has none: its rate is for another draw, fee or choice of debts. One without an id cannot be pinned, so
// it is in the grid.
func (g OfferGrid) compareRow(f figure, offers []heloc.Offer) (row view.CompareRow, known bool) {
	row = view.CompareRow{Label: f.label, Main: f.main}
	for _, o := range offers {
		value := ""
		if o.UUID == "" || containsOffer(g.All, o.UUID) {
			value = f.of(o)
		}
		known = known || value != ""
		row.Values = append(row.Values, text.OrDash(value))
	}
	return row, known
}

// columnTitle names an offer above its column: "10 yr fixed, 2.99% fee".
func (g OfferGrid) columnTitle(o heloc.Offer) string {
	words := g.termAndType(o)
	if o.OriginationFeePercent != nil {
		words += ", " + text.Percent(o.OriginationFeePercent) + " fee"
	}
	return words
}

func (g OfferGrid) termAndType(o heloc.Offer) string {
	short, _ := text.TermWords(g.Payments.Term, termOf(o))
	return text.JoinNonEmpty(" ", short, rateTypeText(o.RateType))
}

// drawn returns an offer at the draw. It has no months, so that nothing is calculated, if the draw is out of its range.
func (g OfferGrid) drawn(o heloc.Offer) heloc.PricedOffer {
	at := g.estimateAt(o)
	if outOfRangeText(o, g.Query.Draw) != "" {
		at.Months = 0
	}
	return at
}

func (g OfferGrid) paymentFigures() []figure {
	figures := []figure{
		{label: g.paymentLabel(), main: true, of: func(o heloc.Offer) string {
			return text.MoneyOrEmpty(g.drawn(o).Payment())
		}},
		{label: "After the draw period", some: true, of: func(o heloc.Offer) string { return text.Afterward(g.drawn(o)) }},
		{label: "Draw period", some: true, of: func(o heloc.Offer) string { return drawPeriodText(g.drawn(o)) }},
		{label: "Rate", of: func(o heloc.Offer) string {
			return text.JoinNonEmpty(" ", text.Percent(o.Rate), rateTypeText(o.RateType))
		}},
		{label: "Margin over prime", some: true, of: func(o heloc.Offer) string {
			margin, _ := marginOf(o)
			return text.Percent(margin)
		}},
		{label: "Prime rate", some: true, of: primeOf},
		{label: "With prime 1 point higher", some: true, of: g.afterPrimeMove(primeUpOne)},
		{label: "With prime 2 points higher", some: true, of: g.afterPrimeMove(primeUpTwo)},
	}
	if today, known := g.currentPayments(); known > 0 && known == len(g.payoffDebts) {
		figures = append(figures, figure{label: g.changeLabel(today), of: func(o heloc.Offer) string {
			payment := g.drawn(o).Payment()
			if payment <= 0 {
				return ""
			}
			return signedDollars(payment - today)
		}})
	}
	return figures
}

// paymentLabel names the payment by which offers are compared.
func (g OfferGrid) paymentLabel() string {
	if slices.ContainsFunc(g.comparedOffers(), func(o heloc.Offer) bool { return g.drawn(o).InterestOnly }) {
		return "Initial monthly payment"
	}
	return "Monthly payment"
}

// changeLabel names the difference between the first payment and what the debts cost today.
func (g OfferGrid) changeLabel(today heloc.Money) string {
	if g.paymentLabel() == "Monthly payment" {
		return "Change from today (" + text.Money(today) + ")"
	}
	return "Initial change from today (" + text.Money(today) + ")"
}

func (g OfferGrid) costFigures(offers []heloc.Offer) []figure {
	figures := []figure{
		{label: g.cashName(), some: true, of: g.cashText},
		{label: "Origination fee", of: g.feeText},
		{label: "Fee before discounts", some: true, of: func(o heloc.Offer) string {
			return text.Percent(o.PreDiscountOriginationFee)
		}},
		{label: "Loan amount", of: func(o heloc.Offer) string { return text.MoneyOrEmpty(g.drawn(o).Loan()) }},
		{label: "Total interest", of: func(o heloc.Offer) string { return totalInterestText(g.drawn(o)) }},
		{label: "Total repaid", of: func(o heloc.Offer) string {
			at := g.drawn(o)
			if !at.ScheduleKnown() {
				return ""
			}
			return text.Money(at.Loan() + at.TotalInterest())
		}},
		{label: breakEvenLabel, of: g.breakEvenText},
	}
	for _, d := range discountsOf(offers) {
		figures = append(figures, figure{label: discountName(d) + " offered", of: func(o heloc.Offer) string {
			for _, own := range o.Discounts {
				if own.Type == d.Type && own.RateAmount != nil {
					return "−" + text.Percent(own.RateAmount)
				}
			}
			return ""
		}})
	}
	return figures
}

func (g OfferGrid) flexibilityFigures(l desklead.Snapshot) []figure {
	return []figure{
		{label: "Term", of: func(o heloc.Offer) string {
			if o.Term == nil {
				return ""
			}
			_, long := text.TermWords(g.Payments.Term, *o.Term)
			return long
		}},
		{label: "Minimum draw", some: true, of: func(o heloc.Offer) string { return text.Dollars(o.MinAmount) }},
		{label: "Maximum draw", some: true, of: func(o heloc.Offer) string { return text.Dollars(o.MaxAmount) }},
		{label: "Estimated CLTV", some: true, of: func(o heloc.Offer) string {
			home, ok := g.homeWith(l, g.drawn(o).Loan())
			if !ok || home.loan == 0 {
				return ""
			}
			return percentOf(home.liens+home.loan, home.value)
		}},
		{label: "Maximum fee for this offer", some: true, of: func(o heloc.Offer) string {
			return text.Dollars(o.FeeCapAmount)
		}},
		{label: "Fee cap remaining", of: g.feeCapHeadroom},
	}
}

// sentence is an offer as it is selected at the draw, in one line; it is empty if the debts exceed the draw.
func (g OfferGrid) sentence(o heloc.Offer) string {
	at := g.estimateAt(o)
	if g.exceeded(at) || g.Query.Draw <= 0 || outOfRangeText(o, g.Query.Draw) != "" {
		return ""
	}
	rate := text.Percent(o.Rate)
	if o.RateType == heloc.RateFloating && rate != "" {
		rate += " today"
	}
	cash := g.cashLeft(at)
	if cash == "" {
		cash = text.Money(g.Query.Draw) + " " + g.drawName()
	} else {
		cash += " to the borrower"
	}
	parts := text.JoinNonEmpty(", ", g.termAndType(o), rate, cash)
	if payoffs := g.payoffsTotal(); payoffs != "" {
		parts += ", " + payoffs + " in payoffs"
	}
	return text.JoinNonEmpty(", ", parts, perMonthText(at))
}

// marginText is what a variable rate adds to prime; it is empty for other rates, and if prime is unknown.
func marginText(o heloc.Offer) string {
	margin, ok := marginOf(o)
	switch {
	case !ok:
		return ""
	case *margin < 0:
		below := -*margin
		return "prime − " + below.String()
	default:
		return "prime + " + margin.String()
	}
}

// marginOf returns what a variable rate adds to prime.
func marginOf(o heloc.Offer) (margin *heloc.Rate, ok bool) {
	if o.RateType != heloc.RateFloating || o.Rate == nil || o.PrimeRate == nil {
		return nil, false
	}
	difference := *o.Rate - *o.PrimeRate
	return &difference, true
}

// primeText is the prime rate of the grid's offers, if it is the same for all of them.
func (g OfferGrid) primeText() string {
	var prime *heloc.Rate
	for _, o := range g.Offers {
		if o.PrimeRate == nil || prime != nil && *prime != *o.PrimeRate {
			return ""
		}
		prime = o.PrimeRate
	}
	if prime == nil {
		return ""
	}
	return "Prime " + text.Percent(prime)
}

// presentPrime maps what the variable offer with the terms of the chosen one costs if prime rises, beside the fixed
// one. An offer that does not exist has no payment.
func (g OfferGrid) presentPrime(chosen heloc.Offer) view.PrimeChart {
	variable, fixed := g.withRateType(chosen, heloc.RateFloating), g.withRateType(chosen, heloc.RateFixed)
	return newPrimeChart(g.columnTitle(variable), g.drawn(variable), variable.PrimeRate, g.drawn(fixed).Payment())
}

// withRateType finds the offer with the same term and fee and a rate type; without one, it returns the zero value.
func (g OfferGrid) withRateType(o heloc.Offer, kind heloc.OfferRateType) (found heloc.Offer) {
	at := slices.IndexFunc(g.All, func(other heloc.Offer) bool {
		return other.RateType == kind && byTermAndFee(other, o) == 0
	})
	if at >= 0 {
		found = g.All[at]
	}
	return found
}
