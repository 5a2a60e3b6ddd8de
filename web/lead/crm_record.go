package lead

import (
	"net/http"

	"hearthline/web/form"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// UnlinkRecord unlinks a lead from a CRM's record. An embed of that record then opens another of
// its leads, or the intake.
func (h *Handlers) UnlinkRecord(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	blindIndex := f.Required("record.mark", "Choose the record")
	f.RequireCheck("confirm.take-off", "Check this box to unlink it")
	if f.HasErrors() {
		return h.workspace.Redisplay(w, r, l, page.SubmittedForm{Action: workspace.ActionUnlinkRecord, Form: f,
			Status: http.StatusUnprocessableEntity})
	}
	fromRecord, err := l.UnlinkRecord(r.Context(), blindIndex)
	if err != nil {
		return err
	}
	if fromRecord {
		return page.NavigateTo(w, r, page.BaseOf(r).Home())
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(l.App())))
}
