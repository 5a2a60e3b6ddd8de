// Package pdf draws the PDF that an originator gives to a borrower: one Letter page, drawn by RenderOfferSheet.
//
//	offer_sheet.go  the content and layout of an offer sheet
//	qr.go           QR codes
//	fonts/          Inter, embedded, so that every name prints as its owner spells it
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

// OfferSheet is the page, in one language.
type OfferSheet struct {
	Lang        string // "en" or "es"
	Title       string
	Disclaimer  string // "Estimate, not a commitment to lend."
	PreparedFor [2]string
	PreparedBy  [][2]string // label and text: who prepared it, their numbers, the date
	Headings    []string    // for at most five columns; the first is left-aligned, the others right-aligned
	Rows        [][]string
	Notes       []string
	CreatedAt   time.Time // the date of the sheet; never the machine's clock
}

// The dimensions of a Letter page in millimeters.
const (
	margin       = 18.0
	contentWidth = 215.9 - 2*margin
	lineHeight   = 5.2
)

type page struct {
	*fpdf.Fpdf
	OfferSheet
}

// RenderOfferSheet draws the sheet.
func RenderOfferSheet(s OfferSheet) ([]byte, error) {
	p := page{fpdf.New("P", "mm", "Letter", ""), s}
	p.SetCreationDate(s.CreatedAt)
	p.SetModificationDate(s.CreatedAt)
	p.SetCatalogSort(true)
	p.SetLang(s.Lang)
	p.SetTitle(s.Title, true)
	p.SetCreator("Hearthline", true)
	p.AddUTF8FontFromBytes("Inter", "", regularFont)
	p.AddUTF8FontFromBytes("Inter", "B", semiboldFont)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(false, margin)
	p.AddPage()
	p.header()
	p.table()
	p.notes()
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		return nil, fmt.Errorf("paper: %w", err)
	}
	return out.Bytes(), nil
}

func (p page) setFont(strong bool, size float64) {
	style := ""
	if strong {
		style = "B"
	}
	p.SetFont("Inter", style, size)
	p.SetTextColor(20, 32, 43)
}

func (p page) header() {
	p.setFont(true, 18)
	p.MultiCell(contentWidth, 8.5, p.Title, "", "L", false)
	p.setFont(false, 11)
	p.MultiCell(contentWidth, 6, p.Disclaimer, "", "L", false)
	p.Ln(4)
	for _, f := range append([][2]string{p.PreparedFor}, p.PreparedBy...) {
		if f[1] == "" {
			continue
		}
		p.setFont(false, 9.5)
		p.SetTextColor(68, 81, 93)
		p.CellFormat(42, lineHeight+.6, f[0], "", 0, "L", false, 0, "")
		p.setFont(true, 10)
		p.MultiCell(contentWidth-42, lineHeight+.6, f[1], "", "L", false)
	}
	p.Ln(5)
}

// columnWidths returns the widths of the table's columns; the first column gets what the others leave.
func (p page) columnWidths() []float64 {
	all := []float64{contentWidth, 30, 20, 38, 36}[:len(p.Headings)]
	for _, w := range all[1:] {
		all[0] -= w
	}
	return all
}

func (p page) table() {
	if len(p.Rows) == 0 {
		return
	}
	columns := p.columnWidths()
	row := func(cells []string, strong bool, edge string) {
		for i, text := range cells {
			align := "R"
			if i == 0 {
				align = "L"
			}
			p.setFont(strong || i == 1, 9.5)
			p.CellFormat(columns[i], 7, text, edge, 0, align, false, 0, "")
		}
		p.Ln(7)
	}
	p.SetDrawColor(123, 135, 148)
	p.SetLineWidth(.3)
	row(p.Headings, true, "B")
	p.SetDrawColor(216, 222, 228)
	p.SetLineWidth(.15)
	for _, r := range p.Rows {
		row(r, false, "B")
	}
	p.Ln(6)
}

func (p page) notes() {
	for _, n := range p.Notes {
		p.setFont(false, 9)
		p.MultiCell(contentWidth, 4.8, n, "", "L", false)
		p.Ln(1.4)
	}
}
