package offers

import (
	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// TwoPayments are the payments of an offer whose payment rises when its draw period ends. Lengths are in drawing units:
// the chart is 150 wide and 44 high. The zero value is an offer with one payment.
type TwoPayments struct {
	During, Afterward           string // "$989.35", "$2,323.86"
	DrawPeriod, Remaining       string // "3 years", "7 years"
	Height, Y, Width, X, Width2 string // the bar of the first payment, and where the second begins
}

// NewTwoPayments draws the payments of an interest-only offer with a known draw period.
func NewTwoPayments(at heloc.PricedOffer) TwoPayments {
	if at.Afterward() <= 0 {
		return TwoPayments{}
	}
	const width, height, gap = 150.0, 44.0, 2.0
	low := height * float64(at.Payment()) / float64(at.Afterward())
	first := width * (float64(at.DrawMonths) / float64(at.Months))
	return TwoPayments{
		During: text.Cents(at.Payment()), Afterward: text.Cents(at.Afterward()),
		DrawPeriod: text.Months(at.DrawMonths), Remaining: text.Months(at.Months - at.DrawMonths),
		Height: oneDecimal(low), Y: oneDecimal(height - low), Width: oneDecimal(first - gap), X: oneDecimal(first),
		Width2: oneDecimal(width - first),
	}
}

// description describes the chart in text.
func (p TwoPayments) description() string {
	return p.During + " a month for " + p.DrawPeriod + ", then " + p.Afterward + " a month for " + p.Remaining
}
