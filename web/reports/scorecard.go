package reports

import (
	"cmp"
	"slices"
	"strconv"

	deskreports "hearthline/internal/desk/reports"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/reports"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// volume is one amount of a scorecard: the leads that reached a stage, how many of them have the amount, and their sum.
type volume struct {
	heading, one, many string // "lead selected"
	reached            string
	leads, with        func(deskreports.Cohort) int
	total              func(deskreports.Cohort) heloc.Money
}

func volumes() []volume {
	return []volume{
		{"Requested", "inquiry", "inquiries", "", inquiries,
			func(c deskreports.Cohort) int { return c.WithRequested },
			func(c deskreports.Cohort) heloc.Money { return c.RequestedTotal }},
		{"Offered", "with offers", "with offers", "offers", offers,
			func(c deskreports.Cohort) int { return c.WithOffered },
			func(c deskreports.Cohort) heloc.Money { return c.OfferedTotal }},
		{"Selected", "selected", "selected", "selected", selected,
			func(c deskreports.Cohort) int { return c.WithSelected },
			func(c deskreports.Cohort) heloc.Money { return c.SelectedTotal }},
		{"Funded", "funded", "funded", "funded", funded,
			func(c deskreports.Cohort) int { return c.WithFunded },
			func(c deskreports.Cohort) heloc.Money { return c.FundedTotal }},
	}
}

// dollars is the sum, or a dash if no lead has the amount.
func (v volume) dollars(c deskreports.Cohort) string {
	if v.with(c) == 0 {
		return "—"
	}
	return text.WholeDollars(v.total(c))
}

// cell is the sum; it says how many leads have the amount unless all do.
func (v volume) cell(c deskreports.Cohort) view.Cell {
	cell := view.Cell{Text: v.dollars(c), Counts: true, Count: strconv.Itoa(v.with(c))}
	if v.with(c) != v.leads(c) {
		cell.Notes = []view.Cell{{Text: strconv.Itoa(v.with(c)) + " with an amount"}}
	}
	return cell
}

// count links to the leads behind an amount, and says how many of them have it unless all do.
func (p *presenter) count(name string, in to.LeadsQuery, v volume, c deskreports.Cohort) []view.Cell {
	n, with := v.leads(c), v.with(c)
	if !p.report.Funded { // those all reached it
		in.Reached = v.reached
	}
	cell, word := view.Cell{Text: strconv.Itoa(n)}, v.many
	if n > 0 {
		cell.Href, cell.Label = p.v.Base.Leads(in), name+", "+text.LowerFirst(v.heading)+": "+cell.Text
	}
	if n == 1 {
		word = v.one
	}
	if with != n {
		word += ", " + strconv.Itoa(with) + " with an amount"
	}
	return []view.Cell{cell, {Text: word}}
}

// was says what a figure was in the period before; a number of leads links to them.
func (p *presenter) was(leads int, words string) []view.Cell {
	before := p.report.Period.Previous()
	cell := view.Cell{Text: words}
	if leads > 0 {
		cell.Href = p.v.Base.Leads(p.of(p.in(before), p.q.Originator))
		cell.Label = p.dated(before) + ": " + words
	}
	return []view.Cell{cell, {Text: p.happened() + " " + p.days(before)}}
}

// stagesOfDays are the stages to which the days are counted, with their headings.
var stagesOfDays = []struct {
	reached lead.Reach
	heading string
}{{lead.ReachedOffers, "To offers"}, {lead.ReachedSelected, "To selection"}, {lead.ReachedFunded, "To funding"}}

// daysCell is the median of the leads of a group; a dash if none counts.
func daysCell(all []deskreports.DaysTo, group string, reached lead.Reach) view.Cell {
	cell := view.Cell{Text: "—", Counts: true, Count: "0"}
	for _, d := range all {
		if d.GroupKey == group && d.Reached == reached {
			cell.Text, cell.Count = text.DaysText(d.Median), strconv.Itoa(d.Leads)
			cell.Notes = []view.Cell{{Text: text.Pluralize(d.Leads, "lead", "leads")}}
		}
	}
	return cell
}

// addScore maps a scorecard: of one originator, or of all.
func (p *presenter) addScore(model *view.Report) {
	who := "All originators"
	if p.q.Originator != "" {
		who = cmp.Or(p.names[p.q.Originator], notListed)
		if p.q.Originator == to.NoOriginator {
			who = p.nobody()
		}
		model.Title = "Scorecard: " + who
	}
	model.Facts = p.amountFacts(who, volumes())
	model.Chart = p.dollarsChart()
	model.Tables = []view.NamedTable{
		{ID: "days", Title: "Days", Sub: "exact medians from the start of the inquiry", Table: p.daysTable(who)},
		{ID: "groups", Title: p.byGroup(), Sub: "most funded dollars first", Table: p.scoreTable("Scorecard, " +
			text.LowerFirst(p.byGroup()))},
	}
}

// amountFacts are amounts with their change since the period before; the first says how many leads that had.
func (p *presenter) amountFacts(who string, volumes []volume) (all []view.Fact) {
	r := p.report
	for _, v := range volumes {
		change := "Previously " + v.dollars(r.Previous)
		if was := v.total(r.Previous); was > 0 && (v.with(r.Total) > 0 || v.leads(r.Total) == 0) {
			change = changeText(v.total(r.Total), was) + " from " + v.dollars(r.Previous)
		}
		all = append(all, view.Fact{Label: v.heading, Count: view.Cell{Text: v.dollars(r.Total)},
			Of: p.count(who, p.all(), v, r.Total), Text: change})
	}
	all[0].Was = p.was(r.Previous.Inquiries, strconv.Itoa(r.Previous.Inquiries))
	return all
}

// changeText is the change between two amounts in whole percent.
func changeText(now, was heloc.Money) string {
	percent := (200*(int64(now)-int64(was)) + int64(was)) / (2 * int64(was))
	if now < was {
		percent = -((200*(int64(was)-int64(now)) + int64(was)) / (2 * int64(was)))
	}
	switch {
	case percent > 0:
		return "+" + strconv.FormatInt(percent, 10) + "%"
	case percent < 0:
		return "−" + strconv.FormatInt(-percent, 10) + "%"
	default:
		return "No change"
	}
}

// dollarsChart draws the amounts, each above that of the period before.
func (p *presenter) dollarsChart() view.Chart {
	c := view.Chart{ID: "dollars", Title: "Dollars", Nothing: "No lead has an amount."}
	if p.report.Previous.Inquiries > 0 {
		c.Sub = "faded: " + text.LowerFirst(p.dated(p.report.Period.Previous()))
	}
	c.Table = view.Table{Caption: "Dollars", Columns: []ui.Column{{Label: "Amount"}, {Label: "This period", Class: "num"},
		{Label: "Previous", Class: "num"}}}
	most := heloc.Money(0)
	for _, v := range volumes() {
		most = max(most, v.total(p.report.Total), v.total(p.report.Previous))
	}
	if most == 0 {
		return c
	}
	for _, v := range volumes() {
		now, was := v.total(p.report.Total), v.total(p.report.Previous)
		c.Bars = append(c.Bars, view.Bar{Label: v.heading, Value: v.dollars(p.report.Total),
			Share: fraction(int(now), int(most)), Strong: fraction(int(now), int(most))})
		if p.report.Previous.Inquiries > 0 {
			c.Bars = append(c.Bars, view.Bar{Label: "previous", Value: v.dollars(p.report.Previous),
				Share: fraction(int(was), int(most))})
		}
		c.Table.Rows = append(c.Table.Rows, view.Row{Head: view.Cell{Text: v.heading},
			Cells: []view.Cell{{Text: v.dollars(p.report.Total)}, {Text: v.dollars(p.report.Previous)}}})
	}
	c.Description = describe(c.Bars)
	return c
}

// daysTable maps the medians of this period, the one before, and the company if the page is about one originator.
func (p *presenter) daysTable(who string) view.Table {
	r := p.report
	t := view.Table{Caption: "Median days", Columns: []ui.Column{{Label: "Median days"}, {Label: who, Class: "num"},
		{Label: "Previous", Class: "num"}}}
	if p.q.Originator != "" {
		t.Columns = append(t.Columns, ui.Column{Label: "Company", Class: "num"})
	}
	for _, stage := range stagesOfDays {
		row := view.Row{Head: view.Cell{Text: stage.heading}}
		row.Cells = []view.Cell{daysCell(r.Days.Total, "", stage.reached), daysCell(r.Days.Previous, "", stage.reached)}
		if p.q.Originator != "" {
			row.Cells = append(row.Cells, daysCell(r.Days.Company, "", stage.reached))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// scoreTable maps dollars and days by group, those of all originators.
func (p *presenter) scoreTable(caption string) view.Table {
	t := view.Table{Caption: caption, Columns: []ui.Column{{Label: text.ReportGroup(string(p.report.By))},
		{Label: p.firstFigures()[0].heading, Class: "num"}}}
	for _, v := range volumes() {
		t.Columns = append(t.Columns, ui.Column{Label: v.heading, Class: "num"})
	}
	if !p.report.Funded {
		t.Columns = append(t.Columns, ui.Column{Label: "Pull-through", Class: "num"})
	}
	for _, stage := range stagesOfDays {
		t.Columns = append(t.Columns, ui.Column{Label: stage.heading, Class: "num"})
	}
	groups, all := slices.Clone(p.report.Groups), p.in(p.report.Period)
	if p.report.By != deskreports.GroupMonth {
		slices.SortStableFunc(groups, func(a, b deskreports.Cohort) int { return cmp.Compare(b.FundedTotal, a.FundedTotal) })
	}
	for _, c := range groups {
		row := p.scoreRow(p.groupName(c.GroupKey), p.inGroup(all, c.GroupKey), c, p.report.Days.Groups)
		if row.Cells[0].Notes = p.other(c.GroupKey); p.report.By == deskreports.GroupOriginator {
			q := p.q
			q.Originator = cmp.Or(c.GroupKey, to.NoOriginator)
			row.Head.Href, row.Current = to.Full.Report(scorecard, q), q.Originator == p.q.Originator
		}
		t.Rows = append(t.Rows, row)
	}
	company := p.report.Company
	company.GroupKey = ""
	total := p.scoreRow("Total", all, company, p.report.Days.Company)
	t.Total = &total
	return t
}

// firstFigures is the number of the leads that a scorecard is about.
func (p *presenter) firstFigures() []figure {
	if p.report.Funded {
		return fundedFigures()[:1]
	}
	return stages()[:1]
}

func (p *presenter) scoreRow(name string, in to.LeadsQuery, c deskreports.Cohort, days []deskreports.DaysTo) view.Row {
	row := p.row(name, in, c, p.firstFigures())
	for _, v := range volumes() {
		cell := v.cell(c)
		if v.reached != "" {
			cell.Notes = p.count(name, in, volume{v.heading, "lead", "leads", v.reached, v.leads, v.with, v.total}, c)
		}
		row.Cells = append(row.Cells, cell)
	}
	pull := view.Cell{Text: text.Share(c.Funded, c.Applications), Counts: true, Count: strconv.Itoa(c.Applications)}
	if c.Applications > 0 {
		pull.Notes = []view.Cell{{Text: strconv.Itoa(c.Funded) + " of " + strconv.Itoa(c.Applications)}}
	}
	if !p.report.Funded {
		row.Cells = append(row.Cells, pull)
	}
	for _, stage := range stagesOfDays {
		row.Cells = append(row.Cells, daysCell(days, c.GroupKey, stage.reached))
	}
	return row
}

// scoreNotes define the figures of a scorecard.
func scoreNotes() []view.Note {
	return []view.Note{
		{Term: "Dollars", Text: "Requested: the amount the originator entered, if any. Offered: the most the lender’s " +
			"offers allow. Selected: the amount of the selected offer. Funded: the selected amount of leads the lender " +
			"reports as funded. Leads without an amount add nothing; the count shows how many have one."},
		{Term: "Days", Text: "24-hour days from sending the inquiry to when Hearthline first saw offers, a selection " +
			"or the funding. Includes only leads started in Hearthline that reached that stage. The median is exact: half " +
			"of them took no longer."},
		{Term: "Previous", Text: "The same number of days, or of whole months, just before."},
	}
}
