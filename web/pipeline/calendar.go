package pipeline

import (
	"io"
	"net/http"

	deskpipeline "hearthline/internal/desk/pipeline"
)

// LeadsICS exports the upcoming dates as an iCalendar file. It contains short ids and kinds of
// dates but no borrower data, because calendars are shared and shown on lock screens.
func (h *Handlers) LeadsICS(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	entries, err := p.Calendar(r.Context())
	if err != nil {
		return err
	}
	writeCalendar(w, icsCalendar(entries, h.Now()), "attachment")
	return nil
}

func writeCalendar(w http.ResponseWriter, calendar, disposition string) {
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.Header().Set("Content-Disposition", disposition+`; filename="leads.ics"`)
	_, _ = io.WriteString(w, calendar) //nolint:gosec // plain text, escaped as iCalendar requires
}
