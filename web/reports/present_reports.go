package reports

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/access"
	deskreports "hearthline/internal/desk/reports"
	"hearthline/internal/heloc"
	view "hearthline/views/reports"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// presenter maps one report.
type presenter struct {
	v      text.Viewer
	q      to.ReportQuery
	report deskreports.Report
	names  map[string]string // of originators
}

func newPresenter(v text.Viewer, q to.ReportQuery, report deskreports.Report) *presenter {
	p := &presenter{v: v, q: q, report: report, names: map[string]string{}}
	for id, name := range text.OriginatorNames(report.People) {
		p.names[string(id)] = strings.TrimSpace(name)
	}
	return p
}

// reportTitles are the headings of the reports, and their names in the navigation.
var reportTitles = map[string]string{
	scorecard: "Scorecard", "funnel": "Funnel", "pull-through": "Pull-through", "fallout": "Fallout",
	timeInStep:       "Time in step",
	to.FiguresReport: "Figures",
}

func (p *presenter) header(name string) view.Header {
	withoutStep := p.q
	withoutStep.Step = ""
	h := view.Header{
		Title: "Reports", Company: text.ActorCompany(p.v.Who), Period: p.dated(p.report.Period),
		Credit: p.creditText(), Filtered: p.filtered(),
		AsOf:   "As of " + p.v.Now.In(p.v.Zone).Format("Jan 2, 2006, 3:04 PM MST"),
		Action: to.Full.Reports(), Filters: p.filters(), Dates: p.dates(), Moved: p.moved(), Notes: p.notes(name),
		Zone:   p.zone(),
		Others: navigation(name, withoutStep),
	}
	if name != "" {
		h.Title, h.Action = reportTitles[name], to.Full.Report(name, to.ReportQuery{})
	}
	if p.v.Who.Can(access.ExportPipeline) {
		h.CSVHref, h.CSVLabel = to.Full.ReportCSV(cmp.Or(name, "funnel"), p.q), "Download CSV"
		if name == "" && !p.report.Funded {
			h.CSVLabel = "Download funnel (CSV)"
		}
		if name == timeInStep {
			h.CSVLabel = "Download all steps (CSV)"
		}
	}
	if p.q != (to.ReportQuery{}) {
		h.Clear = h.Action
	}
	if p.report.Total.Inquiries == 0 {
		none, noMatch := "No inquiry started ", "No inquiries match these filters."
		if p.report.Funded {
			none, noMatch = "No lead was funded ", "No funded leads match these filters."
		}
		h.Empty = &ui.EmptyView{Icon: "search", Title: none + p.days(p.report.Period) + ".",
			Text: "Choose another period."}
		if p.q.Filtered() {
			h.Empty.Title, h.Empty.Text = noMatch, "Choose another period or clear the filters."
		}
	}
	return h
}

// navigation links to the overview and the reports; current is empty for the overview.
func navigation(current string, q to.ReportQuery) []ui.NavLink {
	all := []ui.NavLink{{Label: "Overview", Href: to.Full.ReportsWith(q), Current: current == ""}}
	for _, name := range to.ReportNames() {
		all = append(all, ui.NavLink{Label: reportTitles[name], Href: to.Full.Report(name, q), Current: name == current})
	}
	return append(all, ui.NavLink{Label: reportTitles[to.FiguresReport],
		Href: to.Full.Report(to.FiguresReport, to.ReportQuery{}), Current: current == to.FiguresReport})
}

// days is a period within a sentence.
func (p *presenter) days(period deskreports.Period) string {
	return text.PeriodText(period.From, period.To)
}

// dated says what happened to the leads of a period, and when.
func (p *presenter) dated(period deskreports.Period) string {
	if p.report.Funded {
		return "Funded " + p.days(period)
	}
	return "Inquiries started " + p.days(period)
}

// happened is what the days of the report mean.
func (p *presenter) happened() string {
	if p.report.Funded {
		return "funded"
	}
	return "started"
}

