package offers

import (
	"slices"
	"strconv"
	"strings"

	"hearthline/views/text"
)

// BorrowerBalance is the balance of one offer in cents: on day one, and after every month.
type BorrowerBalance struct {
	Name   string // "10 years"
	Months int
	Cents  []int64
}

// BorrowerChart is the balance of a few offers over the years. Positions are fractions of the plot, from its lower
// left corner, so that the page and the PDF draw the same. Lines differ by dash, and none is emphasized.
type BorrowerChart struct {
	Lines    []BorrowerLine
	Across   []ChartTick // years
	Up       []ChartTick // balances
	Headings []string
	Rows     [][]string // year, then one balance per line; a dash after the end of a line
	direct   bool       // the names of the lines are beside them
}

// BorrowerLine is one line of the chart.
type BorrowerLine struct {
	Name   string
	Points []ChartPoint
	Dash   []float64  // lengths of strokes and gaps, in drawing units; empty for a solid line
	Label  ChartPoint // where its name begins, above the line
	Below  bool       // the name ends at Label instead, below the line
}

// ChartPoint is a position in the plot.
type ChartPoint struct{ X, Y float64 }

// ChartTick is a position on an axis with its text. A minor one is omitted where there is no space.
type ChartTick struct {
	At    float64
	Label string
	Minor bool
}

// borrowerDashes are the dashes of the lines in their order.
var borrowerDashes = [][]float64{nil, {7, 4}, {2, 3}, {10, 3, 2, 3}}

// NewBorrowerChart draws the lines, at most as many as there are dashes.
func NewBorrowerChart(lines []BorrowerBalance) BorrowerChart {
	var c BorrowerChart
	var highest int64
	longest := 0
	lines = lines[:min(len(lines), len(borrowerDashes))]
	for _, l := range lines {
		highest, longest = max(highest, l.Cents[0]), max(longest, l.Months)
	}
	if highest <= 0 || longest == 0 {
		return c
	}
	step := roundStep(highest, 100_000)
	top := (highest + step - 1) / step * step
	for cents := int64(0); cents <= top; cents += step {
		c.Up = append(c.Up, ChartTick{At: float64(cents) / float64(top), Label: shortDollars(cents)})
	}
	years := (longest + 11) / 12
	every := yearStep(years)
	for year := 0; year <= years; year += every {
		c.Across = append(c.Across, ChartTick{At: float64(year*12) / float64(longest), Label: strconv.Itoa(year), Minor: year/every%2 == 1 && year+every <= years})
	}
	for i, l := range lines {
		line := BorrowerLine{Name: l.Name, Dash: borrowerDashes[i]}
		for month := 0; month <= l.Months; month += 12 {
			line.Points = append(line.Points, ChartPoint{float64(month) / float64(longest), float64(l.Cents[month]) / float64(top)})
		}
		if l.Months%12 != 0 {
			line.Points = append(line.Points, ChartPoint{float64(l.Months) / float64(longest), 0})
		}
		c.Lines = append(c.Lines, line)
		c.Headings = append(c.Headings, l.Name)
	}
	c.placeNames()
	c.Rows = balanceRows(lines, years, every)
	return c
}

// balanceRows lists the balance at the ticks of the chart, and at the end of each line.
func balanceRows(lines []BorrowerBalance, years, every int) [][]string {
	var listed []int
	for year := 0; year <= years; year += every {
		listed = append(listed, year)
	}
	for _, l := range lines {
		if end := (l.Months + 11) / 12; !slices.Contains(listed, end) {
			listed = append(listed, end)
		}
	}
	slices.Sort(listed)
	rows := make([][]string, len(listed))
	for i, year := range listed {
		rows[i] = []string{strconv.Itoa(year)}
		for _, l := range lines {
			words := text.Dash
			if month := year * 12; month < l.Months {
				words = text.WholeDollars(l.Cents[month])
			} else if month < l.Months+12 {
				words = "$0"
			}
			rows[i] = append(rows[i], words)
		}
	}
	return rows
}

// roundStep returns the distance of the horizontal lines in cents: at most five steps of a round amount, at least unit.
func roundStep(highest, unit int64) int64 {
	for ; ; unit *= 10 {
		for _, factor := range []int64{1, 2, 4, 5} {
			if highest <= 5*factor*unit {
				return factor * unit
			}
		}
	}
}

// yearStep returns the distance of the vertical positions in years.
func yearStep(years int) int {
	switch {
	case years <= 6:
		return 1
	case years <= 12:
		return 2
	default:
		return 5
	}
}

// shortDollars formats a round amount: "$40k".
func shortDollars(cents int64) string {
	if cents == 0 {
		return "$0"
	}
	return "$" + strconv.FormatInt(cents/100_000, 10) + "k"
}

// The plot in drawing units: the chart is 520 wide and 236 high.
const (
	borrowerPlotLeft, borrowerPlotRight = 50, 506
	borrowerPlotTop, borrowerPlotBottom = 14, 206
)

func plotX(x float64) string {
	return oneDecimal(borrowerPlotLeft + x*(borrowerPlotRight-borrowerPlotLeft))
}

func plotY(y float64) string {
	return oneDecimal(borrowerPlotBottom - y*(borrowerPlotBottom-borrowerPlotTop))
}

func (l BorrowerLine) points() string {
	all := make([]string, len(l.Points))
	for i, p := range l.Points {
		all[i] = plotX(p.X) + "," + plotY(p.Y)
	}
	return strings.Join(all, " ")
}

func (l BorrowerLine) dashes() string {
	all := make([]string, len(l.Dash))
	for i, d := range l.Dash {
		all[i] = strconv.FormatFloat(d, 'f', -1, 64)
	}
	return strings.Join(all, " ")
}

// Distinct reports whether the names of the lines are beside them. Otherwise there is a legend.
func (c BorrowerChart) Distinct() bool { return c.direct }
