// Package reports has a company's figures for its managers: an overview, a page and a file for each report.
//
//	reports.go           the handlers, and the query of a URL
//	figures.go           which figures each report has, and the list behind each
//	scorecard.go         dollars and days, against the period before and the company
//	figure_checks.go     the report that compares figures shown with figures booked
//	present_reports.go   tables, filters and definitions
//	present_charts.go    drawings
//	csv.go               files
package reports

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	deskreports "hearthline/internal/desk/reports"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/reports"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// renderReports shows all reports at once.
func (h *Handlers) renderReports(w http.ResponseWriter, r *http.Request, reports *deskreports.Reports,
	f *form.Form) error {
	p, dates, err := h.presenter(r, reports, "")
	if err != nil {
		return err
	}
	model := p.overview()
	showDates(&model.Header, dates)
	model.Page = h.Layout(r, "Reports")
	model.Zone.Error = f.View("").ErrorOf("zone")
	return h.Render(w, r, max(page.FormStatus(f), page.FormStatus(dates)), view.Reports(model))
}

// ReportPage shows one report.
func (h *Handlers) ReportPage(w http.ResponseWriter, r *http.Request, reports *deskreports.Reports) error {
	name, err := reportName(r)
	if err != nil {
		return err
	}
	if name == to.FiguresReport {
		return h.figuresPage(w, r, reports)
	}
	p, dates, err := h.presenter(r, reports, name)
	if err != nil {
		return err
	}
	model := p.one(name)
	showDates(&model.Header, dates)
	model.Page = h.Layout(r, model.Title)
	return h.Render(w, r, page.FormStatus(dates), view.ReportPage(model))
}

// setZone sets the time zone in which the company's months begin.
func setZone(r *http.Request, reports *deskreports.Reports, f *form.Form) error {
	return reports.SetZone(r.Context(), f.Text("zone"))
}

// presenter reads the report of a URL; name is empty for the overview. The form says what is wrong with its dates.
func (h *Handlers) presenter(r *http.Request, reports *deskreports.Reports, name string) (*presenter, *form.Form,
	error) {
	v, q := h.Viewer(r), parseQuery(r)
	days, dates := parseDays(q, v.Today())
	report, err := reports.Read(r.Context(), filterOf(q, days, name))
	if err != nil {
		return nil, nil, err
	}
	return newPresenter(v, q, report), dates, nil
}

// showDates shows what is wrong with the dates of a URL in place of figures.
func showDates(h *view.Header, dates *form.Form) {
	if !dates.HasErrors() {
		return
	}
	for i := range h.Dates {
		h.Dates[i].Error = dates.View("").ErrorOf(h.Dates[i].Name)
	}
	h.Period, h.CSVHref, h.Moved = "No valid dates", "", nil
	h.Empty = &ui.EmptyView{Icon: "search", Title: "Check the dates.",
		Text: "The figures appear when both dates are valid."}
}

// maxYears limits how many years a report covers.
const maxYears = 10

// parseDays reads the days of a query; the zero period if it has none.
func parseDays(q to.ReportQuery, today heloc.Date) (deskreports.Period, *form.Form) {
	f := &form.Form{Values: url.Values{"from": {q.From}, "to": {q.To}}}
	if q.From == "" && q.To == "" {
		return deskreports.Period{}, f
	}
	// A last day that is still to come counts through today.
	from, last := f.PastDate("from", today), min(f.LastDay("to", today), today)
	if from == "" {
		f.AddError("from", "Enter a From date, such as 09/15/2026")
	}
	if last == "" {
		f.AddError("to", "Enter a To date, such as 11/20/2026")
	}
	if f.HasErrors() {
		return deskreports.Period{}, f
	}
	first, _ := from.Time()
	switch end := heloc.DateOf(first.AddDate(maxYears, 0, 0)); {
	case last < from:
		f.AddError("to", "Enter a To date on or after the From date")
	case last > end:
		f.AddError("to", "Enter a To date within "+strconv.Itoa(maxYears)+" years of the From date")
	default:
		return deskreports.Period{From: string(from), To: string(last)}, f
	}
	return deskreports.Period{}, f
}

