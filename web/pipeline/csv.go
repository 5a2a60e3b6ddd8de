package pipeline

import (
	"encoding/csv"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/lead"

	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/web/page"
)

// LeadsCSV streams the list in the URL as a file, with all of its pages.
func (h *Handlers) LeadsCSV(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	q, v := ParseLeadsQuery(r), h.Viewer(r)
	header := w.Header()
	header.Set("Content-Type", "text/csv; charset=utf-8")
	header.Set("Content-Disposition", `attachment; filename="leads-`+v.Now.In(v.Zone).Format(time.DateOnly)+`.csv"`)
	if r.Method == http.MethodHead {
		return nil
	}
	out := &page.DeadlineWriter{W: w, Controller: http.NewResponseController(w)}
	file := csv.NewWriter(out)
	started := false
	return p.Export(r.Context(), page.LeadQuery(q, v.Now), q.Q, func(rows []lead.PipelineRow) error {
		if !started { // until now, a failure can still become an error page
			started = true
			if _, err := io.WriteString(out, text.ByteOrderMark); err != nil {
				return err
			}
			if err := file.Write(CSVHeader()); err != nil {
				return err
			}
		}
		for i := range rows {
			if err := file.Write(CSVRow(v, &rows[i])); err != nil {
				return err
			}
		}
		file.Flush()
		return file.Error()
	})
}

// csvColumn is one column of the file: its header, in industry terms, and its cell.
type csvColumn struct {
	header string
	cell   func(v text.Viewer, r *lead.PipelineRow) string
}

// csvColumns lists the columns in their fixed order. Add new ones at the end, because people depend
// on the order. The file has no borrower data: users with access can find the borrower by the short
// id and the application. Like all lists, it has no score and no rate.
func csvColumns() []csvColumn {
	return []csvColumn{
		{"Lead", func(_ text.Viewer, r *lead.PipelineRow) string { return text.EscapeFormula(text.ShortID(r.Row)) }},
		{"City", func(_ text.Viewer, r *lead.PipelineRow) string { return text.EscapeFormula(r.City) }},
		{"State", func(_ text.Viewer, r *lead.PipelineRow) string { return text.EscapeFormula(r.State) }},
		{"Next step", func(_ text.Viewer, r *lead.PipelineRow) string {
			return text.EscapeFormula(text.LeadStatus(r.Row).Chip)
		}},
		{"Waiting on", func(_ text.Viewer, r *lead.PipelineRow) string { return csvMover(r) }},
		{"Due", func(v text.Viewer, r *lead.PipelineRow) string { return csvDue(v, r) }},
		{"Step since", func(v text.Viewer, r *lead.PipelineRow) string { return csvInstant(v, r.StepSince) }},
		{"Requested amount", func(_ text.Viewer, r *lead.PipelineRow) string { return csvMoney(r.RequestedAmount) }},
		{"Maximum amount", func(_ text.Viewer, r *lead.PipelineRow) string { return csvMoney(r.MaxAmount) }},
		{"Selected amount", func(_ text.Viewer, r *lead.PipelineRow) string { return csvMoney(r.SelectedAmount) }},
		{"Loan originator", func(_ text.Viewer, r *lead.PipelineRow) string { return text.EscapeFormula(r.Originator) }},
		{"Started", func(v text.Viewer, r *lead.PipelineRow) string { return csvStarted(v, r.Row) }},
		{"Expires", func(_ text.Viewer, r *lead.PipelineRow) string { return csvDate(r.ExpirationDate) }},
		{"Notary", func(_ text.Viewer, r *lead.PipelineRow) string { return csvDate(r.NotaryDate) }},
		{"Signing", func(_ text.Viewer, r *lead.PipelineRow) string { return csvDate(r.SigningDate) }},
		{"Rescission ends", func(_ text.Viewer, r *lead.PipelineRow) string { return csvDate(r.RescissionDate) }},
		{"Funded", func(_ text.Viewer, r *lead.PipelineRow) string { return csvDate(r.FundedDate) }},
		{"Canceled", func(_ text.Viewer, r *lead.PipelineRow) string { return csvDate(r.CanceledDate) }},
		{"Declined", func(_ text.Viewer, r *lead.PipelineRow) string { return csvDate(r.DeclinedDate) }},
		{"Open conditions", func(_ text.Viewer, r *lead.PipelineRow) string { return csvCount(r.OpenConditions) }},
		{"Last contact", func(v text.Viewer, r *lead.PipelineRow) string { return csvInstant(v, r.LastContactAt) }},
		{"Reminder", func(v text.Viewer, r *lead.PipelineRow) string { return csvInstant(v, r.FollowUpAt) }},
		{"Last change", func(v text.Viewer, r *lead.PipelineRow) string { return csvInstant(v, r.ChangedAt) }},
		{"Application ID", func(_ text.Viewer, r *lead.PipelineRow) string { return string(r.App) }},
	}
}

// CSVHeader returns the header row.
func CSVHeader() []string {
	var head []string
	for _, c := range csvColumns() {
		head = append(head, c.header)
	}
	return head
}

// CSVRow returns the row of a lead.
func CSVRow(v text.Viewer, r *lead.PipelineRow) []string {
	var row []string
	for _, c := range csvColumns() {
		row = append(row, c.cell(v, r))
	}
	return row
}

// csvInstant formats a time in the user's time zone so that a spreadsheet reads it, "11/20/2026 9:25
// AM"; it is empty for zero.
func csvInstant(v text.Viewer, ms int64) string {
	if ms == 0 {
		return ""
	}
	return text.TimeOfMillis(ms).In(v.Zone).Format("01/02/2006 3:04 PM")
}

// csvDate formats a calendar day so that a spreadsheet reads it, "11/20/2026"; it is empty if the
// value is not a date.
func csvDate(d heloc.Date) string {
	day, ok := d.Time()
	if !ok {
		return ""
	}
	return day.Format("01/02/2006")
}

// csvMoney formats dollars and cents without a dollar sign or commas; it is empty for zero.
func csvMoney(m heloc.Money) string {
	if m <= 0 {
		return ""
	}
	return strings.ReplaceAll(m.String(), ",", "")
}

// csvMover says whose move it is in the third person, because others read the file too.
func csvMover(r *lead.PipelineRow) string {
	if isUnconfirmed(r) {
		return "Not confirmed"
	}
	if r.WhoseMove == heloc.MoverYou && r.Row.Originator == "" {
		return "Unassigned"
	}
	if text.WaitsOnConditions(r.Row) {
		return "Conditions"
	}
	return text.Mover(string(r.WhoseMove))
}

// csvDue says when the move is due.
func csvDue(v text.Viewer, r *lead.PipelineRow) string {
	if isUnconfirmed(r) {
		return ""
	}
	return csvInstant(v, r.DueAt())
}

// isUnconfirmed reports whether the originator has sent a write whose outcome is unknown, so that the lists show
// neither a mover nor a time.
func isUnconfirmed(r *lead.PipelineRow) bool { return r.Unknown && r.YourMove() }

func csvCount(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// csvStarted returns when a lead was started, or only the lender's start date if it was started elsewhere.
func csvStarted(v text.Viewer, l *lead.Row) string {
	if !l.Source.StartedHere() {
		return csvDate(l.StartedOn)
	}
	return csvInstant(v, l.CreatedAt)
}