// creditText says for whom leads count, for paper, which has no controls.
func (p *presenter) creditText() string {
	if p.report.Credit == deskreports.CreditHeld {
		return "Counted by who holds the lead"
	}
	return "Counted by who started the inquiry"
}

// moved says how many leads somebody else holds than started them; nil for none.
func (p *presenter) moved() []view.Cell {
	n := strconv.Itoa(p.report.Total.Moved)
	if p.report.Total.Moved == 0 {
		return nil
	}
	in, whom := p.all(), "the originator who started the inquiry"
	in.Moved = "true"
	if p.report.Credit == deskreports.CreditHeld {
		whom = "the current originator"
	}
	words := "of these were reassigned since: they’re no longer with the originator who started them. They count for "
	if p.report.Total.Moved == 1 {
		words = "of these was reassigned since: it’s no longer with the originator who started it. It counts for "
	}
	return []view.Cell{{Text: n, Href: p.v.Base.Leads(in), Label: "Reassigned since: " + n},
		{Text: words + whom + "."}}
}

// dates are the first and the last day, as they were typed.
func (p *presenter) dates() []ui.Field {
	from, last := form.DateText(p.report.Period.From), form.DateText(p.report.Period.To)
	if p.q.Custom() {
		from, last = p.q.From, p.q.To
	}
	return []ui.Field{{Name: "from", Label: "From", Value: from, Placeholder: "mm/dd/yyyy", Max: "20"},
		{Name: "to", Label: "To", Value: last, Placeholder: "mm/dd/yyyy", Max: "20"}}
}

func (p *presenter) filters() []ui.Field {
	originators := [][2]string{{"", "All originators"}, {to.NoOriginator, p.nobody()}}
	for _, o := range p.report.People {
		originators = append(originators, [2]string{string(o.UUID), p.names[string(o.UUID)]})
	}
	if q := p.q.Originator; q != "" && q != to.NoOriginator && p.names[q] == "" {
		originators = append(originators, [2]string{q, notListed})
	}
	states := [][2]string{{"", "All states"}}
	listed := p.report.States
	if q := p.q.State; q != "" && q != to.NoState && !slices.Contains(listed, q) {
		listed = append(slices.Clone(listed), q)
	}
	for _, state := range listed {
		states = append(states, [2]string{cmp.Or(state, to.NoState), stateName(state)})
	}
	sources := append([][2]string{{"", "All sources"}}, text.ReportSources()...)
	periods := text.ReportPeriods()
	if month := text.MonthText(p.q.Period); month != p.q.Period {
		periods = append(periods, [2]string{p.q.Period, month})
	}
	period := cmp.Or(p.q.Period, periods[0][0])
	if p.q.Custom() {
		period, periods = customPeriod, append(periods, [2]string{customPeriod, "Custom dates"})
	}
	fields := []ui.Field{
		{Name: "credit", Label: "Count leads", Options: ui.Choices(string(p.report.Credit), text.ReportCredits()...)},
		{Name: "dates", Label: "Dates", Options: ui.Choices(p.happened(), text.ReportDates()...)},
		{Name: "period", Label: "Period", Options: ui.Choices(period, periods...)},
		{Name: "originator", Label: "Originator", Options: ui.Choices(p.q.Originator, originators...)},
		{Name: "state", Label: "State", Options: ui.Choices(p.q.State, states...)},
		{Name: "source", Label: "Source", Options: ui.Choices(p.q.Source, sources...)},
		{Name: "by", Label: "Group by", Options: ui.Choices(string(p.report.By), text.ReportGroups()...)},
	}
	if p.report.Step == "" {
		return fields
	}
	var steps [][2]string
	for _, s := range inOrder(p.report.Steps) {
		steps = append(steps, [2]string{string(s.Step), stepName(s.Step)})
	}
	return append(fields, ui.Field{Name: "step", Label: "Compare at step",
		Options: ui.Choices(string(p.report.Step), steps...)})
}

