package views

import (
	"strconv"
	"strings"
)

// BalanceLine is what is owed on one offer, in cents: on day one, after every year, and at
// the end.
type BalanceLine struct {
	Name string // "10 years fixed, fee 2.99%"
	Owed []int64
}

// BalanceChart is what is owed over the years on a few offers. Lengths are those of the
// drawing. Lines differ by their dashes, not by colour alone.
type BalanceChart struct {
	Lines    []ChartLine
	Top      string // "$149,336", the highest balance
	Years    string // "30 yr", the longest term
	Headings []string
	Rows     [][]string // year, then one balance a line
}

// ChartLine is one line of the drawing.
type ChartLine struct {
	Name, Points, Dash string
	Chosen             bool
}

const (
	plotWidth, plotHeight = 288, 110
	plotTop               = 16
)

// dashes tell the lines apart, the chosen offer's first.
var dashes = []string{"", "7 4", "2 3", "10 3 2 3", "1 5"}

// NewBalanceChart draws the lines; the first is that of the chosen offer. One of which
// nothing is known is left out.
func NewBalanceChart(lines []BalanceLine) BalanceChart {
	var c BalanceChart
	var highest int64
	longest := 0
	for _, l := range lines {
		if len(l.Owed) < 2 {
			continue
		}
		highest, longest = max(highest, l.Owed[0]), max(longest, len(l.Owed)-1)
	}
	if highest == 0 {
		return c
	}
	c.Top, c.Years = wholeDollars(int(highest)), strconv.Itoa(longest)+" yr"
	c.Rows = make([][]string, longest+1)
	for year := range c.Rows {
		c.Rows[year] = []string{strconv.Itoa(year)}
	}
	for i, l := range lines {
		if len(l.Owed) < 2 || i >= len(dashes) {
			continue
		}
		var points strings.Builder
		for year, owed := range l.Owed {
			if year > 0 {
				points.WriteByte(' ')
			}
			points.WriteString(oneDecimal(float64(year)*plotWidth/float64(longest)) + "," + oneDecimal(plotTop+plotHeight-plotHeight*float64(owed)/float64(highest)))
		}
		c.Lines = append(c.Lines, ChartLine{Name: l.Name, Points: points.String(), Dash: dashes[i], Chosen: i == 0})
		c.Headings = append(c.Headings, l.Name)
		for year := range c.Rows {
			owed := int64(0)
			if year < len(l.Owed) {
				owed = l.Owed[year]
			}
			c.Rows[year] = append(c.Rows[year], wholeDollars(int(owed)))
		}
	}
	return c
}

// description is the drawing in words.
func (c BalanceChart) description() string {
	return "What is owed falls from " + c.Top + " at most to nothing within " + c.Years + ". The same figures stand in the table below."
}

// description is the drawing of payments in words.
func (c PaymentChart) description() string {
	all := make([]string, len(c.Bars))
	for i, b := range c.Bars {
		all[i] = b.LongTerm + " " + b.Exact
	}
	return strings.Join(all, ", ")
}
