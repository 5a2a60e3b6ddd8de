// Package paper draws what goes into a borrower's hand: one page, Letter, as PDF.
//
//	paper.go  what stands on a sheet, and how it is drawn
//	fonts/    Inter, embedded, so that every name prints as its bearer spells it
//
// It is given words and figures that are ready to read and decides nothing about them.
// The same sheet gives the same bytes, whenever it is drawn.
package paper

import (
	"bytes"
	_ "embed"
	"fmt"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

var (
	//go:embed fonts/regular.ttf
	regular []byte
	//go:embed fonts/semibold.ttf
	semibold []byte
)

// Sheet is the page, in one language.
type Sheet struct {
	Lang     string // "en" or "es"
	Title    string
	Estimate string // "Estimate, not a commitment to lend."
	For      [2]string
	By       [][2]string // label and words: who prepared it, their numbers, the day
	Heads    []string    // of at most five columns; the first is left, the others right
	Rows     [][]string
	Notes    []string
	Made     time.Time // the day it is drawn for; never the clock of the machine
}

// The measures of a Letter page in millimetres.
const (
	margin = 18.0
	width  = 215.9 - 2*margin
	line   = 5.2
)

type sheet struct {
	*fpdf.Fpdf
	Sheet
}

// PDF draws the sheet.
func PDF(s Sheet) ([]byte, error) {
	p := sheet{fpdf.New("P", "mm", "Letter", ""), s}
	p.SetCreationDate(s.Made)
	p.SetModificationDate(s.Made)
	p.SetCatalogSort(true)
	p.SetLang(s.Lang)
	p.SetTitle(s.Title, true)
	p.SetCreator("Hearthline", true)
	p.AddUTF8FontFromBytes("Inter", "", regular)
	p.AddUTF8FontFromBytes("Inter", "B", semibold)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(false, margin)
	p.AddPage()
	p.head()
	p.table()
	p.notes()
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		return nil, fmt.Errorf("paper: %w", err)
	}
	return out.Bytes(), nil
}

func (p sheet) ink(strong bool, size float64) {
	style := ""
	if strong {
		style = "B"
	}
	p.SetFont("Inter", style, size)
	p.SetTextColor(20, 32, 43)
}

func (p sheet) head() {
	p.ink(true, 18)
	p.MultiCell(width, 8.5, p.Title, "", "L", false)
	p.ink(false, 11)
	p.MultiCell(width, 6, p.Estimate, "", "L", false)
	p.Ln(4)
	for _, f := range append([][2]string{p.For}, p.By...) {
		if f[1] == "" {
			continue
		}
		p.ink(false, 9.5)
		p.SetTextColor(68, 81, 93)
		p.CellFormat(42, line+.6, f[0], "", 0, "L", false, 0, "")
		p.ink(true, 10)
		p.MultiCell(width-42, line+.6, f[1], "", "L", false)
	}
	p.Ln(5)
}

// columns are the widths of the table; the first has what the others leave.
func (p sheet) columns() []float64 {
	all := []float64{width, 30, 20, 38, 36}[:len(p.Heads)]
	for _, w := range all[1:] {
		all[0] -= w
	}
	return all
}

func (p sheet) table() {
	if len(p.Rows) == 0 {
		return
	}
	columns := p.columns()
	row := func(cells []string, strong bool, edge string) {
		for i, text := range cells {
			align := "R"
			if i == 0 {
				align = "L"
			}
			p.ink(strong || i == 1, 9.5)
			p.CellFormat(columns[i], 7, text, edge, 0, align, false, 0, "")
		}
		p.Ln(7)
	}
	p.SetDrawColor(123, 135, 148)
	p.SetLineWidth(.3)
	row(p.Heads, true, "B")
	p.SetDrawColor(216, 222, 228)
	p.SetLineWidth(.15)
	for _, r := range p.Rows {
		row(r, false, "B")
	}
	p.Ln(6)
}

func (p sheet) notes() {
	for _, n := range p.Notes {
		p.ink(false, 9)
		p.MultiCell(width, 4.8, n, "", "L", false)
		p.Ln(1.4)
	}
}
