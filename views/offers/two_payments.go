package offers

// TwoPayments are the payments of an offer whose payment rises when its draw period ends. Lengths are in drawing units:
// the chart is 150 wide and 44 high. The zero value is an offer with one payment.
type TwoPayments struct {
	During, Afterward           string // "$989.35", "$2,323.86"
	DrawPeriod, Remaining       string // "3 years", "7 years"
	Height, Y, Width, X, Width2 string // the bar of the first payment, and where the second begins
}

// description describes the chart in text.
func (p TwoPayments) description() string {
	return p.During + " a month for " + p.DrawPeriod + ", then " + p.Afterward + " a month for " + p.Remaining
}
