package team

import (
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	view "hearthline/views/team"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// BulkReassign reassigns the selected leads. Without an assignee, or if asked to, it shows a
// preview; once confirmed, it starts the run.
func (s *Handlers) BulkReassign(w http.ResponseWriter, r *http.Request, reassignments *desk.BulkReassignments, f *form.Form) error {
	req := desk.BulkReassignRequest{FormKey: f.Text("run"), Apps: SelectedApps(f), Assignee: f.Text(desk.AssigneeControl), Note: f.Text(desk.ReassignNoteControl)}
	_, hasAssignee := f.Values[desk.AssigneeControl]
	if !hasAssignee && !f.IsChecked("confirm.reassign") || f.IsChecked("dry") || f.IsChecked("find") {
		return s.renderBulkReassign(w, r, reassignments, req, f)
	}
	if req.Assignee == "" {
		f.AddError(desk.AssigneeControl, "Choose an originator")
	}
	if !f.IsChecked("confirm.reassign") {
		f.AddError("confirm.reassign", "Check this box to reassign the leads")
	}
	if f.HasErrors() {
		return s.renderBulkReassign(w, r, reassignments, req, f)
	}
	id, err := reassignments.Begin(r.Context(), req)
	if page.Rejected(f, err) {
		return s.renderBulkReassign(w, r, reassignments, req, f)
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Reassignment(id))
}

// MaxSelectedApps is more than a run accepts, so that a selection that is too large is rejected
// instead of truncated.
const MaxSelectedApps = 500

// SelectedApps returns the selected leads without duplicates.
func SelectedApps(f *form.Form) []string {
	var all []string
	seen := map[string]bool{}
	for _, app := range f.Values["app"] {
		if app != "" && !seen[app] && len(app) <= 64 && len(all) < MaxSelectedApps {
			seen[app] = true
			all = append(all, app)
		}
	}
	return all
}

func (s *Handlers) renderBulkReassign(w http.ResponseWriter, r *http.Request, reassignments *desk.BulkReassignments, req desk.BulkReassignRequest, f *form.Form) error {
	found, err := reassignments.Assignees(r.Context(), f.Text("q"), req.Apps)
	if err != nil {
		return err
	}
	plan, err := reassignments.Check(r.Context(), req.Apps, req.Assignee)
	if page.Rejected(f, err) {
		req.Assignee = ""
		plan, err = reassignments.Check(r.Context(), req.Apps, "")
	}
	if err != nil {
		return err
	}
	if req.FormKey == "" {
		req.FormKey = reassignments.NewFormKey()
	}
	model := presentBulkPlan(req, plan)
	model.Page, model.Search, model.Form = s.Layout(r, "Reassign leads"), presentAssigneeSearch(f.Text("q"), found), f.View("")
	return s.Render(w, r, page.FormStatus(f), view.BulkReassign(model))
}

// BulkReassignPage shows the progress and the result of a run.
func (s *Handlers) BulkReassignPage(w http.ResponseWriter, r *http.Request, reassignments *desk.BulkReassignments) error {
	run, err := reassignments.FindRun(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	model := presentBulkRun(s.Viewer(r), run, reassignments.NewUndoOperationID)
	model.Page = s.Layout(r, "Reassignment")
	if slices.ContainsFunc(run.Rows, func(row desk.RunRow) bool { return row.Result.Pending() }) {
		s.RefreshWithoutScript(r, &model.Page, format.TimeOfMillis(run.CreatedAt))
	}
	if page.IsFragment(r) {
		return s.Render(w, r, http.StatusOK, view.ReassignmentRunPart(model))
	}
	return s.Render(w, r, http.StatusOK, view.ReassignmentRun(model))
}

// RetryBulkReassign retries the leads of a run that failed.
func (s *Handlers) RetryBulkReassign(w http.ResponseWriter, r *http.Request, reassignments *desk.BulkReassignments) error {
	id := chi.URLParam(r, "id")
	if err := reassignments.Retry(r.Context(), id); err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Reassignment(id))
}
