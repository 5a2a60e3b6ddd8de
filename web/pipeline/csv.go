package pipeline

import (
	"encoding/csv"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// ByteOrderMark tells a spreadsheet that the file is UTF-8; without it accents come out
// wrong.
const ByteOrderMark = "\ufeff"

// LeadsCSV is the list of the address as a file, all its pages, streamed.
func (s *Handlers) LeadsCSV(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	p, err := d.Pipeline()
	if err != nil {
		return err
	}
	q, v := ParseLeadsQuery(r), s.Viewer(r)
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="leads-`+v.Now.In(v.Zone).Format(time.DateOnly)+`.csv"`)
	if r.Method == http.MethodHead {
		return nil
	}
	slow := &page.DeadlineWriter{W: w, Controller: http.NewResponseController(w)}
	file := csv.NewWriter(slow)
	begun := false
	err = p.Export(r.Context(), leadQuery(q, v.Now), q.Q, func(rows []desk.PipelineRow) error {
		if !begun { // until now a failure can still become a page
			begun = true
			if _, err := io.WriteString(slow, ByteOrderMark); err != nil {
				return err
			}
			if err := file.Write(CSVHeader()); err != nil {
				return err
			}
		}
		for _, row := range rows {
			if err := file.Write(CSVRow(v, row)); err != nil {
				return err
			}
		}
		file.Flush()
		return file.Error()
	})
	return err
}

// csvColumn is one column of the file: its head, in the words of the field, and its cell.
type csvColumn struct {
	header string
	cell   func(v format.Viewer, r desk.PipelineRow) string
}

// csvColumns stand in this order, and new ones are added at the end: people build on it. Of
// the borrower there is nothing: the short id and the application lead back to them, for
// whoever may see them. A score or a rate stands in no list.
func csvColumns() []csvColumn {
	return []csvColumn{
		{"Lead", func(_ format.Viewer, r desk.PipelineRow) string { return format.ShortID(r.Lead) }},
		{"City", func(_ format.Viewer, r desk.PipelineRow) string { return EscapeFormula(r.City) }},
		{"State", func(_ format.Viewer, r desk.PipelineRow) string { return EscapeFormula(r.State) }},
		{"Next step", func(_ format.Viewer, r desk.PipelineRow) string {
			return EscapeFormula(format.StatusChip(r.Lead).Label)
		}},
		{"Whose move", func(_ format.Viewer, r desk.PipelineRow) string { return words.Mover(string(r.Mover)) }},
		{"Due", func(v format.Viewer, r desk.PipelineRow) string { return csvInstant(v, r.DueAt) }},
		{"In this step since", func(v format.Viewer, r desk.PipelineRow) string { return csvInstant(v, r.StepSince) }},
		{"Amount wanted", func(_ format.Viewer, r desk.PipelineRow) string { return csvMoney(r.RequestedAmount) }},
		{"Up to", func(_ format.Viewer, r desk.PipelineRow) string { return csvMoney(r.MaxAmount) }},
		{"Selected", func(_ format.Viewer, r desk.PipelineRow) string { return csvMoney(r.SelectedAmount) }},
		{"Loan originator", func(_ format.Viewer, r desk.PipelineRow) string { return EscapeFormula(r.Originator) }},
		{"Started", func(v format.Viewer, r desk.PipelineRow) string { return csvInstant(v, r.CreatedAt) }},
		{"Expires", func(_ format.Viewer, r desk.PipelineRow) string { return csvDate(r.ExpirationDate) }},
		{"Notary", func(_ format.Viewer, r desk.PipelineRow) string { return csvDate(r.NotaryDate) }},
		{"Signing", func(_ format.Viewer, r desk.PipelineRow) string { return csvDate(r.SigningDate) }},
		{"Rescission ends", func(_ format.Viewer, r desk.PipelineRow) string { return csvDate(r.RescissionDate) }},
		{"Funded", func(_ format.Viewer, r desk.PipelineRow) string { return csvDate(r.FundedDate) }},
		{"Cancelled", func(_ format.Viewer, r desk.PipelineRow) string { return csvDate(r.CanceledDate) }},
		{"Declined", func(_ format.Viewer, r desk.PipelineRow) string { return csvDate(r.DeclinedDate) }},
		{"Open conditions", func(_ format.Viewer, r desk.PipelineRow) string { return csvCount(r.OpenConditions) }},
		{"Last contact", func(v format.Viewer, r desk.PipelineRow) string { return csvInstant(v, r.LastContactAt) }},
		{"Follow-up", func(v format.Viewer, r desk.PipelineRow) string { return csvInstant(v, r.FollowUpAt) }},
		{"Last change", func(v format.Viewer, r desk.PipelineRow) string { return csvInstant(v, r.ChangedAt) }},
		{"Application", func(_ format.Viewer, r desk.PipelineRow) string { return string(r.App) }},
	}
}

func CSVHeader() []string {
	var head []string
	for _, c := range csvColumns() {
		head = append(head, c.header)
	}
	return head
}

func CSVRow(v format.Viewer, r desk.PipelineRow) []string {
	columns := csvColumns()
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.cell(v, r)
	}
	return cells
}

// EscapeFormula keeps a spreadsheet from reading a text as a formula: what begins like one, blanks
// aside, gets an apostrophe before it.
func EscapeFormula(text string) string {
	if strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") || strings.HasPrefix(text, "\n") {
		return "'" + text
	}
	if first := strings.TrimLeft(text, " \t\r\n\u00a0"); first != "" && strings.ContainsAny(first[:1], "=+-@") {
		return "'" + text
	}
	for _, wide := range []string{"＝", "＋", "－", "＠"} {
		if strings.HasPrefix(text, wide) {
			return "'" + text
		}
	}
	return text
}

// csvInstant is an instant in the person's zone with its offset, by ISO 8601; empty for none.
func csvInstant(v format.Viewer, ms int64) string {
	if ms == 0 {
		return ""
	}
	return format.TimeOfMillis(ms).In(v.Zone).Format(time.RFC3339)
}

// csvDate is a calendar day, YYYY-MM-DD; what is no day is left out.
func csvDate(d heloc.Date) string {
	if _, ok := d.Time(); !ok {
		return ""
	}
	return string(d)
}

// csvMoney is dollars and cents without a sign or a comma; empty for nothing.
func csvMoney(m heloc.Money) string {
	if m <= 0 {
		return ""
	}
	return strings.ReplaceAll(m.String(), ",", "")
}

func csvCount(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// canExport says whether the list that is shown can be taken away from here: not from inside
// a CRM's frame, whose page would have the file's name and its time.
func canExport(d page.Desk, v format.Viewer) bool {
	return d.Actor.Can(access.ExportPipeline) && !v.Base.Embedded()
}