// filtered names the filters that are set, for paper and files, which have no controls.
func (p *presenter) filtered() []string {
	var set []string
	if q := p.q.Originator; q == to.NoOriginator {
		set = append(set, "Originator: "+p.nobody())
	} else if q != "" {
		set = append(set, "Originator: "+cmp.Or(p.names[q], notListed))
	}
	if q := p.q.State; q == to.NoState {
		set = append(set, "State: "+stateName(""))
	} else if q != "" {
		set = append(set, "State: "+stateName(q))
	}
	if q := p.q.Source; q != "" {
		set = append(set, "Source: "+text.ReportSource(q))
	}
	return set
}

const notListed = "Not in the lender’s directory"

// stateName is the name of a state, or its code if it is none of the US.
func stateName(code string) string {
	return cmp.Or(text.OptionText(text.States()[1:], code), code, "Not recorded")
}

func (p *presenter) zone() ui.Field {
	return ui.Field{
		Name: "zone", Label: "Time zone for report months", Options: ui.Choices(p.report.Zone.String(), text.Zones()...),
		Hint: "Applies to everyone in your company. Leads started near midnight at the end of a month may move to " +
			"another month.",
	}
}

// groupName is the text of a group.
func (p *presenter) groupName(group string) string {
	switch p.report.By {
	case deskreports.GroupMonth:
		return text.MonthText(group)
	case deskreports.GroupState:
		return stateName(group)
	case deskreports.GroupSource:
		return text.ReportSource(cmp.Or(group, unknownSource))
	default:
		if group == "" {
			return p.nobody()
		}
		return cmp.Or(p.names[group], notListed)
	}
}

// nobody is the originator of leads that have none under the credit.
func (p *presenter) nobody() string {
	if p.report.Credit == deskreports.CreditHeld {
		return "Unassigned"
	}
	return "Starter not known"
}

// all is the list of the leads that the report counts.
func (p *presenter) all() to.LeadsQuery { return p.of(p.in(p.report.Period), p.q.Originator) }

// in is the list of the leads of all originators in a period.
func (p *presenter) in(period deskreports.Period) to.LeadsQuery {
	return to.LeadsQuery{View: "all", Started: daysParam(period), Dates: p.q.Dates, State: p.q.State,
		Source: p.q.Source, Sort: "started"}
}

// of narrows a list to the leads that count for an originator.
func (p *presenter) of(list to.LeadsQuery, originator string) to.LeadsQuery {
	if p.report.Credit == deskreports.CreditHeld {
		list.Originator = originator
	} else {
		list.StartedBy = originator
	}
	return list
}

// daysParam is a period in the URL of a list.
func daysParam(period deskreports.Period) string {
	if period.From == period.To {
		return period.From
	}
	return period.From + ".." + period.To
}

// inGroup narrows a list to a group.
func (p *presenter) inGroup(list to.LeadsQuery, group string) to.LeadsQuery {
	switch p.report.By {
	case deskreports.GroupMonth:
		list.Started = daysParam(p.monthIn(group))
	case deskreports.GroupState:
		list.State = cmp.Or(group, to.NoState)
	case deskreports.GroupSource:
		list.Source = cmp.Or(group, unknownSource)
	default:
		list = p.of(list, cmp.Or(group, to.NoOriginator))
	}
	return list
}

// monthIn returns the days of a month that belong to the period.
func (p *presenter) monthIn(month string) deskreports.Period {
	days := deskreports.PeriodOf(month, p.v.Now)
	return deskreports.Period{From: max(days.From, p.report.Period.From), To: min(days.To, p.report.Period.To)}
}

