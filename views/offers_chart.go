package views

import (
	"fmt"
	"strconv"
	"strings"
)

// PaymentChart is the estimated payment over the terms at one fee. Lengths are
// those of the drawing.
type PaymentChart struct {
	Fee   string // "fee 2.99%"
	Width string
	Bars  []PaymentBar
}

// PaymentBar is one term.
type PaymentBar struct {
	Term, Long, Payment, Exact, Rate string
	X, Y, Height, Mid, Above         string
	Chosen                           bool
}

const (
	barWidth = "56"
	barStep  = 72
	barTall  = 100 // the highest bar; below it stand the terms
	barFoot  = 124
)

// chart is drawn for the fee of the chosen offer. No bar stands out but that
// one; terms without an offer at this draw are left out.
func (o OffersView) chart() PaymentChart {
	row, column, ok := o.chosenCell()
	if !ok {
		return PaymentChart{}
	}
	var c PaymentChart
	if column < len(o.Fees) {
		c.Fee = "fee " + o.Fees[column].Percent
	}
	highest := 0
	for i := range o.Rows {
		highest = max(highest, o.Rows[i].Cells[column].cents())
	}
	for i := range o.Rows {
		r, cell := &o.Rows[i], &o.Rows[i].Cells[column]
		if cell.cents() == 0 {
			continue
		}
		tall := barTall * float64(cell.cents()) / float64(highest)
		x := len(c.Bars)*barStep + 8
		c.Bars = append(c.Bars, PaymentBar{
			Term: r.Term, Long: or(r.Long, r.Term), Payment: rounded(cell.cents()), Exact: cell.Dollars + cell.Cents, Rate: cell.Rate, Chosen: i == row,
			X: strconv.Itoa(x), Mid: strconv.Itoa(x + 28), Y: tenths(barFoot - tall), Height: tenths(tall), Above: tenths(barFoot - tall - 6),
		})
	}
	c.Width = strconv.Itoa(max(4, len(c.Bars)) * barStep)
	return c
}

// chosenCell finds the offer that the form holds.
func (o OffersView) chosenCell() (row, column int, ok bool) {
	for i := range o.Rows {
		for j := range o.Rows[i].Cells {
			if id := o.Rows[i].Cells[j].UUID; id != "" && o.Form.Has("offer.offerUuid", id) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// cents reads the payment back from its two pieces; zero when there is none.
func (c *OfferCell) cents() int {
	n, _ := strconv.Atoi(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, c.Dollars+c.Cents))
	return n
}

// rounded is an amount in whole dollars, half up.
func rounded(cents int) string {
	whole := strconv.Itoa((cents + 50) / 100)
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return "$" + whole
}

func tenths(f float64) string { return fmt.Sprintf("%.1f", f) }
