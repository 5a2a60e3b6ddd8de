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

	"hearthline/internal/access"
	deskreports "hearthline/internal/desk/reports"
	"hearthline/views/to"
	"hearthline/web/page"
)

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
