// Package pdf draws the PDF that an originator gives to a borrower: one Letter page, drawn by RenderOfferSheet.
//
//	offer_sheet.go    the page, the order of its blocks, and the chart
//	offer_blocks.go   the blocks: header, offers, tables, terms, whom to call
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
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"

	"hearthline/views/offersheet"
)

var (
	//go:embed fonts/regular.ttf
	regularFont []byte
	//go:embed fonts/semibold.ttf
	semiboldFont []byte
)

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
	ink      = offersheet.Color{R: 20, G: 32, B: 43}
	inkDim   = offersheet.Color{R: 68, G: 81, B: 93}
	hairline = offersheet.Color{R: 216, G: 222, B: 228}
	border   = offersheet.Color{R: 123, G: 135, B: 148}
	lineBlue = offersheet.Color{R: 20, G: 80, B: 122} // the default color of a company
)

type page struct {
	*fpdf.Fpdf
	offersheet.Sheet
}

// RenderOfferSheet draws a sheet.
func RenderOfferSheet(s offersheet.Sheet) ([]byte, error) {
	if s.Color == (offersheet.Color{}) {
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

// drawable replaces characters that the fonts cannot contain: fpdf fails on one beyond U+FFFF, and its error quotes it.
func drawable(text string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xFFFF {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// GetStringWidth, SetTitle, Text, Write and MultiCell wrap those of fpdf, and accept any text.
func (p page) GetStringWidth(text string) float64    { return p.Fpdf.GetStringWidth(drawable(text)) }
func (p page) SetTitle(title string, isUTF8 bool)    { p.Fpdf.SetTitle(drawable(title), isUTF8) }
func (p page) Text(x, y float64, text string)        { p.Fpdf.Text(x, y, drawable(text)) }
func (p page) Write(lineHeight float64, text string) { p.Fpdf.Write(lineHeight, drawable(text)) }
func (p page) MultiCell(width, lineHeight float64, text, border, align string, fill bool) {
	p.Fpdf.MultiCell(width, lineHeight, drawable(text), border, align, fill)
}

// font sets size, weight and color of the next text.
func (p page) font(strong bool, size float64, c offersheet.Color) {
	style := ""
	if strong {
		style = "B"
	}
	p.SetFont("Inter", style, size)
	p.SetTextColor(int(c.R), int(c.G), int(c.B))
}

func (p page) pen(c offersheet.Color, width float64) {
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

// chartHeight is the height of the chart with its title and its legend.
const chartHeight = 50.0

// chart draws the lines in the company's color, each with its own dash and name, and returns where it ends.
func (p page) chart(x, y, width float64) float64 {
	p.font(true, 10, ink)
	p.text(x, y+3.6, "L", p.Chart.Title)
	p.font(false, 7.2, inkDim)
	p.SetXY(x, y+5)
	p.MultiCell(width, 3.2, p.Chart.Note, "", "L", false)
	left, right, top, bottom := x+11, x+width-2, y+13.5, y+chartHeight-12
	if p.Chart.Direct {
		bottom += 5 // there is no legend
	}
	across := func(at float64) float64 { return left + at*(right-left) }
	up := func(at float64) float64 { return bottom - at*(bottom-top) }
	for _, t := range p.Chart.Up {
		p.pen(hairline, .15)
		if t.At == 0 {
			p.pen(border, .25)
		}
		p.Line(left, up(t.At), right, up(t.At))
		p.font(false, 7.4, inkDim)
		p.text(left-1.5, up(t.At)+1, "R", t.Label)
	}
	for _, t := range p.Chart.Across {
		p.font(false, 7.4, inkDim)
		p.text(across(t.At), bottom+4, "C", t.Label)
	}
	legend := x
	for _, l := range p.Chart.Lines {
		p.pen(p.Color, .6)
		p.dash(l.Dash)
		for i := 1; i < len(l.Points); i++ {
			a, b := l.Points[i-1], l.Points[i]
			p.Line(across(a.X), up(a.Y), across(b.X), up(b.Y))
		}
		if p.Chart.Direct {
			p.dash(nil)
			continue
		}
		p.Line(legend, bottom+8, legend+8, bottom+8)
		p.dash(nil)
		p.font(true, 7.6, ink)
		p.text(legend+9.5, bottom+8.9, "L", l.Name)
		legend += 9.5 + p.GetStringWidth(l.Name) + 4
	}
	for _, l := range p.Chart.Lines {
		if p.Chart.Direct {
			p.font(true, 7.6, ink)
			x, y := across(l.Label.X)+1.4, up(l.Label.Y)-1.4
			if l.Below {
				x, y = across(l.Label.X)-1.4-p.GetStringWidth(l.Name), up(l.Label.Y)+3.6
			}
			p.SetFillColor(255, 255, 255) // it may lie on another line
			p.Rect(x-.4, y-2.4, p.GetStringWidth(l.Name)+.8, 3, "F")
			p.text(x, y, "L", l.Name)
		}
	}
	return y + chartHeight
}

// dash sets the dash of the next lines, scaled from drawing units of the page; nil draws solid lines.
func (p page) dash(units []float64) {
	scaled := make([]float64, len(units))
	for i, u := range units {
		scaled[i] = u * .22
	}
	p.SetDashPattern(scaled, 0)
}
