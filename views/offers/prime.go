package offers

import (
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// PrimeChart is what a variable offer costs if prime rises, beside the payment of the fixed offer with the same term
// and fee. Lengths are in drawing units.
type PrimeChart struct {
	Offer string // "10 years variable, fee 2.99%"

	InterestOnly bool // the payments are those of the draw period

	Prime  string // "6.75%"; "" if unknown
	Bars   []PrimeBar
	Scale  []AxisMark
	Fixed  string // "$1,827.67"; "" without a fixed offer
	FixedY string
}

// PrimeBar is the payment at a prime rate.
type PrimeBar struct {
	Name                         string // "Today", "Prime +1"
	Prime                        string // "6.75%"; "" if unknown
	Rate                         string // "7.95%"
	Payment                      string // "$1,887.68"
	Afterward                    string // the payment after the draw period, or "rises"; "" if there is no such period
	Difference                   string // from the fixed payment: "+$60.01"; "" without one
	Today                        bool
	X, Y, Height, LabelX, LabelY string
}

// AxisMark is one line of a scale.
type AxisMark struct{ At, LabelAt, Text string }

const (
	chartLeft, chartRight = 46, 546
	chartTop, chartBase   = 14, 192
	chartFoot             = "46.0,192.0" // turns a line into a filled area
)

// The increases of the prime rate that show how a variable rate can change.
const (
	PrimeUpOne = heloc.Rate(10_000)
	PrimeUpTwo = heloc.Rate(20_000)
)

// NewPrimeChart draws the payment of a variable offer at prime today and after its increases; fixed is zero if there is
// no fixed offer. It is empty without a payment.
func NewPrimeChart(offer string, today heloc.PricedOffer, prime *heloc.Rate, fixed heloc.Money) PrimeChart {
	if today.Payment() <= 0 {
		return PrimeChart{}
	}
	c := PrimeChart{Offer: offer, InterestOnly: today.InterestOnly, Prime: text.Percent(prime)}
	var top heloc.Money
	c.Scale, top = dollarScale(max(fixed, today.AtHigherRate(PrimeUpTwo).Payment()))
	const width, step = 84, 140
	for i, up := range []heloc.Rate{0, PrimeUpOne, PrimeUpTwo} {
		at := today.AtHigherRate(up)
		y, x := yOf(at.Payment(), top), float64(82+i*step)
		bar := PrimeBar{
			Name: "Today", Rate: text.Percent(&at.Rate), Payment: text.Cents(at.Payment()), Afterward: text.Afterward(at),
			Today: i == 0, X: oneDecimal(x), Y: oneDecimal(y), Height: oneDecimal(chartBase - y),
			LabelX: oneDecimal(x + width/2), LabelY: oneDecimal(y - 7),
		}
		if i > 0 {
			bar.Name = "Prime +" + strconv.Itoa(i)
		}
		if prime != nil {
			raised := *prime + up
			bar.Prime = text.Percent(&raised)
		}
		// above the line of the fixed payment, not on it
		if level := yOf(fixed, top); fixed > 0 && level < y && y-level < 22 {
			bar.LabelY = oneDecimal(level - 6)
		}
		if fixed > 0 {
			bar.Difference = SignedDollars(at.Payment() - fixed)
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
