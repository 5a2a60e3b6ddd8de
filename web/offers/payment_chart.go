package offers

import (
	"strconv"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
)

// The payment chart in drawing units.
const (
	barStep      = 72
	barMaxHeight = 100 // the highest bar; the terms are below it
	barBaseline  = 124
)

// paymentChart draws the payments of the offers that have the chosen offer's fee and highlights only the chosen
// offer's bar. Terms without an offer at this draw are omitted.
func (g OfferGrid) paymentChart(chosen heloc.Offer) view.PaymentChart {
	fee := feeOf(chosen)
	if inGrid, _ := g.offerAt(termOf(chosen), fee); inGrid.UUID != chosen.UUID {
		return view.PaymentChart{}
	}
	c := view.PaymentChart{Fee: "fee " + fee.String() + "%"}
	terms := distinct(g.Offers, termOf)
	payments := make([]heloc.Money, len(terms))
	var highest heloc.Money
	for i, term := range terms {
		if o, ok := g.offerAt(term, fee); ok {
			payments[i] = g.drawn(o).Payment()
			highest = max(highest, payments[i])
		}
	}
	for i, term := range terms {
		if payments[i] <= 0 {
			continue
		}
		height := barMaxHeight * float64(payments[i]) / float64(highest)
		x := len(c.Bars)*barStep + 8
		short, long := text.TermWords(g.Payments.Term, term)
		c.Bars = append(c.Bars, view.PaymentBar{
			Term: short, LongTerm: long, Payment: text.WholeDollars(payments[i]), Exact: text.Cents(payments[i]),
			Chosen: term == termOf(chosen), X: strconv.Itoa(x), LabelX: strconv.Itoa(x + 28),
			Y: oneDecimal(barBaseline - height), Height: oneDecimal(height), LabelY: oneDecimal(barBaseline - height - 6),
		})
	}
	c.Width = strconv.Itoa(max(4, len(c.Bars)) * barStep)
	return c
}

// twoPayments draws the payments of an interest-only offer with a known draw period.
func twoPayments(at heloc.PricedOffer) view.TwoPayments {
	if at.Afterward() <= 0 {
		return view.TwoPayments{}
	}
	const width, height, gap = 150.0, 44.0, 2.0
	low := height * float64(at.Payment()) / float64(at.Afterward())
	first := width * (float64(at.DrawMonths) / float64(at.Months))
	return view.TwoPayments{
		During: text.Cents(at.Payment()), Afterward: text.Cents(at.Afterward()),
		DrawPeriod: text.Months(at.DrawMonths), Remaining: text.Months(at.Months - at.DrawMonths),
		Height: oneDecimal(low), Y: oneDecimal(height - low), Width: oneDecimal(first - gap), X: oneDecimal(first),
		Width2: oneDecimal(width - first),
	}
}
