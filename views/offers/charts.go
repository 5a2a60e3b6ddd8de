package offers

import (
	"fmt"
	"strconv"
	"strings"

	"hearthline/views/offersheet"
)

// chartFoot turns a line of the chart into a filled area.
const chartFoot = "46.0,192.0"

// BalanceChart is the balance of a few offers over the years. Lengths are in drawing units. Lines differ by
// dash pattern, not by color alone.
type BalanceChart struct {
	Lines       []ChartLine
	Scale       []AxisMark
	Years       []AxisMark // LabelAt is set for the marks that a narrow chart keeps
	Description string
	Rows        [][]string // year, then interest in that year and balance for each line
	Direct      bool       // the lines end so far apart that their names are beside them; otherwise they are in a legend
}

// ChartLine is one line of the chart.
type ChartLine struct {
	Name, Points, Dash string
	LabelX, LabelY     string // where its name begins, above the line
	Below              bool   // the name ends there instead, below the line
	TotalInterest      string
	Chosen             bool
}

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

// description describes the payment chart in text.
func (c PaymentChart) description() string {
	all := make([]string, len(c.Bars))
	for i, b := range c.Bars {
		all[i] = b.LongTerm + " " + b.Exact
	}
	return strings.Join(all, ", ")
}

// PrimeChart is what a variable offer costs if prime rises, beside the payment of the fixed offer with the same term
// and fee. Lengths are in drawing units.
type PrimeChart struct {
	Offer string // "10 years variable, fee 2.99%"

	InterestOnly bool // the payments are those of the draw period

	Prime  string // "6.75%"; "" if unknown
	Bars   []PrimeBar
	Scale  []AxisMark
	Fixed  string // "$1,827.67"; "" without a fixed offer
	FixedY string
}

// PrimeBar is the payment at a prime rate.
type PrimeBar struct {
	Name                         string // "Today", "Prime +1"
	Prime                        string // "6.75%"; "" if unknown
	Rate                         string // "7.95%"
	Payment                      string // "$1,887.68"
	Afterward                    string // the payment after the draw period, or "rises"; "" if there is no such period
	Difference                   string // from the fixed payment: "+$60.01"; "" without one
	Today                        bool
	X, Y, Height, LabelX, LabelY string
}

// AxisMark is one line of a scale.
type AxisMark struct{ At, LabelAt, Text string }

// description describes the chart in text.
func (c PrimeChart) description() string {
	all := make([]string, len(c.Bars), len(c.Bars)+1)
	for i, b := range c.Bars {
		all[i] = b.Name + " " + b.Payment
	}
	if c.Fixed != "" {
		all = append(all, "fixed "+c.Fixed)
	}
	return strings.Join(all, ", ")
}

func (c PrimeChart) paymentHeading() string {
	if c.InterestOnly {
		return "During the draw period"
	}
	return "Monthly payment"
}

func (c PrimeChart) sub() string {
	words := c.Offer
	if c.InterestOnly {
		words += ", payment during the draw period"
	}
	if c.Prime != "" {
		words += "; prime " + c.Prime + " today"
	}
	return words
}

// TwoPayments are the payments of an offer whose payment rises when its draw period ends. Lengths are in drawing units:
// the chart is 150 wide and 44 high. The zero value is an offer with one payment.
type TwoPayments struct {
	During, Afterward           string // "$989.35", "$2,323.86"
	DrawPeriod, Remaining       string // "3 years", "7 years"
	Height, Y, Width, X, Width2 string // the bar of the first payment, and where the second begins
}

// description describes the chart in text.
func (p TwoPayments) description() string {
	return p.During + " a month for " + p.DrawPeriod + ", then " + p.Afterward + " a month for " + p.Remaining
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
func plotPoints(l offersheet.Line) string {
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

func oneDecimal(f float64) string { return fmt.Sprintf("%.1f", f) }
