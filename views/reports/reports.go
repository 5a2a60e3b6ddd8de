// Package reports contains the screens of a company's figures: an overview, and a page for each report. Charts are
// drawn on the server, and each has a table with the same figures.
package reports

import (
	"cmp"
	"strconv"

	"hearthline/views/ui"
)

// View is the overview.
type View struct {
	Header
	Facts  []Fact
	Charts []Chart
	Groups Table
}

// Header is what the top of every report shows.
type Header struct {
	Page              ui.Page
	Title             string
	Company           string
	Period            string   // "Inquiries started Sep to Nov 2026"
	Filtered          []string // "State: Idaho"; what is printed has no controls
	AsOf              string   // "As of Nov 22, 2026, 2:13 PM MST"
	Action            string   // the URL of the filter form
	Filters           []ui.Field
	Dates             []ui.Field // the first and the last day of the period
	Moved             []Cell     // how many leads were reassigned since; nil for none
	Credit            string     // "Counted by who started the inquiry"
	Clear             string     // the URL without filters; "" if nothing is filtered
	MonthlyHref       string     // the setting of the monthly email; "" for none
	CSVHref, CSVLabel string     // "" where there is no file, or the user may not download it
	Empty             *ui.EmptyView
	Notes             []Note
	Zone              ui.Field     // the time zone of the company's months
	Others            []ui.NavLink // the overview and the other reports
}

// shown is the period of the dates as the form shows it, so that a change of them is noticed.
func (h Header) shown() string { return h.Dates[0].Value + ".." + h.Dates[1].Value }

// layout is the class of a report's panels: two beside each other if it has more than a chart and its table.
func (r Report) layout() string {
	if len(r.Facts) > 0 {
		return "report-grid"
	}
	return "stack"
}

// Note defines one figure.
type Note struct{ Term, Text string }

// Fact is one figure at the top.
type Fact struct {
	Label string
	Count Cell
	Of    []Cell // the leads behind it
	Text  string // what it is a share of
	Was   []Cell // in the period before
}

// Report is the page of one report.
type Report struct {
	Header
	Facts  []Fact
	Chart  Chart
	Tables []NamedTable
}

// NamedTable is a table with its heading.
type NamedTable struct {
	ID, Title, Sub string
	Table
}

// Table is figures by row. Its caption is read by screen readers only.
type Table struct {
	Caption string
	Columns []ui.Column
	Rows    []Row
	Total   *Row
}

// Row is the figures of one group.
type Row struct {
	Head    Cell
	Current bool // the originator whom the page is about
	Cells   []Cell
}

// Cell is one figure. It links to the leads that it counts.
type Cell struct {
	Text  string
	Label string // for screen readers, with the group and the heading
	Href  string // "" for a share, and where there is nothing to list
	Word  bool   // not a number
	Notes []Cell // below it, in one line
	// Counts is set if files have a column beside it with the number of leads, Count.
	Counts bool
	Count  string
}

// Chart is a drawing with its table.
type Chart struct {
	ID, Title, Sub string
	Href           string // its own page; "" on that page
	Description    string // of the drawing, for screen readers
	Bars           []Bar
	Columns        bool     // the bars are vertical
	Ticks          []string // of the scale, from zero to its end
	Table          Table
	Nothing        string // why there is nothing to draw
}

// Bar is one bar. Share and Strong are fractions of the scale.
type Bar struct {
	Label  string
	Value  string
	Note   string  // beside the value
	Share  float64 // of the whole bar
	Strong float64 // of its strong part; the rest is faint
	Last   bool    // drawn in the color of the result
}

// Drawing units of horizontal bars.
const (
	barsWidth  = 560
	barsLeft   = 156
	barsRight  = 390
	barsPitch  = 36
	barsHeight = 24
)

// barX returns the position of a fraction of the scale.
func barX(share float64) string { return number(barsLeft + share*(barsRight-barsLeft)) }

func barWidth(share float64) string { return number(share * (barsRight - barsLeft)) }

func barY(i int) string { return strconv.Itoa(4 + i*barsPitch) }

func barTextY(i int) string { return strconv.Itoa(4 + i*barsPitch + 17) }

// height is the height of a drawing with horizontal bars.
func (c Chart) height() int {
	h := 8 + len(c.Bars)*barsPitch
	if len(c.Ticks) > 0 {
		h += 18
	}
	return h
}

func (c Chart) viewBox() string {
	if c.Columns {
		return "0 0 560 210"
	}
	return "0 0 " + strconv.Itoa(barsWidth) + " " + strconv.Itoa(c.height())
}

// tick is the position of a scale's line.
func (c Chart) tick(i int) float64 { return float64(i) / float64(max(1, len(c.Ticks)-1)) }

// Drawing units of vertical bars.
const (
	columnsLeft, columnsRight = 44, 552
	columnsTop, columnsBase   = 18, 182
)

func (c Chart) columnX(i int) float64 {
	return columnsLeft + (float64(i)+0.5)*(columnsRight-columnsLeft)/float64(max(1, len(c.Bars)))
}

// columnWidth leaves space between bars, however many there are.
func (c Chart) columnWidth() float64 {
	return min(46, 0.62*(columnsRight-columnsLeft)/float64(max(1, len(c.Bars))))
}

func (c Chart) columnLeft(i int) string { return number(c.columnX(i) - c.columnWidth()/2) }

func columnY(share float64) float64 { return columnsBase - share*(columnsBase-columnsTop) }

// minorTick reports whether a tick has no text where there is little space.
func (c Chart) minorTick(i int) bool { return i%2 == 1 || len(c.Ticks) > 5 && i == len(c.Ticks)-1 }

func number(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// minorLabel reports whether a month is left out where there is little space.
func (c Chart) minorLabel(i int) bool { return len(c.Bars) > 6 && (len(c.Bars)-1-i)%2 == 1 }

func (c Cell) label() string { return cmp.Or(c.Label, c.Text) }
