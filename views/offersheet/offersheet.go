// Package offersheet defines the content of an offer sheet, ready to render: text and chart points. The page for a
// borrower and its PDF render the same content.
package offersheet

import "time"

// Sheet is the content of the borrower's page and its PDF, in one language. A block without text is omitted.
type Sheet struct {
	Lang                 string // "en" or "es"
	Title                string // of the document
	Company, CompanyNMLS string
	Logo                 []byte // PNG; nil for none
	Color                Color  // the company's, dark enough to read on white; the zero value is the default
	Estimate             string // "Estimate, not a commitment to lend"
	Heading              string
	Lede                 []Text
	Offers               []Offer
	MonthlyHead          string // "Monthly payment", above a column of payments
	None                 string // replaces the offers if there are none
	More                 string // there are more offers than these
	Chart                Chart
	Debts                Table
	TermsTitle           string
	Terms                [][2]string // title and sentence
	Officer, OfficerNote string
	Phone                string
	Dates                string // at the top, beside the company: when it was prepared, when it expires
	Legal                []string
	CreatedAt            time.Time // the sheet's date, passed in, never read from the system clock
}

// Text is a part of a sentence.
type Text struct {
	Text   string
	Strong bool
}

// Offer is one offer.
type Offer struct {
	Term, Dollars, Cents string
	Per                  string // below the payment: "a month", "a month for 2 years"
	Note                 string // replaces the payment
	Facts                [][2]string
}

// Table is a table whose first column is left-aligned, the others right-aligned.
type Table struct {
	Title    string
	Headings []string
	Rows     [][]string
	Total    []string  // the last row, emphasized; nil for none
	Note     [2]string // below the table: a label and its value; empty for none
}

// Chart is a line chart with its table. Positions are fractions of the plot, from its lower left corner.
type Chart struct {
	Title, Note string
	Lines       []Line
	Direct      bool // each line has its name beside it; otherwise a legend has the names
	Across, Up  []Tick
	Table       Table
}

// Line is one line of a chart.
type Line struct {
	Name   string
	Points []Point
	Dash   []float64 // lengths of strokes and gaps; empty for a solid line
	Label  Point     // where its name begins, above the line
	Below  bool      // the name ends at Label instead, below the line
}

// Point is a position in the plot.
type Point struct{ X, Y float64 }

// Tick is a position on an axis with its text. A minor tick may be omitted if there is no space.
type Tick struct {
	At    float64
	Label string
	Minor bool
}

// Color is red, green and blue, each up to 255.
type Color struct{ R, G, B uint8 }
