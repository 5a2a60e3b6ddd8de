package offers

import (
	"slices"
	"strconv"
	"strings"

	"hearthline/views/text"
)

// BalanceLine is the balance of one offer in cents: on day one, after every year, and at the end.
type BalanceLine struct {
	Name         string // "10 years fixed, fee 2.99%"
	Owed         []int64
	InterestPaid []int64 // up to then, as many as Owed
}

// BalanceChart is the balance of a few offers over the years. Lengths are in drawing units. Lines differ by
// dash pattern, not by color alone.
type BalanceChart struct {
	Lines    []ChartLine
	Scale    []AxisMark
	Years    []AxisMark // LabelAt is set for the marks that a narrow chart keeps
	Top      string     // "$149,336", the highest balance
	Longest  string     // "30 years", the longest term
	Headings []string
	Rows     [][]string // year, then interest in that year and balance for each line
	Totals   []string   // the total interest of each line
	Direct   bool       // the lines end so far apart that their names are beside them; otherwise they are in a legend
}

// ChartLine is one line of the chart. Foot closes it to an area.
type ChartLine struct {
	Name, Points, Foot, Dash string
	LabelX, LabelY           string // where its name begins
	Chosen                   bool
}

// dashes are the dash patterns of the lines, starting with the chosen offer.
var dashes = []string{"", "7 4", "2 4", "10 3 2 3", "1 5"}

// NewBalanceChart draws the lines; the first is the chosen offer. A line without data is omitted.
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
	c.Top, c.Longest = text.WholeDollars(highest), strconv.Itoa(longest)+" years"
	var top int64
	c.Scale, top = dollarScale(highest)
	c.Years = yearMarks(longest)
	c.Rows = make([][]string, longest+1)
	for year := range c.Rows {
		c.Rows[year] = []string{strconv.Itoa(year)}
	}
	var ends []float64
	for i, l := range lines {
		if len(l.Owed) < 2 || i >= len(dashes) {
			continue
		}
		ends = append(ends, float64(len(l.Owed)-1)/float64(longest))
		var points strings.Builder
		for year, balance := range l.Owed {
			if year > 0 {
				points.WriteByte(' ')
			}
			points.WriteString(oneDecimal(xOf(year, longest)) + "," + oneDecimal(yOf(balance, top)))
		}
		foot := oneDecimal(chartLeft) + "," + oneDecimal(chartBase)
		c.Lines = append(c.Lines, ChartLine{Name: l.Name, Points: points.String(), Foot: foot, Dash: dashes[i], Chosen: i == 0})
		at := nameAt(l, lines)
		drawn := &c.Lines[len(c.Lines)-1]
		drawn.LabelX, drawn.LabelY = oneDecimal(xOf(at, longest)+6), oneDecimal(yOf(l.Owed[at], top)-7)
		c.Headings = append(c.Headings, l.Name)
		for year := range c.Rows {
			interest, balance := "", int64(0)
			if year > 0 && year < len(l.InterestPaid) {
				interest = text.Cents(l.InterestPaid[year] - l.InterestPaid[year-1])
			}
			if year < len(l.Owed) {
				balance = l.Owed[year]
			}
			c.Rows[year] = append(c.Rows[year], interest, text.WholeDollars(balance))
		}
		total := ""
		if n := len(l.InterestPaid); n > 0 {
			total = text.Cents(l.InterestPaid[n-1])
		}
		c.Totals = append(c.Totals, total)
	}
	c.Direct = endApart(ends)
	return c
}

// nameAt returns the year at which a line's name begins: a shorter line's is further down, so that the names of lines that
// end apart are below each other.
func nameAt(l BalanceLine, lines []BalanceLine) int {
	longer := 0
	for _, other := range lines {
		if len(other.Owed) > len(l.Owed) {
			longer++
		}
	}
	return (len(l.Owed) - 1) * (40 + min(longer, 2)*18) / 100
}

// endApart reports whether lines end so far apart, as fractions of the plot, that their names fit beside them.
func endApart(ends []float64) bool {
	slices.Sort(ends)
	for i := 1; i < len(ends); i++ {
		if ends[i]-ends[i-1] < 0.15 {
			return false
		}
	}
	return true
}

func xOf(year, longest int) float64 {
	return chartLeft + float64(year)*(chartRight-chartLeft)/float64(longest)
}

// yearMarks labels the years; a narrow chart has every other one.
func yearMarks(longest int) []AxisMark {
	step := yearStep(longest)
	var marks []AxisMark
	for year := 0; year <= longest; year += step {
		mark := AxisMark{At: oneDecimal(xOf(year, longest)), Text: strconv.Itoa(year)}
		if year%(2*step) == 0 {
			mark.LabelAt = mark.At
		}
		marks = append(marks, mark)
	}
	return marks
}

// description describes the chart in text.
func (c BalanceChart) description() string {
	return "The balance falls from at most " + c.Top + " to zero within " + c.Longest + ". The table below shows the same figures."
}

// description describes the payment chart in text.
func (c PaymentChart) description() string {
	all := make([]string, len(c.Bars))
	for i, b := range c.Bars {
		all[i] = b.LongTerm + " " + b.Exact
	}
	return strings.Join(all, ", ")
}
