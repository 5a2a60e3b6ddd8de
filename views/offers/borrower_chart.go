package offers

import (
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/pdf"
	"hearthline/views/text"
)

// borrowerDashes are the dashes of the lines in their order.
var borrowerDashes = [][]float64{nil, {7, 4}, {2, 3}, {10, 3, 2, 3}}

// NewBorrowerChart draws the balance of a few offers over the years, at most as many as there are dashes. Lines differ
// by dash, and none is emphasized. The page and the PDF draw the same.
func NewBorrowerChart(w text.OfferSheet, lines []BalanceLine) pdf.Chart {
	c := pdf.Chart{Title: w.Balance, Note: w.BalanceNote}
	c.Table = pdf.Table{Title: w.BalanceByYear, Headings: []string{w.YearHead}}
	var highest heloc.Money
	longest := 0
	lines = lines[:min(len(lines), len(borrowerDashes))]
	for _, l := range lines {
		highest, longest = max(highest, l.Owed[0]), max(longest, l.months())
	}
	if highest <= 0 || longest == 0 {
		return c
	}
	step := roundStep(highest, 100_000)
	top := (highest + step - 1) / step * step
	for cents := heloc.Money(0); cents <= top; cents += step {
		c.Up = append(c.Up, pdf.Tick{At: float64(cents) / float64(top), Label: shortDollars(cents)})
	}
	years := (longest + 11) / 12
	every := yearStep(years)
	for year := 0; year <= years; year += every {
		c.Across = append(c.Across, pdf.Tick{
			At: float64(year*12) / float64(longest), Label: strconv.Itoa(year),
			Minor: year/every%2 == 1 && year+every <= years,
		})
	}
	for i, l := range lines {
		line := pdf.Line{Name: l.Name, Dash: borrowerDashes[i]}
		for month := 0; month <= l.months(); month += 12 {
			at := pdf.Point{X: float64(month) / float64(longest), Y: float64(l.Owed[month]) / float64(top)}
			line.Points = append(line.Points, at)
		}
		if l.months()%12 != 0 {
			line.Points = append(line.Points, pdf.Point{X: float64(l.months()) / float64(longest)})
		}
		c.Lines = append(c.Lines, line)
		c.Table.Headings = append(c.Table.Headings, l.Name)
	}
	placeNames(&c)
	c.Table.Rows = balanceRows(lines, years, every)
	return c
}

// balanceRows lists the balance at the ticks of the chart, and at the end of each line.
func balanceRows(lines []BalanceLine, years, every int) [][]string {
	var listed []int
	for year := 0; year <= years; year += every {
		listed = append(listed, year)
	}
	for _, l := range lines {
		if end := (l.months() + 11) / 12; !slices.Contains(listed, end) {
			listed = append(listed, end)
		}
	}
	slices.Sort(listed)
	rows := make([][]string, len(listed))
	for i, year := range listed {
		rows[i] = []string{strconv.Itoa(year)}
		for _, l := range lines {
			words := text.Dash
			if month := year * 12; month < l.months() {
				words = text.WholeDollars(l.Owed[month])
			} else if month < l.months()+12 {
				words = "$0"
			}
			rows[i] = append(rows[i], words)
		}
	}
	return rows
}

// roundStep returns the distance of the horizontal lines in cents: at most five steps of a round amount, at least unit.
func roundStep(highest, unit heloc.Money) heloc.Money {
	for ; ; unit *= 10 {
		for _, factor := range []heloc.Money{1, 2, 4, 5} {
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
func shortDollars(cents heloc.Money) string {
	if cents == 0 {
		return "$0"
	}
	return "$" + strconv.FormatInt(int64(cents)/100_000, 10) + "k"
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

// plotPoints are the points of a line, for a polyline.
func plotPoints(l pdf.Line) string {
	all := make([]string, len(l.Points))
	for i, p := range l.Points {
		all[i] = plotX(p.X) + "," + plotY(p.Y)
	}
	return strings.Join(all, " ")
}

// plotDash is the dash of a line, for a polyline.
func plotDash(dash []float64) string {
	all := make([]string, len(dash))
	for i, d := range dash {
		all[i] = strconv.FormatFloat(d, 'f', -1, 64)
	}
	return strings.Join(all, " ")
}
