package pdf

import (
	"bytes"
	"strings"

	"codeberg.org/go-pdf/fpdf"

	"hearthline/views/offersheet"
)

const logoHeight, logoMaxWidth = 11.0, 52.0

func (p page) header() {
	x, top := margin, marginTop
	if len(p.Logo) > 0 {
		options := fpdf.ImageOptions{ImageType: "PNG"}
		if info := p.RegisterImageOptionsReader("logo", options, bytes.NewReader(p.Logo)); info != nil && info.Height() > 0 {
			width := info.Width() / info.Height() * logoHeight
			height := logoHeight
			if width > logoMaxWidth {
				width, height = logoMaxWidth, logoHeight*logoMaxWidth/width
			}
			p.ImageOptions("logo", x, top+(logoHeight-height)/2, width, height, false, options, 0, "")
			x += width + 3.5
		}
	}
	p.font(true, 13, ink)
	company := p.fit(p.Company, 95)
	p.text(x, top+5, "L", company)
	left := x + p.GetStringWidth(company)
	p.font(false, 9, inkDim)
	p.text(x, top+9.6, "L", p.CompanyNMLS)
	left = max(left, x+p.GetStringWidth(p.CompanyNMLS)) + 8
	p.font(true, 8.5, ink)
	p.text(margin+contentWidth, top+3.2, "R", p.Estimate)
	p.dates(top+6.6, margin+contentWidth-left)
	p.pen(p.Color, .8)
	p.Line(margin, top+logoHeight+3, margin+contentWidth, top+logoHeight+3)
	p.SetY(top + logoHeight + 6.5)
}

// dates writes when the sheet was prepared and when it expires, in up to three lines that end at the right margin.
func (p page) dates(y, width float64) {
	const line, most, comfortable = 3.0, 3, 104.0
	p.font(false, 7.8, ink)
	lines := p.sentenceLines(p.Dates, min(width, comfortable))
	if len(lines) > most {
		lines = p.wrap(p.Dates, width)
	}
	for i, text := range lines {
		p.text(margin+contentWidth, y+line*float64(i), "R", text)
	}
}

// sentenceLines breaks a text between sentences, and within one only if it is too wide for a line.
func (p page) sentenceLines(text string, width float64) []string {
	var lines []string
	for sentence := range strings.SplitAfterSeq(text, ". ") {
		last := len(lines) - 1
		if last >= 0 && p.GetStringWidth(lines[last]+" "+strings.TrimSpace(sentence)) <= width {
			lines[last] += " " + strings.TrimSpace(sentence)
			continue
		}
		lines = append(lines, p.wrap(strings.TrimSpace(sentence), width)...)
	}
	return lines
}

func (p page) heading() {
	p.font(true, 15, ink)
	p.MultiCell(contentWidth, 6.6, p.Heading, "", "L", false)
	if len(p.Lede) > 0 {
		p.SetX(margin)
		for _, t := range p.Lede {
			p.font(t.Strong, 9.5, ink)
			p.Write(5, t.Text)
		}
		p.Ln(5)
	}
	p.Ln(2.5)
}

// offers draws up to four offers side by side, and more of them as a list.
func (p page) offers() {
	switch n := len(p.Offers); {
	case n == 0:
		p.font(false, 9.5, ink)
		p.MultiCell(contentWidth, 5, p.None, "", "L", false)
	case n <= 4:
		p.cards()
	default:
		p.offerList()
	}
	if p.More != "" {
		p.font(false, 9, inkDim)
		p.MultiCell(contentWidth, 5, p.More, "", "L", false)
	}
	p.Ln(3)
}

