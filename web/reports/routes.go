package reports

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/web/page"
)

// Routes returns the routes of this area.
func (s *Handlers) Routes() []page.Route {
	return page.Concat(
		page.WithPermission(access.SeeTeam, []page.Route{
			{Method: http.MethodGet, Pattern: "/reports", Name: "reports", Handler: page.WithNewForm(page.Desk.Reports, s.renderReports)},
			{Method: http.MethodPost, Pattern: "/reports/zone", Name: "set the time zone of months", Handler: page.WithForm(page.Desk.Reports, s.SetZone)},
			{Method: http.MethodGet, Pattern: "/reports/{name}", Name: "report", Handler: page.WithHandle(page.Desk.Reports, s.ReportPage)},
		}),
		page.WithPermission(access.ExportPipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/reports/{name}.csv", Name: "report as a file", Class: page.Download, Handler: page.WithHandle(page.Desk.Reports, s.ReportCSV)},
		}),
	)
}
