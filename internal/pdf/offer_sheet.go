// Package pdf draws the PDF that an originator gives to a borrower: one Letter page, drawn by RenderOfferSheet.
//
//	offer_sheet.go    the content of an offer sheet, and the order of its blocks
//	offer_blocks.go   the blocks: header, offers, tables, terms, whom to call
//	offer_chart.go    the chart
//	qr.go             QR codes
//	fonts/            Inter, embedded, so that every name prints as its owner spells it
//
// It receives text and figures that are ready to print and makes no decisions about them. The same sheet always
// produces the same bytes.
package pdf

import (
	"bytes"
	_ "embed"
	"fmt"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

var (
	//go:embed fonts/regular.ttf
	regularFont []byte
	//go:embed fonts/semibold.ttf
	semiboldFont []byte
)

// OfferSheet is what the page states, in one language. A block whose texts are empty is omitted.
type OfferSheet struct {
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
	CreatedAt            time.Time // the date of the sheet; never the machine's clock
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

// Tick is a position on an axis with its text. A minor one may be omitted where there is no space.
type Tick struct {
	At    float64
	Label string
	Minor bool
}

// Color is red, green and blue, each up to 255.
type Color struct{ R, G, B uint8 }

// The dimensions of a Letter page in millimeters.
const (
	margin       = 14.0 // at the sides
	marginTop    = 11.0
	marginBottom = 8.0
	pageHeight   = 279.4
	contentWidth = 215.9 - 2*margin
)

// The colors of text and lines.
var (
	ink      = Color{20, 32, 43}
	inkDim   = Color{68, 81, 93}
	hairline = Color{216, 222, 228}
	border   = Color{123, 135, 148}
	lineBlue = Color{20, 80, 122} // the default color of a company
)

type page struct {
	*fpdf.Fpdf
	OfferSheet
}

// RenderOfferSheet draws the sheet.
func RenderOfferSheet(s OfferSheet) ([]byte, error) {
	if s.Color == (Color{}) {
		s.Color = lineBlue
	}
	p := page{fpdf.New("P", "mm", "Letter", ""), s}
	p.SetCreationDate(s.CreatedAt)
	p.SetModificationDate(s.CreatedAt)
	p.SetCatalogSort(true)
	p.SetLang(s.Lang)
	p.SetTitle(s.Title, true)
	p.SetCreator("Hearthline", true)
	p.AddUTF8FontFromBytes("Inter", "", regularFont)
	p.AddUTF8FontFromBytes("Inter", "B", semiboldFont)
	p.SetMargins(margin, marginTop, margin)
	p.SetCellMargin(0)
	p.SetAutoPageBreak(false, margin)
	p.AddPage()
	p.header()
	p.heading()
	p.offers()
	p.figures()
	p.terms()
	p.officer()
	p.legal()
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	return out.Bytes(), nil
}

// font sets size, weight and color of the next text.
func (p page) font(strong bool, size float64, c Color) {
	style := ""
	if strong {
		style = "B"
	}
	p.SetFont("Inter", style, size)
	p.SetTextColor(int(c.R), int(c.G), int(c.B))
}

func (p page) pen(c Color, width float64) {
	p.SetDrawColor(int(c.R), int(c.G), int(c.B))
	p.SetLineWidth(width)
}

// text writes one line with its baseline at y, starting or ending at x.
func (p page) text(x, y float64, align, text string) {
	switch align {
	case "R":
		x -= p.GetStringWidth(text)
	case "C":
		x -= p.GetStringWidth(text) / 2
	}
	p.Text(x, y, text)
}

// need begins a new page unless a block of this height fits on the page.
func (p page) need(height float64) {
	if p.GetY()+height > pageHeight-marginBottom {
		p.AddPage()
	}
}

// wrap breaks a text into lines where it is too wide for one. A word that is too wide is cut.
func (p page) wrap(text string, width float64) []string {
	if p.GetStringWidth(text) <= width {
		return []string{text}
	}
	at := -1
	for i, r := range text {
		if r == ' ' && p.GetStringWidth(text[:i]) <= width {
			at = i
		}
	}
	if at < 0 {
		return []string{p.fit(text, width)}
	}
	return append([]string{text[:at]}, p.wrap(text[at+1:], width)...)
}

// fit shortens a text to a width.
func (p page) fit(text string, width float64) string {
	if p.GetStringWidth(text) <= width {
		return text
	}
	letters := []rune(text)
	for len(letters) > 1 && p.GetStringWidth(string(letters)+"…") > width {
		letters = letters[:len(letters)-1]
	}
	return string(letters) + "…"
}
