package reports

import (
	"strconv"
	"strings"
	"time"

	deskreports "hearthline/internal/desk/reports"
	view "hearthline/views/reports"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// describe says in one sentence what a drawing shows.
func describe(bars []view.Bar) string {
	all := make([]string, len(bars))
	for i, b := range bars {
		all[i] = b.Label + " " + b.Value
		if b.Note != "" {
			all[i] += " (" + b.Note + ")"
		}
	}
	return strings.Join(all, ", ")
}

func fraction(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// funnelChart draws how many leads came how far.
func (p *presenter) funnelChart() view.Chart {
	c := view.Chart{ID: "funnel", Title: "Funnel", Sub: "by furthest stage reached", Href: to.Full.Report("funnel", p.q)}
	c.Table = view.Table{Caption: "Funnel", Columns: []ui.Column{{Label: "Stage"}, {Label: "Leads", Class: "num"},
		{Label: "Of previous", Class: "num"}}}
	t := p.report.Total
	previous := 0
	for i, f := range stages() {
		n := f.count(t)
		share, note := "—", ""
		if i > 0 {
			share = text.Share(n, previous)
		}
		if i > 0 && previous > 0 {
			note = share + " of previous"
		}
		c.Bars = append(c.Bars, view.Bar{Label: f.heading, Value: strconv.Itoa(n), Note: note,
			Share: fraction(n, t.Inquiries), Strong: fraction(n, t.Inquiries), Last: i == len(stages())-1})
		c.Table.Rows = append(c.Table.Rows, view.Row{Head: view.Cell{Text: f.heading},
			Cells: []view.Cell{p.cell("All", p.all(), t, f), {Text: share}}})
		previous = n
	}
	c.Description = describe(c.Bars)
	return c
}

// pullThroughChart draws the pull-through of each month.
func (p *presenter) pullThroughChart() view.Chart {
	c := view.Chart{ID: "pull-through", Title: "Pull-through", Sub: "funded ÷ applications, by inquiry month",
		Href: to.Full.Report("pull-through", p.q), Columns: true}
	c.Nothing = "No inquiry that started " + p.days(p.report.Period) + " has become an application yet."
	figures := pullThroughFigures()
	c.Table = view.Table{Caption: "Pull-through by month", Columns: columns("Month", figures)}
	if p.report.Total.Applications == 0 {
		return c
	}
	for i, month := range p.report.Months {
		in := p.all()
		in.Started = daysParam(p.monthIn(month.GroupKey))
		c.Table.Rows = append(c.Table.Rows, p.row(text.MonthText(month.GroupKey), in, month, figures))
		name, _, _ := strings.Cut(text.ShortMonthText(month.GroupKey), " ")
		c.Bars = append(c.Bars, view.Bar{
			Label: name, Value: text.Share(month.Funded, month.Applications), Strong: fraction(month.Funded, month.Applications),
			Last: i == len(p.report.Months)-1,
		})
	}
	total := p.row("Total", p.all(), p.report.Total, figures)
	c.Table.Total = &total
	c.Ticks = []string{"0%", "25%", "50%", "75%", "100%"}
	c.Description = describe(c.Bars)
	return c
}

// falloutChart draws in which ways leads ended without funding: applications strong, inquiries that ended earlier
// faint.
func (p *presenter) falloutChart() view.Chart {
	t := p.report.Total
	c := view.Chart{ID: "fallout", Title: "Ended without funding",
		Sub: "solid: applications; faded: ended before an application", Href: to.Full.Report("fallout", p.q)}
	c.Nothing = "No lead has ended without funding."
	c.Table = view.Table{Caption: "Ended without funding",
		Columns: []ui.Column{{Label: "Ended as"}, {Label: "Applications", Class: "num"},
			{Label: "Before an application", Class: "num"}, {Label: "Total", Class: "num"}}}
	here := closed()
	most := t.Closed
	for _, e := range ends() {
		most = max(most, e.all(t))
	}
	apps, early := falloutFigures()[1:], earlyFigures()[2:]
	for i, e := range ends() {
		both := figure{heading: e.word, count: e.all, list: to.LeadsQuery{Outcome: e.outcome}}
		c.Table.Rows = append(c.Table.Rows, view.Row{Head: view.Cell{Text: e.word}, Cells: []view.Cell{
			p.cell("Applications", p.all(), t, apps[i]), p.cell("Before an application", p.all(), t, early[i]),
			p.cell("Total", p.all(), t, both),
		}})
		note := ""
		if apps := e.apps(t); apps > 0 {
			note = text.Pluralize(apps, "application", "applications")
		}
		c.Bars = append(c.Bars, view.Bar{Label: e.word, Value: strconv.Itoa(e.all(t)), Note: note,
			Share: fraction(e.all(t), most), Strong: fraction(e.apps(t), most)})
	}
	if t.Closed > 0 {
		c.Bars = append(c.Bars, view.Bar{Label: here.heading, Value: strconv.Itoa(t.Closed),
			Share: fraction(t.Closed, most)})
	}
	c.Table.Rows = append(c.Table.Rows, view.Row{Head: view.Cell{Text: here.heading}, Cells: []view.Cell{
		{Text: "0"}, p.cell("Before an application", p.all(), t, here), p.cell("Total", p.all(), t, here),
	}})
	total := view.Row{Head: view.Cell{Text: "Total"}, Cells: []view.Cell{
		p.cell("Applications", p.all(), t, pullThroughFigures()[3]),
		p.cell("Before an application", p.all(), t,
			figure{heading: "Total", count: endedEarly, list: to.LeadsQuery{Reached: "no-application", Outcome: "ended"}}),
		p.cell("Total", p.all(), t, figure{heading: "Total",
			count: func(c deskreports.Cohort) int { return endedEarly(c) + c.Fallout() },
			list:  to.LeadsQuery{Outcome: "ended"}}),
	}}
	c.Table.Total = &total
	if most == 0 {
		c.Bars = nil
	}
	c.Description = describe(c.Bars)
	return c
}

// scales are the lengths of the time axis from which a chart takes the shortest that fits, with its steps.
var scales = []struct {
	step  time.Duration
	steps int
}{
	{time.Minute, 5}, {5 * time.Minute, 4}, {15 * time.Minute, 4}, {time.Hour, 4}, {2 * time.Hour, 4}, {6 * time.Hour, 4},
	{24 * time.Hour, 2}, {24 * time.Hour, 5}, {48 * time.Hour, 5}, {7 * 24 * time.Hour, 3},
	{7 * 24 * time.Hour, 6}, {15 * 24 * time.Hour, 4},
}

// scaleOf returns the steps of the shortest time axis that fits a time.
func scaleOf(longest time.Duration) (step time.Duration, count int) {
	for _, s := range scales {
		if s.step*time.Duration(s.steps) >= longest {
			return s.step, s.steps
		}
	}
	last := scales[len(scales)-1]
	for last.step*time.Duration(last.steps) < longest {
		last.step *= 2
	}
	return last.step, last.steps
}

// stayChart draws how long leads were at the steps that they have left: the median strong, the 90th percentile faint.
func (p *presenter) stayChart() view.Chart {
	c := view.Chart{ID: "time-in-step", Title: "Time in step", Sub: "solid: median; faded: 90th percentile",
		Href: to.Full.Report(timeInStep, p.q)}
	c.Nothing = "No lead has left a step yet."
	c.Table = view.Table{Caption: "Time in step", Columns: stayColumns()}
	steps := inOrder(p.report.Steps)
	longest := time.Duration(0)
	for _, s := range steps {
		longest = max(longest, s.Most)
	}
	step, count := scaleOf(longest)
	end := float64(step) * float64(count)
	for _, s := range steps {
		c.Bars = append(c.Bars, view.Bar{
			Label: stepName(s.Step), Value: text.StayText(s.Median) + ", " + text.StayText(s.Most), Share: float64(s.Most) / end,
			Strong: float64(s.Median) / end,
		})
		row, compared := p.stayRow(s, p.all(), ""), p.q
		compared.Step = string(s.Step)
		row.Head.Href = to.Full.Report(timeInStep, compared) + "#groups"
		c.Table.Rows = append(c.Table.Rows, row)
	}
	for i := 0; i <= count && len(steps) > 0; i++ {
		words := "0"
		if i > 0 {
			words = text.StayText(step * time.Duration(i))
		}
		c.Ticks = append(c.Ticks, words)
	}
	c.Description = describe(c.Bars)
	return c
}
