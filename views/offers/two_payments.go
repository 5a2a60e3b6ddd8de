package offers

import "strconv"

// TwoPayments are the payments of an offer whose payment rises when its draw period ends. Lengths are in drawing units:
// the chart is 150 wide and 44 high. The zero value is an offer with one payment.
type TwoPayments struct {
	During, Afterward           string // "$989.35", "$2,323.86"
	DrawPeriod, Remaining       string // "3 years", "7 years"
	Height, Y, Width, X, Width2 string // the bar of the first payment, and where the second begins
}

// NewTwoPayments draws two payments, in cents, over a term in months.
func NewTwoPayments(during, afterward int64, drawMonths, months int) TwoPayments {
	const width, height, gap = 150.0, 44.0, 2.0
	low := height * float64(during) / float64(afterward)
	first := width * float64(drawMonths) / float64(months)
	return TwoPayments{
		During: dollarsAndCents(during), Afterward: dollarsAndCents(afterward),
		DrawPeriod: monthsText(drawMonths), Remaining: monthsText(months - drawMonths),
		Height: oneDecimal(low), Y: oneDecimal(height - low), Width: oneDecimal(first - gap), X: oneDecimal(first), Width2: oneDecimal(width - first),
	}
}

// description describes the chart in text.
func (p TwoPayments) description() string {
	return p.During + " a month for " + p.DrawPeriod + ", then " + p.Afterward + " a month for " + p.Remaining
}

// monthsText formats a number of months, as years if it can: "3 years", "30 months".
func monthsText(months int) string {
	n, unit := months, "month"
	if months%12 == 0 {
		n, unit = months/12, "year"
	}
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}