// other says how many leads of the period an originator holds now or, by who holds them, has started.
func (p *presenter) other(group string) []view.Cell {
	if p.report.By != deskreports.GroupOriginator || group == "" {
		return nil
	}
	n, list := p.report.Others[group], p.in(p.report.Period)
	cell := view.Cell{Text: strconv.Itoa(n)}
	before, after := "started", ""
	if list.StartedBy = group; p.report.Credit == deskreports.CreditStarted {
		before, after, list.StartedBy, list.Originator = "holds", "now", "", group
	}
	if n > 0 {
		cell.Href, cell.Label = p.v.Base.Leads(list), text.JoinNonEmpty(" ", p.groupName(group), before, cell.Text, after)
	}
	all := []view.Cell{{Text: before}, cell}
	if after != "" {
		all = append(all, view.Cell{Text: after})
	}
	return all
}

// row maps the figures of a group, or of all leads; in is the list of its leads.
func (p *presenter) row(name string, in to.LeadsQuery, c deskreports.Cohort, figures []figure) view.Row {
	row := view.Row{Head: view.Cell{Text: name}}
	for _, f := range figures {
		row.Cells = append(row.Cells, p.cell(name, in, c, f))
	}
	return row
}

func (p *presenter) cell(name string, in to.LeadsQuery, c deskreports.Cohort, f figure) view.Cell {
	if f.amount != nil {
		return f.amount.cell(c)
	}
	cell := view.Cell{Text: f.text(c)}
	if f.of == nil && f.count(c) > 0 {
		in.Reached, in.Outcome = f.list.Reached, f.list.Outcome
		cell.Href, cell.Label = p.v.Base.Leads(in), name+", "+text.LowerFirst(f.heading)+": "+cell.Text
	}
	return cell
}

// table maps figures by group, with their total. Of leads that are counted by when they were funded, it maps
// fundedFigures instead.
func (p *presenter) table(caption string, figures []figure) view.Table {
	if p.report.Funded {
		figures = fundedFigures()
	}
	t := view.Table{Caption: caption, Columns: columns(text.ReportGroup(string(p.report.By)), figures)}
	for _, c := range p.report.Groups {
		row := p.row(p.groupName(c.GroupKey), p.inGroup(p.all(), c.GroupKey), c, figures)
		if figures[0].list == stages()[0].list {
			row.Cells[0].Notes = p.other(c.GroupKey)
		}
		t.Rows = append(t.Rows, row)
	}
	total := p.row("Total", p.all(), p.report.Total, figures)
	t.Total = &total
	return t
}

func columns(first string, figures []figure) []ui.Column {
	all := []ui.Column{{Label: first}}
	for _, f := range figures {
		all = append(all, ui.Column{Label: f.heading, Class: "num"})
	}
	return all
}

// byGroup is the heading of a table by group.
func (p *presenter) byGroup() string {
	return "By " + text.LowerFirst(text.ReportGroup(string(p.report.By)))
}

func (p *presenter) overview() view.View {
	t := p.report.Total
	model := view.View{Header: p.header(""), Groups: p.table(p.byGroup(), overviewFigures())}
	model.MonthlyHref = to.MonthlyReportSetting()
	if p.report.Funded {
		model.Facts = p.amountFacts("All", volumes()[3:])
		model.Charts = []view.Chart{p.dollarsChart(), p.stayChart()}
		return model
	}
	model.Charts = []view.Chart{p.funnelChart(), p.pullThroughChart(), p.stayChart(), p.falloutChart()}
	fact := func(f figure, words string) view.Fact {
		return view.Fact{Label: f.heading, Count: p.cell("All", p.all(), t, f), Text: words}
	}
	of := func(n, all int, one, many string) string {
		return strconv.Itoa(n) + " of " + text.Pluralize(all, one, many)
	}
	appsFunded, openApps := "No applications", "No open leads"
	if t.Applications > 0 {
		appsFunded = of(t.Funded, t.Applications, "application", "applications") + " funded"
	}
	if t.Open() > 0 {
		openApps = of(t.OpenApplications(), t.Open(), "open lead is an application", "open leads are applications")
	}
	inquired := fact(stages()[0], "started "+p.days(p.report.Period))
	inquired.Was = p.was(p.report.Previous.Inquiries, strconv.Itoa(p.report.Previous.Inquiries))
	model.Facts = []view.Fact{
		inquired,
		fact(share("Offer rate", offers, inquiries), of(t.Offers, t.Inquiries, "inquiry", "inquiries")),
		fact(share("Pull-through", funded, applications), appsFunded),
		fact(overviewFigures()[5], openApps),
	}
	return model
}

