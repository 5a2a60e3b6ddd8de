// Package reports has a company's figures for its managers: an overview, a page and a file for each report.
//
//	reports.go           the handlers, and the query of a URL
//	figures.go           which figures each report has, and the list behind each
//	figure_checks.go     the report that compares figures shown with figures booked
//	present_reports.go   tables, filters and definitions
//	present_charts.go    drawings
//	csv.go               files
package reports

import "hearthline/web/page"

// Handlers answer the routes of the reports area.
type Handlers struct{ *page.Responder }

// New creates the handlers.
func New(r *page.Responder) *Handlers { return &Handlers{r} }
