package offers

import (
	"cmp"
	"fmt"
	"strconv"

	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// Money is an amount in cents, for templates.
type Money = heloc.Money

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

const (
	barWidth     = "56"
	barStep      = 72
	barMaxHeight = 100 // the highest bar; the terms are below it
	barBaseline  = 124
)

// paymentChart is drawn for the fee of the chosen offer, and only its bar is highlighted. Terms without an
// offer at this draw are omitted.
func (v *View) paymentChart() PaymentChart {
	row, column, ok := v.chosenCell()
	if !ok {
		return PaymentChart{}
	}
	var c PaymentChart
	if column < len(v.Fees) {
		c.Fee = "fee " + v.Fees[column].Percent
	}
	var highest heloc.Money
	for i := range v.Rows {
		highest = max(highest, v.Rows[i].Cells[column].Payment)
	}
	for i := range v.Rows {
		r, cents := &v.Rows[i], v.Rows[i].Cells[column].Payment
		if cents == 0 {
			continue
		}
		height := barMaxHeight * float64(cents) / float64(highest)
		x := len(c.Bars)*barStep + 8
		c.Bars = append(c.Bars, PaymentBar{
			Term: r.Term, LongTerm: cmp.Or(r.LongTerm, r.Term), Payment: text.WholeDollars(cents), Exact: text.Cents(cents),
			Chosen: i == row, X: strconv.Itoa(x), LabelX: strconv.Itoa(x + 28), Y: oneDecimal(barBaseline - height),
			Height: oneDecimal(height), LabelY: oneDecimal(barBaseline - height - 6),
		})
	}
	c.Width = strconv.Itoa(max(4, len(c.Bars)) * barStep)
	return c
}

// chosenCell finds the offer that is chosen in the form.
func (v *View) chosenCell() (row, column int, ok bool) {
	for i := range v.Rows {
		for j := range v.Rows[i].Cells {
			if id := v.Rows[i].Cells[j].UUID; id != "" && v.Form.Has("offer.offerUuid", id) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

func oneDecimal(f float64) string { return fmt.Sprintf("%.1f", f) }
