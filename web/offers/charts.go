package offers

import (
	"fmt"
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

// The payment chart in drawing units.
const (
	barStep      = 72
	barMaxHeight = 100 // the highest bar; the terms are below it
	barBaseline  = 124
)

// paymentChart draws the payments of the offers that have the chosen offer's fee and highlights only the chosen
// offer's bar. Terms without an offer at this draw are omitted.
func (g OfferGrid) paymentChart(chosen heloc.Offer) view.PaymentChart {
	fee := feeOf(chosen)
	if inGrid, _ := g.offerAt(termOf(chosen), fee); inGrid.UUID != chosen.UUID || fee == feeUnknown {
		return view.PaymentChart{}
	}
	c := view.PaymentChart{Fee: "fee " + fee.String() + "%"}
	terms := distinct(g.Offers, termOf)
	payments := make([]heloc.Money, len(terms))
	var highest heloc.Money
	for i, term := range terms {
		if o, ok := g.offerAt(term, fee); ok {
			payments[i] = g.drawn(o).Payment()
			highest = max(highest, payments[i])
		}
	}
	for i, term := range terms {
		if payments[i] <= 0 {
			continue
		}
		height := barMaxHeight * float64(payments[i]) / float64(highest)
		x := len(c.Bars)*barStep + 8
		short, long := text.TermWords(g.Payments.Term, term)
		c.Bars = append(c.Bars, view.PaymentBar{
			Term: short, LongTerm: long, Payment: text.WholeDollars(payments[i]), Exact: text.Cents(payments[i]),
			Chosen: term == termOf(chosen), X: strconv.Itoa(x), LabelX: strconv.Itoa(x + 28),
			Y: oneDecimal(barBaseline - height), Height: oneDecimal(height), LabelY: oneDecimal(barBaseline - height - 6),
		})
	}
	c.Width = strconv.Itoa(max(4, len(c.Bars)) * barStep)
	return c
}

// twoPayments draws the payments of an interest-only offer with a known draw period.
func twoPayments(at heloc.PricedOffer) view.TwoPayments {
	if at.Afterward() <= 0 {
		return view.TwoPayments{}
	}
	const width, height, gap = 150.0, 44.0, 2.0
	low := height * float64(at.Payment()) / float64(at.Afterward())
	first := width * (float64(at.DrawMonths) / float64(at.Months))
	return view.TwoPayments{
		During: text.Cents(at.Payment()), Afterward: text.Cents(at.Afterward()),
		DrawPeriod: text.Months(at.DrawMonths), Remaining: text.Months(at.Months - at.DrawMonths),
		Height: oneDecimal(low), Y: oneDecimal(height - low), Width: oneDecimal(first - gap), X: oneDecimal(first),
		Width2: oneDecimal(width - first),
	}
}

// Prime rate increases that illustrate how a variable rate can change.
const (
	primeUpOne = heloc.Rate(10_000)
	primeUpTwo = heloc.Rate(20_000)
)

// newPrimeChart draws the payment of a variable offer at today's prime rate and after increases; fixed is zero if
// there is no fixed offer. It is empty without a payment.
func newPrimeChart(offer string, today heloc.PricedOffer, prime *heloc.Rate, fixed heloc.Money) view.PrimeChart {
	if today.Payment() <= 0 {
		return view.PrimeChart{}
	}
	c := view.PrimeChart{Offer: offer, InterestOnly: today.InterestOnly, Prime: text.Percent(prime)}
	var top heloc.Money
	c.Scale, top = dollarScale(max(fixed, today.AtHigherRate(primeUpTwo).Payment()))
	const width, step = 84, 140
	for i, up := range []heloc.Rate{0, primeUpOne, primeUpTwo} {
		at := today.AtHigherRate(up)
		y, x := yOf(at.Payment(), top), float64(82+i*step)
		bar := view.PrimeBar{
			Name: "Today", Rate: text.Percent(&at.Rate), Payment: text.Cents(at.Payment()), Afterward: text.Afterward(at),
			Today: i == 0, X: oneDecimal(x), Y: oneDecimal(y), Height: oneDecimal(chartBase - y),
			LabelX: oneDecimal(x + width/2), LabelY: oneDecimal(y - 7),
		}
		if i > 0 {
			bar.Name = "Prime +" + strconv.Itoa(i)
		}
		if prime != nil {
			bar.Prime = text.Percent(new(*prime + up))
		}
		// above the line of the fixed payment, not on it
		if level := yOf(fixed, top); fixed > 0 && level < y && y-level < 22 {
			bar.LabelY = oneDecimal(level - 6)
		}
		if fixed > 0 {
			bar.Difference = signedDollars(at.Payment() - fixed)
		}
		c.Bars = append(c.Bars, bar)
	}
	if fixed > 0 {
		c.Fixed, c.FixedY = text.Cents(fixed), oneDecimal(yOf(fixed, top))
	}
	return c
}

// signedDollars formats a difference to the cent, with its sign.
func signedDollars(cents heloc.Money) string {
	switch {
	case cents < 0:
		return "−" + text.Cents(-cents)
	case cents == 0:
		return "$0.00"
	default:
		return "+" + text.Cents(cents)
	}
}

// The edges of the plot in drawing units: a chart is 560 wide and 220 high.
const (
	chartLeft, chartRight = 46, 546
	chartTop, chartBase   = 14, 192
)

func yOf(cents, top heloc.Money) float64 {
	return chartBase - float64(chartBase-chartTop)*float64(cents)/float64(top)
}

// dollarScale divides amounts up to highest into at most five round steps. top is the highest mark.
func dollarScale(highest heloc.Money) (marks []view.AxisMark, top heloc.Money) {
	step := roundStep(highest, 100)
	for top < highest {
		top += step
	}
	for at := heloc.Money(0); at <= top; at += step {
		y := yOf(at, top)
		marks = append(marks, view.AxisMark{At: oneDecimal(y), LabelAt: oneDecimal(y + 4), Text: axisDollars(at)})
	}
	return marks, top
}

// axisDollars formats a round amount: "$500", "$120k".
func axisDollars(cents heloc.Money) string {
	if cents >= 1_000_000 && cents%100_000 == 0 {
		return text.WholeDollars(cents/1000) + "k"
	}
	return text.WholeDollars(cents)
}

// roundStep returns the spacing of the horizontal grid lines in cents: a round amount of at least unit that gives at
// most five steps.
func roundStep(highest, unit heloc.Money) heloc.Money {
	for ; ; unit *= 10 {
		for _, factor := range []heloc.Money{1, 2, 4, 5} {
			if highest <= 5*factor*unit {
				return factor * unit
			}
		}
	}
}

// yearStep returns the spacing of the labels on the year axis, in years.
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

func oneDecimal(f float64) string { return fmt.Sprintf("%.1f", f) }
