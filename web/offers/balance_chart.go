package offers

import (
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/offersheet"
	"hearthline/views/text"
)

// balanceLine is the balance of one offer: on day one, and after every month.
type balanceLine struct {
	Name         string // "10 years fixed, fee 2.99%"
	Owed         []heloc.Money
	InterestPaid []heloc.Money // cumulative; same length as Owed
}

func (l balanceLine) months() int { return len(l.Owed) - 1 }

// yearly returns every twelfth amount of a schedule, and the last one.
func yearly(amounts []heloc.Money) []heloc.Money {
	var all []heloc.Money
	for m := 0; m < len(amounts); m += 12 {
		all = append(all, amounts[m])
	}
	if len(amounts)%12 != 1 && len(amounts) > 0 {
		all = append(all, amounts[len(amounts)-1])
	}
	return all
}

// dashes are the dash patterns of the lines, starting with the chosen offer.
var dashes = []string{"", "7 4", "2 4", "10 3 2 3", "1 5"}

// newBalanceChart draws the lines; the first is the chosen offer. A line without data is omitted.
func newBalanceChart(lines []balanceLine) view.BalanceChart {
	var c view.BalanceChart
	var highest heloc.Money
	longest := 0
	for i := range lines {
		l := &lines[i]
		l.Owed, l.InterestPaid = yearly(l.Owed), yearly(l.InterestPaid)
		if len(l.Owed) > 1 {
			highest, longest = max(highest, l.Owed[0]), max(longest, len(l.Owed)-1)
		}
	}
	if highest == 0 {
		return c
	}
	c.Description = "The balance falls from at most " + text.WholeDollars(highest) + " to zero within " +
		strconv.Itoa(longest) + " years. The table below shows the same figures."
	var top heloc.Money
	c.Scale, top = dollarScale(highest)
	c.Years = yearMarks(longest)
	c.Rows = make([][]string, longest+1)
	for year := range c.Rows {
		c.Rows[year] = []string{strconv.Itoa(year)}
	}
	var plot offersheet.Chart
	for i, l := range lines {
		if len(l.Owed) < 2 || i >= len(dashes) {
			continue
		}
		drawn := offersheet.Line{Name: l.Name}
		points := make([]string, len(l.Owed))
		for year, balance := range l.Owed {
			points[year] = oneDecimal(xOf(year, longest)) + "," + oneDecimal(yOf(balance, top))
			drawn.Points = append(drawn.Points,
				offersheet.Point{X: float64(year) / float64(longest), Y: float64(balance) / float64(top)})
		}
		plot.Lines = append(plot.Lines, drawn)
		c.Lines = append(c.Lines, view.ChartLine{
			Name: l.Name, Points: strings.Join(points, " "), Dash: dashes[i], Chosen: i == 0, TotalInterest: l.totalInterest(),
		})
		for year := range c.Rows {
			interest, balance := "", heloc.Money(0)
			if year > 0 && year < len(l.InterestPaid) {
				interest = text.Cents(l.InterestPaid[year] - l.InterestPaid[year-1])
			}
			if year < len(l.Owed) {
				balance = l.Owed[year]
			}
			c.Rows[year] = append(c.Rows[year], interest, text.WholeDollars(balance))
		}
	}
	placeNames(&plot)
	c.Direct = plot.Direct
	for i, l := range plot.Lines {
		x, y := chartLeft+l.Label.X*(chartRight-chartLeft), chartBase-l.Label.Y*(chartBase-chartTop)
		if c.Lines[i].Below = l.Below; l.Below {
			x, y = x-12, y+26
		}
		c.Lines[i].LabelX, c.Lines[i].LabelY = oneDecimal(x+6), oneDecimal(y-7)
	}
	return c
}

func (l balanceLine) totalInterest() string {
	if len(l.InterestPaid) == 0 {
		return ""
	}
	return text.Cents(l.InterestPaid[len(l.InterestPaid)-1])
}

// endApart reports whether lines end far enough apart, in fractions of the plot, for their names to fit beside them.
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

// yearMarks labels the years; a narrow chart labels every other year.
func yearMarks(longest int) []view.AxisMark {
	step := yearStep(longest)
	var marks []view.AxisMark
	for year := 0; year <= longest; year += step {
		mark := view.AxisMark{At: oneDecimal(xOf(year, longest)), Text: strconv.Itoa(year)}
		if year%(2*step) == 0 {
			mark.LabelAt = mark.At
		}
		marks = append(marks, mark)
	}
	return marks
}
