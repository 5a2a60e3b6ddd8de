package offers

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// PrimePayment is the payment of a variable offer at a prime rate.
type PrimePayment struct {
	Name  string // "Today", "Prime +1"
	Prime string // "6.75%"; "" if unknown
	Rate  string // "7.95%"
	Cents heloc.Money

	Afterward string // the payment after the draw period, or "more"; "" if there is no such period
}

// PrimeChart is what a variable offer costs if prime rises, beside the payment of the fixed offer with the same term and
// fee. Lengths are in drawing units.
type PrimeChart struct {
	Offer string // "10 years variable, fee 2.99%"

	InterestOnly bool // the payments are those of the draw period

	Prime  string // "6.75%"; "" if unknown
	Bars   []PrimeBar
	Scale  []AxisMark
	Fixed  string // "$1,827.67"; "" without a fixed offer
	FixedY string
}

// PrimeBar is one payment.
type PrimeBar struct {
	PrimePayment
	X, Y, Height, LabelX, LabelY string
	Payment                      string // "$1,887.68"
	Difference                   string // from the fixed payment: "+$60.01"; "" without one
	Today                        bool
}

// AxisMark is one line of a scale.
type AxisMark struct{ At, LabelAt, Text string }

const (
	chartLeft, chartRight = 46, 546
	chartTop, chartBase   = 14, 192
	chartFoot             = "46.0,192.0" // closes a line to an area
)

// NewPrimeChart draws the payments; fixed is zero if there is no fixed offer. It is empty without payments.
func NewPrimeChart(offer string, payments []PrimePayment, fixed heloc.Money) PrimeChart {
	highest := fixed
	for _, p := range payments {
		if p.Cents <= 0 {
			return PrimeChart{}
		}
		highest = max(highest, p.Cents)
	}
	if len(payments) == 0 {
		return PrimeChart{}
	}
	c := PrimeChart{Offer: offer, Prime: payments[0].Prime}
	var top heloc.Money
	c.Scale, top = dollarScale(highest)
	const width, step = 84, 140
	for i, p := range payments {
		y, x := yOf(p.Cents, top), float64(82+i*step)
		bar := PrimeBar{
			PrimePayment: p, X: oneDecimal(x), Y: oneDecimal(y), Height: oneDecimal(chartBase - y), LabelX: oneDecimal(x + width/2), LabelY: oneDecimal(y - 7),
			Payment: text.Cents(p.Cents), Today: i == 0,
		}
		if level := yOf(fixed, top); fixed > 0 && level < y && y-level < 22 { // above the line of the fixed payment, not on it
			bar.LabelY = oneDecimal(level - 6)
		}
		if fixed > 0 {
			bar.Difference = SignedDollars(p.Cents - fixed)
		}
		c.Bars = append(c.Bars, bar)
	}
	if fixed > 0 {
		c.Fixed, c.FixedY = text.Cents(fixed), oneDecimal(yOf(fixed, top))
	}
	return c
}

// SignedDollars formats a difference to the cent, with its sign.
func SignedDollars(cents heloc.Money) string {
	switch {
	case cents < 0:
		return "−" + text.Cents(-cents)
	case cents == 0:
		return "$0.00"
	default:
		return "+" + text.Cents(cents)
	}
}

// description describes the chart in text.
func (c PrimeChart) description() string {
	all := make([]string, len(c.Bars), len(c.Bars)+1)
	for i, b := range c.Bars {
		all[i] = b.Name + " " + b.Payment
	}
	if c.Fixed != "" {
		all = append(all, "fixed "+c.Fixed)
	}
	return strings.Join(all, ", ")
}

func (c PrimeChart) paymentHeading() string {
	if c.InterestOnly {
		return "During the draw period"
	}
	return "Monthly payment"
}

func (c PrimeChart) sub() string {
	words := c.Offer
	if c.InterestOnly {
		words += ", payment during the draw period"
	}
	if c.Prime != "" {
		words += "; prime " + c.Prime + " today"
	}
	return words
}

func yOf(cents, top heloc.Money) float64 {
	return chartBase - float64(chartBase-chartTop)*float64(cents)/float64(top)
}

// dollarScale divides amounts up to highest into at most five round steps. top is the highest mark.
func dollarScale(highest heloc.Money) (marks []AxisMark, top heloc.Money) {
	step := roundStep(highest, 100)
	for top < highest {
		top += step
	}
	for at := heloc.Money(0); at <= top; at += step {
		y := yOf(at, top)
		marks = append(marks, AxisMark{At: oneDecimal(y), LabelAt: oneDecimal(y + 4), Text: axisDollars(at)})
	}
	return marks, top
}

// axisDollars formats a round amount: "$500", "$120k".
func axisDollars(cents heloc.Money) string {
	if cents >= 1_000_000 && cents%100_000 == 0 {
		return text.WholeDollars(cents/1000) + "k"
	}
	return text.WholeDollars(cents)
}
