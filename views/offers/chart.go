package offers

import "strings"

// PaymentChart is the estimated payment over the terms at one fee. Lengths are in drawing units.
type PaymentChart struct {
	Fee   string // "fee 2.99%"
	Width string
	Bars  []PaymentBar
}

// PaymentBar is one term.
type PaymentBar struct {
	Term, LongTerm, Payment, Exact string
	X, Y, Height, LabelX, LabelY   string
	Chosen                         bool
}

// description describes the payment chart in text.
func (c PaymentChart) description() string {
	all := make([]string, len(c.Bars))
	for i, b := range c.Bars {
		all[i] = b.LongTerm + " " + b.Exact
	}
	return strings.Join(all, ", ")
}