func (p page) cards() {
	const gap, pad, line = 3.0, 3.4, 4.7
	n := float64(max(len(p.Offers), 2)) // one offer does not fill the width
	width := (contentWidth - gap*(n-1)) / n
	height := 0.0
	for _, o := range p.Offers {
		height = max(height, 20+line*float64(len(o.Facts))+pad-1)
	}
	stacked := len(p.Offers) == 4 // the labels are above their values, because beside them there is no space
	if stacked {
		height += line * .75 * float64(len(p.Offers[0].Facts))
	}
	top := p.GetY()
	for i, o := range p.Offers {
		x := margin + float64(i)*(width+gap)
		p.pen(border, .25)
		p.RoundedRect(x, top, width, height, 1.6, "1234", "D")
		p.font(true, 9, inkDim)
		p.text(x+pad, top+5.6, "L", o.Term)
		p.payment(x+pad, top+13, o)
		p.pen(hairline, .2)
		p.Line(x+pad, top+18.4, x+width-pad, top+18.4)
		y := top + 22.6
		for _, f := range o.Facts {
			p.font(false, 8, inkDim)
			p.text(x+pad, y, "L", f[0])
			p.font(true, 8, ink)
			if stacked {
				y += line * .75
				p.text(x+pad, y, "L", f[1])
				y += line
				continue
			}
			if label := p.GetStringWidth(f[0]); label+p.GetStringWidth(f[1]) > width-2*pad-1 {
				p.font(true, 7, ink)
			}
			p.text(x+width-pad, y, "R", f[1])
			y += line
		}
	}
	p.SetY(top + height + 1)
}

// payment writes the payment in large digits, or why there is none.
func (p page) payment(x, y float64, o offersheet.Offer) {
	if o.Note != "" {
		p.font(true, 11, ink)
		p.text(x, y, "L", o.Note)
		return
	}
	p.font(true, 19, ink)
	p.text(x, y, "L", o.Dollars)
	x2 := x + p.GetStringWidth(o.Dollars)
	p.font(true, 11, ink)
	p.text(x2, y, "L", o.Cents)
	p.font(false, 8, inkDim)
	p.text(x, y+4, "L", o.Per)
}

const (
	headingLine = 3.2 // the height of a line of a column's heading
	listSize    = 8.4 // the size of the figures in the list of offers
)

// columnWidths gives each column of the list what its widest figure needs, and an equal part of the rest.
func (p page) columnWidths(total float64) []float64 {
	widths := make([]float64, len(p.Offers[0].Facts))
	p.font(false, listSize, ink)
	rest := total
	for i := range widths {
		for _, o := range p.Offers {
			if i < len(o.Facts) {
				widths[i] = max(widths[i], p.GetStringWidth(o.Facts[i][1]))
			}
		}
		rest -= widths[i]
	}
	for i := range widths {
		widths[i] += rest / float64(len(widths))
	}
	return widths
}

// offerList is a table: a row for each offer, with the labels of the figures once above their columns.
func (p page) offerList() {
	const term, payment = 20.0, 34.0
	first := p.Offers[0].Facts
	widths := p.columnWidths(contentWidth - term - payment)
	p.need(18)
	y := p.GetY()
	p.font(false, 7.6, inkDim)
	headings := make([][]string, len(first))
	lines := 1
	for i, f := range first {
		headings[i] = p.wrap(f[0], widths[i]-2)
		lines = max(lines, len(headings[i]))
	}
	last := y + 3 + headingLine*float64(lines-1) // the last line of each heading is above its figures
	p.text(margin+term+payment-4, last, "R", p.MonthlyHead)
	right := margin + term + payment
	for i, heading := range headings {
		right += widths[i]
		for j, text := range heading {
			p.text(right, last-headingLine*float64(len(heading)-1-j), "R", text)
		}
	}
	p.SetY(last + 1.4)
	for _, o := range p.Offers {
		p.need(6.4)
		y := p.GetY()
		p.pen(hairline, .15)
		p.Line(margin, y, margin+contentWidth, y)
		p.font(true, 9.5, ink)
		p.text(margin, y+4.4, "L", o.Term)
		if o.Note != "" {
			p.text(margin+term+payment-4, y+4.4, "R", o.Note)
		} else {
			p.text(margin+term+payment-4, y+4.4, "R", o.Dollars+o.Cents)
		}
		p.font(false, listSize, ink)
		right := margin + term + payment
		for i, f := range o.Facts {
			value := f[1]
			if i >= len(first) || f[0] != first[i][0] {
				value = f[0] + " " + f[1] // its label is not the one above the column
			}
			if i < len(widths) {
				right += widths[i]
			}
			p.text(right, y+4.4, "R", value)
		}
		p.SetY(y + 6.4)
	}
	p.Ln(1)
}

