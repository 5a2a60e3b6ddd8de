package team

import (
	"net/http"
	"slices"

	deskreassign "hearthline/internal/desk/reassign"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/fault"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/web/form"
	"hearthline/web/page"
)

// BulkReassignPage shows the progress and the result of a run to the user who started it, and to an originator the
// leads that they received from it.
func (h *Handlers) BulkReassignPage(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk) error {
	id := chi.URLParam(r, "id")
	run, err := reassignments.FindRun(r.Context(), id)
	if fault.Is(err, fault.NotFound) {
		return h.receivedPage(w, r, reassignments, id)
	}
	if err != nil {
		return err
	}
	return h.renderRun(w, r, http.StatusOK, run, reassignments)
}

func (h *Handlers) renderRun(w http.ResponseWriter, r *http.Request, status int, run deskreassign.ReassignmentRun,
	reassignments *deskreassign.Bulk) error {
	model := presentBulkRun(h.Viewer(r), run, reassignments)
	model.Page = h.Layout(r, "Reassignment")
	if slices.ContainsFunc(run.Rows, func(row deskreassign.RunRow) bool { return row.Result.Pending() }) {
		h.RefreshWithoutScript(r, &model.Page, text.TimeOfMillis(run.CreatedAt))
	}
	return h.Render(w, r, status, page.PartOrWhole(r, view.ReassignmentRunPart(model), view.ReassignmentRun(model)))
}

// receivedPage shows an originator what they received from a colleague's run.
func (h *Handlers) receivedPage(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk,
	id string) error {
	received, err := reassignments.Received(r.Context(), id)
	if err != nil {
		return err
	}
	model := presentReceived(h.Viewer(r), received)
	model.ID, model.Page = id, h.Layout(r, "Leads assigned to you")
	return h.Render(w, r, http.StatusOK, page.PartOrWhole(r, view.ReceivedPart(model), view.Received(model)))
}

// RetryBulkReassign retries the leads of a run that failed.
func (h *Handlers) RetryBulkReassign(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk) error {
	id := chi.URLParam(r, "id")
	return page.NavigateAfter(w, r, reassignments.Retry(r.Context(), id), page.BaseOf(r).Reassignment(id))
}

// UndoBulkReassign undoes a run, and redirects to the run that does so.
func (h *Handlers) UndoBulkReassign(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk,
	f *form.Form) error {
	id, err := reassignments.UndoAll(r.Context(), chi.URLParam(r, "id"), f.Text("run"))
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Reassignment(id))
}
