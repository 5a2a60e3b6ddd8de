package offers

import (
	"slices"
	"strconv"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/offersheet"
	"hearthline/views/text"
)

// maxChartLines is how many offers are charted; more lines could not be told apart.
const maxChartLines = 4

// borrowerChart charts the balance of each offer with a payment. Offers with the same term are named with their fee.
func borrowerChart(sheet text.OfferSheet, q lead.BorrowerQuote) offersheet.Chart {
	if len(q.Offers) > maxChartLines {
		return offersheet.Chart{}
	}
	terms := map[int]int{}
	for _, o := range q.Offers {
		terms[o.Months]++
	}
	var lines []balanceLine
	for _, o := range q.Offers {
		line := balanceLine{Name: localizedTerm(sheet, o.Months), Owed: q.Estimate(o).Balances()}
		if terms[o.Months] > 1 {
			line.Name = text.JoinNonEmpty(", ", line.Name, text.Percent(o.Rate))
		}
		if len(line.Owed) > 0 {
			lines = append(lines, line)
		}
	}
	return newBorrowerChart(sheet, lines)
}

// borrowerDashes are the lines' dash patterns, in order.
var borrowerDashes = [][]float64{nil, {7, 4}, {2, 3}, {10, 3, 2, 3}}

// newBorrowerChart draws the balance of a few offers over the years, at most as many as there are dash patterns.
// Lines differ by dash pattern, and none is emphasized. The page and the PDF draw the same chart.
func newBorrowerChart(w text.OfferSheet, lines []balanceLine) offersheet.Chart {
	c := offersheet.Chart{Title: w.Balance, Note: w.BalanceNote}
	c.Table = offersheet.Table{Title: w.BalanceByYear, Headings: []string{w.YearHead}}
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
		c.Up = append(c.Up, offersheet.Tick{At: float64(cents) / float64(top), Label: shortDollars(cents)})
	}
	years := (longest + 11) / 12
	every := yearStep(years)
	for year := 0; year <= years; year += every {
		c.Across = append(c.Across, offersheet.Tick{
			At: float64(year*12) / float64(longest), Label: strconv.Itoa(year),
			Minor: year/every%2 == 1 && year+every <= years,
		})
	}
	for i, l := range lines {
		line := offersheet.Line{Name: l.Name, Dash: borrowerDashes[i]}
		for month := 0; month <= l.months(); month += 12 {
			at := offersheet.Point{X: float64(month) / float64(longest), Y: float64(l.Owed[month]) / float64(top)}
			line.Points = append(line.Points, at)
		}
		if l.months()%12 != 0 {
			line.Points = append(line.Points, offersheet.Point{X: float64(l.months()) / float64(longest)})
		}
		c.Lines = append(c.Lines, line)
		c.Table.Headings = append(c.Table.Headings, l.Name)
	}
	placeNames(&c)
	c.Table.Rows = balanceRows(lines, years, every)
	return c
}

// balanceRows lists the balance at the ticks of the chart, and at the end of each line.
func balanceRows(lines []balanceLine, years, every int) [][]string {
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

// shortDollars formats a round amount: "$40k".
func shortDollars(cents heloc.Money) string {
	if cents == 0 {
		return "$0"
	}
	return "$" + strconv.FormatInt(int64(cents)/100_000, 10) + "k"
}