// figures draws the chart, beside the debts if there are any, and the table of the chart below.
func (p page) figures() {
	const gap = 8.0
	width := (contentWidth - gap) / 2
	hasChart, hasDebts := len(p.Chart.Lines) > 0, len(p.Debts.Rows) > 0
	if !hasChart && !hasDebts {
		return
	}
	debtsHeight := 8 + tableLine*float64(len(p.Debts.Rows)+2) + 5
	p.need(max(chartHeight, debtsHeight))
	top := p.GetY()
	bottom := top
	if hasChart {
		chartWidth := contentWidth
		if hasDebts {
			chartWidth = width
		}
		bottom = p.chart(margin, top, chartWidth)
	}
	if hasDebts {
		x := margin
		if hasChart {
			x += width + gap
		}
		bottom = max(bottom, p.table(p.Debts, x, top, width))
	}
	p.SetY(bottom + 2)
	if hasChart {
		t := p.Chart.Table
		p.need(tableTitle + tableLine*float64(len(t.Rows)+1))
		p.SetY(p.table(t, margin, p.GetY(), contentWidth) + 2)
	}
}

const tableTitle, tableLine = 5.4, 4.6

// table draws a table and returns where it ends.
func (p page) table(t offersheet.Table, x, y, width float64) float64 {
	if t.Title != "" {
		p.font(true, 10, ink)
		p.text(x, y+3.6, "L", t.Title)
		y += tableTitle
	}
	first := width * .4
	column := (width - first) / float64(max(1, len(t.Headings)-1))
	row := func(cells []string, strong bool, c offersheet.Color) {
		for i, text := range cells {
			p.font(strong || i > 0 && c == ink, 8, c)
			if i == 0 {
				p.text(x, y+3.2, "L", p.fit(text, first-1))
				continue
			}
			p.text(x+first+column*float64(i), y+3.2, "R", text)
		}
		p.pen(hairline, .15)
		p.Line(x, y+tableLine, x+width, y+tableLine)
		y += tableLine
	}
	row(t.Headings, false, inkDim)
	for _, r := range t.Rows {
		row(r, false, ink)
	}
	if t.Total != nil {
		row(t.Total, true, ink)
	}
	if t.Note[1] != "" {
		p.font(true, 8, ink)
		p.text(x, y+4, "L", t.Note[0]+": "+t.Note[1])
		y += tableLine
	}
	return y
}

// terms explains the figures in two columns.
func (p page) terms() {
	if len(p.Terms) == 0 {
		return
	}
	const gap, line = 8.0, 4.0
	width := (contentWidth - gap) / 2
	p.need(26)
	p.Ln(1)
	p.font(true, 10, ink)
	p.MultiCell(contentWidth, 5.4, p.TermsTitle, "", "L", false)
	for i := 0; i < len(p.Terms); i += 2 {
		p.need(18)
		top, bottom := p.GetY(), 0.0
		for j, f := range p.Terms[i:min(i+2, len(p.Terms))] {
			x := margin + float64(j)*(width+gap)
			p.SetXY(x, top)
			p.font(true, 8.2, ink)
			p.MultiCell(width, line, f[0], "", "L", false)
			p.SetX(x)
			p.font(false, 8.2, inkDim)
			p.MultiCell(width, line, f[1], "", "L", false)
			bottom = max(bottom, p.GetY())
		}
		p.SetY(bottom + 1.4)
	}
}

// officer draws whom to call.
func (p page) officer() {
	const height = 13.0
	if p.Officer == "" {
		return
	}
	p.need(height + 2)
	p.Ln(1.5)
	y := p.GetY()
	p.pen(p.Color, .55)
	p.RoundedRect(margin, y, contentWidth, height, 1.6, "1234", "D")
	p.font(true, 11, ink)
	p.text(margin+4, y+5.6, "L", p.Officer)
	p.text(margin+contentWidth-4, y+5.6, "R", p.Phone)
	p.font(false, 8.5, ink)
	p.text(margin+4, y+10.2, "L", p.OfficerNote)
	if p.Officer != p.Company {
		p.text(margin+contentWidth-4, y+10.2, "R", p.fit(p.Company, 90))
	}
	p.SetY(y + height + 2)
}

func (p page) legal() {
	p.need(12)
	for _, l := range p.Legal {
		p.font(false, 7.6, inkDim)
		p.MultiCell(contentWidth, 3.7, l, "", "L", false)
	}
}