// reportName returns the name of a report in the URL.
func reportName(r *http.Request) (string, error) {
	name := chi.URLParam(r, "name")
	if name != to.FiguresReport && !slices.Contains(to.ReportNames(), name) {
		return "", fault.New(fault.NotFound, "Page not found.")
	}
	return name, nil
}

// maxFilterLength limits the text of a filter in bytes.
const maxFilterLength = 64

// parseQuery reads the query of a URL. Unknown values do not filter.
func parseQuery(r *http.Request) to.ReportQuery {
	params := r.URL.Query()
	known := func(name string, all [][2]string) string {
		value := params.Get(name)
		if !slices.ContainsFunc(all, func(one [2]string) bool { return one[0] == value }) {
			return ""
		}
		return value
	}
	param := func(name string) string {
		value := params.Get(name)
		return value[:min(len(value), maxFilterLength)]
	}
	period := known("period", text.ReportPeriods())
	if month := params.Get("period"); text.MonthText(month) != month {
		period = month
	}
	// The form always has the dates that were shown. They count if a user changed them, or had chosen them before.
	from, last := param("from"), param("to")
	if from+".."+last == params.Get("shown") && params.Get("period") != customPeriod {
		from, last = "", ""
	}
	if from != "" || last != "" {
		period = ""
	}
	credit := known("credit", text.ReportCredits()[1:])
	step := params.Get("step")
	if !slices.Contains(deskreports.ReportedSteps(), heloc.Step(step)) {
		step = ""
	}
	return to.ReportQuery{
		Credit: credit, Dates: known("dates", text.ReportDates()[1:]), From: from, To: last, Step: step, Period: period,
		Originator: param("originator"), State: strings.ToUpper(param("state")),
		Source: known("source", text.ReportSources()), By: known("by", text.ReportGroups()),
	}
}

// customPeriod is the period of a form whose dates a user has chosen.
const customPeriod = "custom"

// scorecard is the report that compares an originator with a period before and with the company.
const scorecard = "scorecard"

// timeInStep is the report that reads the time at steps by group.
const timeInStep = "time-in-step"

// filterOf converts the query of a URL to that of the desk, for the report with this name.
func filterOf(q to.ReportQuery, days deskreports.Period, name string) deskreports.ReportFilter {
	f := deskreports.ReportFilter{Period: q.Period, Days: days, Credit: deskreports.Credit(q.Credit),
		Funded: q.Dates != "", By: deskreports.ReportGroup(q.By), Step: heloc.Step(q.Step), WithDays: name == scorecard}
	if name == timeInStep {
		f.GroupSteps = deskreports.OneStep
	}
	f.Originator = filterValue[heloc.OriginatorID](q.Originator, to.NoOriginator)
	f.State = filterValue[string](q.State, to.NoState)
	f.Source = filterValue[lead.Source](q.Source, unknownSource)
	return f
}

// filterValue is a filter of the desk: nil for none, and a pointer to the empty value where the URL asks for leads
// without one.
func filterValue[T ~string](value, without string) *T {
	if value == "" {
		return nil
	}
	var filter T
	if value != without {
		filter = T(value)
	}
	return &filter
}

// unknownSource is the source of leads whose source is not recorded, in URLs.
const unknownSource = "unknown"

// Handlers answer the routes of the reports area.
type Handlers struct{ *page.Responder }

// New creates the handlers.
func New(r *page.Responder) *Handlers { return &Handlers{r} }

// Routes returns the routes of this area.
func (h *Handlers) Routes() []page.Route {
	overview := page.FormPage[*deskreports.Reports]{Open: page.Desk.Reports, Render: h.renderReports,
		Next: page.To(to.Full.Reports())}
	return page.Concat(
		page.WithPermission(access.SeeTeam, []page.Route{
			page.Get("/reports", "reports", overview.Page()),
			page.Post("/reports/zone", "set the time zone of months", overview.Change(setZone)),
			page.Get("/reports/{name}", "report", page.WithHandle(page.Desk.Reports, h.ReportPage)),
		}),
		page.WithPermission(access.ExportPipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/reports/{name}.csv", Name: "report as a file", Class: page.Download,
				Handler: page.WithHandle(page.Desk.Reports, h.ReportCSV)},
		}),
	)
}