// figuresOf lists the figures of a report by group.
func figuresOf(name string) []figure {
	switch name {
	case "funnel":
		return funnelFigures()
	case "pull-through":
		return pullThroughFigures()
	default:
		return falloutFigures()
	}
}

func (p *presenter) one(name string) view.Report {
	model := view.Report{Header: p.header(name)}
	if model.Empty != nil {
		return model
	}
	by := view.NamedTable{ID: "groups", Title: p.byGroup()}
	switch name {
	case scorecard:
		p.addScore(&model)
		return model
	case "funnel":
		model.Chart = p.funnelChart()
	case "pull-through":
		model.Chart = p.pullThroughChart()
	case "fallout":
		model.Chart = p.falloutChart()
		by.Title, by.Sub = "Applications", text.LowerFirst(p.byGroup())
	default:
		model.Chart = p.stayChart()
		if p.report.Step != "" {
			by.Sub = stepName(p.report.Step)
			by.Table = p.oneStepTable(by.Sub + ", " + text.LowerFirst(p.byGroup()))
			model.Tables = []view.NamedTable{by}
		}
	}
	if name != timeInStep {
		caption := reportTitles[name]
		if p.report.Funded {
			model.Chart = view.Chart{ID: name, Title: caption, Nothing: "Every lead counted here was funded. To see the " +
				text.LowerFirst(caption) + ", set Dates to Inquiries started."}
			caption, by.Title, by.Sub = "Funded leads", p.byGroup(), ""
		} else if name == "fallout" {
			caption = by.Title
		}
		by.Table = p.table(caption+", "+text.LowerFirst(p.byGroup()), figuresOf(name))
		model.Tables = []view.NamedTable{by}
	}
	if name == "fallout" && !p.report.Funded {
		title := "Inquiries without an application"
		model.Tables = append(model.Tables, view.NamedTable{ID: "early", Title: title, Sub: by.Sub,
			Table: p.table(title+", "+by.Sub, earlyFigures())})
	}
	model.Chart.Href = ""
	return model
}

// oneStepTable maps the time at the step of the report, by group. The step is in the caption, so it has no column.
func (p *presenter) oneStepTable(caption string) view.Table {
	t := p.stayTable()
	t.Caption, t.Columns = caption, slices.Delete(t.Columns, 1, 2)
	for i := range t.Rows {
		t.Rows[i].Cells = t.Rows[i].Cells[1:]
	}
	return t
}

