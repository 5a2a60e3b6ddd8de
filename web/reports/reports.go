// Package reports has a company's figures for its managers: an overview, a page and a file for each report.
//
//	reports.go           the handlers, and the query of a URL
//	figures.go           which figures each report has, and the list behind each
//	figure_checks.go     the report that compares figures shown with figures booked
//	present_reports.go   tables, filters and definitions
//	present_charts.go    drawings
//	csv.go               files
package reports

import (
	"net/http"
	"slices"
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
	"hearthline/web/form"
	"hearthline/web/page"
)

// renderReports shows all reports at once.
func (h *Handlers) renderReports(w http.ResponseWriter, r *http.Request, reports *deskreports.Reports,
	f *form.Form) error {
	p, err := h.presenter(r, reports, "")
	if err != nil {
		return err
	}
	model := p.overview()
	model.Page = h.Layout(r, "Reports")
	model.Zone.Error = f.View("").ErrorOf("zone")
	return h.Render(w, r, page.FormStatus(f), view.Reports(model))
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
	p, err := h.presenter(r, reports, name)
	if err != nil {
		return err
	}
	model := p.one(name)
	model.Page = h.Layout(r, model.Title)
	return h.Render(w, r, http.StatusOK, view.ReportPage(model))
}

// setZone sets the time zone in which the company's months begin.
func setZone(r *http.Request, reports *deskreports.Reports, f *form.Form) error {
	return reports.SetZone(r.Context(), f.Text("zone"))
}

// presenter reads the report of a URL; name is empty for the overview.
func (h *Handlers) presenter(r *http.Request, reports *deskreports.Reports, name string) (*presenter, error) {
	q := parseQuery(r)
	report, err := reports.Read(r.Context(), filterOf(q, name))
	if err != nil {
		return nil, err
	}
	return newPresenter(h.Viewer(r), q, report), nil
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
	step := params.Get("step")
	if !slices.Contains(deskreports.ReportedSteps(), heloc.Step(step)) {
		step = ""
	}
	return to.ReportQuery{
		Step: step, Period: period, Originator: param("originator"), State: strings.ToUpper(param("state")),
		Source: known("source", text.ReportSources()), By: known("by", text.ReportGroups()),
	}
}

// timeInStep is the report that reads the time at steps by group.
const timeInStep = "time-in-step"

// filterOf converts the query of a URL to that of the desk, for the report with this name.
func filterOf(q to.ReportQuery, name string) deskreports.ReportFilter {
	f := deskreports.ReportFilter{Period: q.Period, By: deskreports.ReportGroup(q.By), Step: heloc.Step(q.Step)}
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
