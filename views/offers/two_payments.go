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

// NewTwoPayments draws two payments, in cents; share is the draw period's part of the term.
func NewTwoPayments(during, afterward heloc.Money, share float64) TwoPayments {
	const width, height, gap = 150.0, 44.0, 2.0
	low := height * float64(during) / float64(afterward)
	first := width * share
	return TwoPayments{
		During: text.Cents(during), Afterward: text.Cents(afterward),
		Height: oneDecimal(low), Y: oneDecimal(height - low), Width: oneDecimal(first - gap), X: oneDecimal(first), Width2: oneDecimal(width - first),
	}
}

// description describes the chart in text.
func (p TwoPayments) description() string {
	return p.During + " a month for " + p.DrawPeriod + ", then " + p.Afterward + " a month for " + p.Remaining
}