// stayTable maps the time at each step, by group, for a file.
func (p *presenter) stayTable() view.Table {
	t := view.Table{Columns: append([]ui.Column{{Label: text.ReportGroup(string(p.report.By))}}, stayColumns()...)}
	for _, c := range p.report.Groups {
		for _, s := range p.stepsOf(c.GroupKey) {
			row := p.stayRow(s, p.inGroup(p.all(), c.GroupKey), p.groupName(c.GroupKey)+", ")
			row.Cells = append([]view.Cell{{Text: row.Head.Text, Word: true}}, row.Cells...)
			row.Head.Text = p.groupName(c.GroupKey)
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// stayColumns are the columns of the time at a step.
func stayColumns() []ui.Column {
	return []ui.Column{
		{Label: "Step"}, {Label: "Leads", Class: "num"}, {Label: "Median", Class: "num"},
		{Label: "90th percentile", Class: "num"},
	}
}

// stepsOf returns the time at the steps of one group, in the order in which leads reach the steps.
func (p *presenter) stepsOf(group string) []deskreports.StepStays {
	var all []deskreports.StepStays
	for _, s := range p.report.GroupStep {
		if s.GroupKey == group {
			all = append(all, s)
		}
	}
	return inOrder(all)
}

func inOrder(stays []deskreports.StepStays) []deskreports.StepStays {
	var all []deskreports.StepStays
	for _, step := range deskreports.ReportedSteps() {
		if at := slices.IndexFunc(stays, func(s deskreports.StepStays) bool { return s.Step == step }); at >= 0 {
			all = append(all, stays[at])
		}
	}
	return all
}

// stayRow maps the time at one step; in is the list of the group's leads.
func (p *presenter) stayRow(s deskreports.StepStays, in to.LeadsQuery, group string) view.Row {
	name := stepName(s.Step)
	in.Left = string(s.Step)
	n := strconv.Itoa(s.Leads)
	return view.Row{Head: view.Cell{Text: name}, Cells: []view.Cell{
		{Text: n, Href: p.v.Base.Leads(in), Label: group + name + ", leads: " + n}, {Text: text.StayText(s.Median)},
		{Text: text.StayText(s.Most)},
	}}
}

// stepName is the name of a step on lists.
func stepName(s heloc.Step) string {
	if s == heloc.StepComplete {
		return "Inquiry complete"
	}
	return text.StepName(s)
}

// notes define the figures of a report.
func (p *presenter) notes(name string) []view.Note {
	all := []view.Note{
		{Term: "Which leads", Text: "Inquiries that started on these days in " + text.ZoneName(p.report.Zone.String()) +
			": on the day they were sent from Hearthline or, if added by application ID, on the lender’s creation date."},
		{Term: "As of", Text: "Each lead counts as it is now. Open leads count as open, not as lost."},
		{Term: "Started by", Text: "The originator in whose name the inquiry was sent to the lender or, if it was added by " +
			"application ID, the first originator Hearthline knew. A reassignment doesn’t change it. " +
			"Starter not known: Hearthline recorded neither."},
		{Term: "Held by", Text: "The originator the lead is assigned to now."},
	}
	if p.report.Funded {
		all[1].Text = "Each lead counts as it is now."
		all[0].Text = "Leads the lender reports as funded, by the lender’s date: the latest day on which funds were sent " +
			"or took effect. Funded leads without such a date and leads whose funds were returned aren’t counted."
	}
	pullThrough := view.Note{Term: "Pull-through", Text: "Funded divided by applications. Applications that are still " +
		"open are included, so recent months can still rise."}
	switch {
	case name == scorecard && p.report.Funded:
		return append(scoreNotes(), all...)
	case name == scorecard:
		return append(append(scoreNotes(), all...), pullThrough)
	}
	others := []view.Note{
		{Term: "Funnel", Text: "Offers ready: the lender made offers. Offer selected: an offer was selected. Applications: " +
			"the lender turned the inquiry into an application. Funded: the lender reports that funds were sent and not " +
			"returned. A lead that reached a later stage counts in the earlier ones. " +
			"For inquiries added by application ID, Hearthline knows only the stages reached since."},
		pullThrough,
		{Term: "Fallout", Text: "Applications that ended without funding: declined by the lender, withdrawn, " +
			"canceled or expired. Inquiries that ended before an application are listed separately and don’t count as " +
			"fallout. Closed without offers: a user closed the lead in Hearthline."},
		{Term: "Time in step", Text: "How long leads that have left a step spent there, all visits combined. " +
			"Half of the leads left within the median and 9 of 10 within the 90th percentile, " +
			"calculated like MEDIAN and PERCENTILE in a spreadsheet."},
		{Term: "Source", Text: "Started in Hearthline, started from a CRM record, or added by application ID. " +
			"Not recorded: added before Hearthline tracked sources."},
	}
	if p.report.Funded {
		all, others = append(scoreNotes()[:1], all...), others[3:] // no funnel, pull-through and fallout
	}
	return append(all, others...)
}
