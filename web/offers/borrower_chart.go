package offers

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

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

// The space of a name in fractions of the plot, as in the narrowest chart and in the PDF, and its distance from the
// point of the line at which it begins.
const (
	nameCharacter, nameHeight = 0.021, 0.115
	nameRight, nameAbove      = 0.013, 0.03
)

// nameBox is the space of a name.
type nameBox struct{ left, bottom, right, top float64 }

func (n nameBox) overlaps(b nameBox) bool {
	return n.left < b.right && b.left < n.right && n.bottom < b.top && b.bottom < n.top
}

// covered measures how much of a line the space covers.
func (n nameBox) covered(points []offersheet.Point) (length float64) {
	const steps = 20
	for i := 1; i < len(points); i++ {
		for step := range steps {
			p := between(points[i-1], points[i], float64(step)/steps)
			if p.X > n.left && p.X < n.right && p.Y > n.bottom && p.Y < n.top {
				length += math.Hypot(points[i].X-points[i-1].X, points[i].Y-points[i-1].Y) / steps
			}
		}
	}
	return length
}

func between(a, b offersheet.Point, share float64) offersheet.Point {
	return offersheet.Point{X: a.X + share*(b.X-a.X), Y: a.Y + share*(b.Y-a.Y)}
}

// pointAt returns the point of a line after a share of its length along the axis.
func pointAt(points []offersheet.Point, share float64) offersheet.Point {
	x := points[0].X + share*(points[len(points)-1].X-points[0].X)
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if x <= b.X && b.X > a.X {
			return between(a, b, (x-a.X)/(b.X-a.X))
		}
	}
	return points[len(points)-1]
}

// placeNames puts each name at a point of its line where it covers no other name, and as little of the other lines as
// possible. The shortest line has the fewest such points, so it is first. If lines end close together, or a name has
// no space, a legend has the names.
func placeNames(c *offersheet.Chart) {
	var ends []float64
	order := make([]int, len(c.Lines))
	for i, l := range c.Lines {
		order[i], ends = i, append(ends, l.Points[len(l.Points)-1].X)
	}
	c.Direct = endApart(slices.Clone(ends))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ends[a], ends[b]) })
	var placed []nameBox
	for _, i := range order {
		box, ok := placeName(c, i, placed)
		c.Direct = c.Direct && ok
		placed = append(placed, box)
	}
}

// placeName puts the name of one line beside it, and reports whether there is space.
func placeName(c *offersheet.Chart, i int, placed []nameBox) (best nameBox, ok bool) {
	l := &c.Lines[i]
	least := math.Inf(1)
	width := nameCharacter * float64(utf8.RuneCountInString(l.Name))
	for _, below := range []bool{false, true} {
		for _, share := range []float64{.55, .65, .45, .75, .35, .85, .25} {
			at := pointAt(l.Points, share)
			box := nameBox{at.X + nameRight, at.Y + nameAbove, at.X + nameRight + width, at.Y + nameAbove + nameHeight}
			if below {
				box = nameBox{at.X - nameRight - width, at.Y - nameAbove - nameHeight, at.X - nameRight, at.Y - nameAbove}
			}
			if box.left < 0 || box.bottom < 0 || box.right > 1.02 || box.top > 1.05 ||
				slices.ContainsFunc(placed, box.overlaps) {
				continue
			}
			covered := 0.0
			for j, other := range c.Lines {
				if j != i {
					covered += box.covered(other.Points)
				}
			}
			if covered < least {
				l.Label, l.Below, best, least, ok = at, below, box, covered, true
			}
		}
	}
	return best, ok
}
