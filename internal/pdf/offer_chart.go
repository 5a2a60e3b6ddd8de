package pdf

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
