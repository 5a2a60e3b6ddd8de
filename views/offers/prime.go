package offers

import "strings"

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
