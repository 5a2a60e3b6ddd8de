package reports

import (
	"cmp"
	"encoding/csv"
	"io"
	"net/http"
	"strings"
	"time"

	deskreports "hearthline/internal/desk/reports"
	"hearthline/internal/fault"
	view "hearthline/views/reports"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/form"
)

// ReportCSV is the table of a report as a file. It has counts and names of originators, but nothing about borrowers.
func (h *Handlers) ReportCSV(w http.ResponseWriter, r *http.Request, reports *deskreports.Reports) error {
	name, err := reportName(r)
	if err != nil {
		return err
	}
	v := h.Viewer(r)
	var rows [][]string
	if r.Method != http.MethodHead {
		if rows, err = readRows(r, v, reports, name); err != nil {
			return err
		}
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+"-"+v.Now.In(v.Zone).Format(time.DateOnly)+`.csv"`)
	if r.Method == http.MethodHead {
		return nil
	}
	if _, err := io.WriteString(w, text.ByteOrderMark); err != nil {
		return err
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// readRows reads the header and the rows of a file.
func readRows(r *http.Request, v text.Viewer, reports *deskreports.Reports, name string) ([][]string, error) {
	if name == to.FiguresReport {
		report, err := reports.ExportFigures(r.Context())
		return figureRows(v, report), err
	}
	q := parseQuery(r)
	days, dates := parseDays(q, v.Today())
	if dates.HasErrors() {
		return nil, fault.InvalidFields(dates.FieldErrors...)
	}
	filter := filterOf(q, days, name)
	if name == timeInStep {
		filter.GroupSteps = deskreports.AllSteps
	}
	report, err := reports.Export(r.Context(), name, filter)
	if err != nil {
		return nil, err
	}
	return newPresenter(v, q, report).csvRows(name), nil
}

// csvRows are the header and the rows of a file. Every row says what it is about: days, moment, company and filters,
// because rows are copied into other files.
func (p *presenter) csvRows(name string) [][]string {
	var tables []view.Table
	switch name {
	case timeInStep:
		tables = []view.Table{p.stayTable()}
	case scorecard:
		tables = []view.Table{p.scoreTable("")}
	default:
		tables = []view.Table{p.table("", figuresOf(name))}
	}
	if name == "fallout" && !p.report.Funded { // the groups of both tables are the same
		tables = append(tables, p.table("", earlyFigures()))
	}
	dated := text.UpperFirst(p.happened())
	head := []string{dated + " from", dated + " through", "As of", "Company", "Filters"}
	count := func(t view.Table, j int) bool { return len(t.Rows) > 0 && j > 0 && t.Rows[0].Cells[j-1].Counts }
	for i, t := range tables {
		for j, c := range t.Columns {
			switch {
			case i == 0:
				head = append(head, c.Label)
				if count(t, j) {
					head = append(head, c.Label+", leads")
				}
			case j > 0:
				head = append(head, c.Label+" (no application)")
			}
		}
	}
	rows := [][]string{head}
	add := func(at func(t view.Table) view.Row) {
		row := append(p.csvSubject(), text.EscapeFormula(at(tables[0]).Head.Text))
		for _, t := range tables {
			for _, c := range at(t).Cells {
				row = append(row, csvFigure(c.Text))
				if c.Counts {
					row = append(row, c.Count)
				}
			}
		}
		rows = append(rows, row)
	}
	for i := range tables[0].Rows {
		add(func(t view.Table) view.Row { return t.Rows[i] })
	}
	if tables[0].Total != nil {
		add(func(t view.Table) view.Row { return *t.Total })
	}
	return rows
}

// csvSubject is the first and the last day of the report, the moment at which it was read, the company and the filters.
func (p *presenter) csvSubject() []string {
	const day = "01/02/2006"
	return []string{form.DateText(p.report.Period.From), form.DateText(p.report.Period.To),
		p.v.Now.In(p.v.Zone).Format(day + " 3:04 PM"),
		text.EscapeFormula(text.ActorCompany(p.v.Who)), cmp.Or(strings.Join(p.filtered(), "; "), "None")}
}

// csvFigure is a figure as a spreadsheet reads it; a share without a base is empty.
func csvFigure(words string) string {
	if words == "—" {
		return ""
	}
	return text.EscapeFormula(words)
}
