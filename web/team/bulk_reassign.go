package team

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/web/form"
	"hearthline/web/page"
)

// BulkReassign takes a selection of leads. Without a taker, or when it is asked to, it
// says what would happen; confirmed, it begins the run.
func (s *Handlers) BulkReassign(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	hand, err := d.BulkReassignments()
	if err != nil {
		return err
	}
	m := desk.BulkReassignRequest{FormKey: f.Text("run"), Apps: SelectedApps(f), Assignee: f.Text(desk.AssigneeControl), Note: f.Text(desk.ReassignNoteControl)}
	_, asked := f.Values[desk.AssigneeControl]
	if !asked && !f.IsChecked("confirm.reassign") || f.IsChecked("dry") || f.IsChecked("find") {
		return s.renderBulkReassign(w, r, hand, m, f, http.StatusOK)
	}
	if m.Assignee == "" {
		f.AddError(desk.AssigneeControl, "Choose who takes them")
	}
	if !f.IsChecked("confirm.reassign") {
		f.AddError("confirm.reassign", "Confirm that they are to be handed over")
	}
	if f.HasErrors() {
		return s.renderBulkReassign(w, r, hand, m, f, http.StatusUnprocessableEntity)
	}
	id, err := hand.Begin(r.Context(), m)
	if fault.KindOf(err) == fault.Invalid {
		if f.FieldErrors = append(f.FieldErrors, fault.FieldsOf(err)...); !f.HasErrors() {
			f.FormError = fault.Public(err)
		}
		return s.renderBulkReassign(w, r, hand, m, f, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Reassignment(id))
}

// MaxSelectedApps is more than a run takes, so that too many are told instead of cut.
const MaxSelectedApps = 500

// SelectedApps are the leads that were ticked, each once.
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

func (s *Handlers) renderBulkReassign(w http.ResponseWriter, r *http.Request, hand *desk.BulkReassignments, m desk.BulkReassignRequest, f *form.Form, status int) error {
	found, err := hand.Assignees(r.Context(), f.Text("q"), m.Apps)
	if err != nil {
		return err
	}
	plan, err := hand.Check(r.Context(), m.Apps, m.Assignee)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		f.FieldErrors = append(f.FieldErrors, fields...)
		status, m.Assignee = http.StatusUnprocessableEntity, ""
		plan, err = hand.Check(r.Context(), m.Apps, "")
	}
	if err != nil {
		return err
	}
	if m.FormKey == "" {
		m.FormKey = hand.NewFormKey()
	}
	view := presentBulkPlan(m, plan)
	view.Page, view.Search, view.Form = s.Layout(r, "Hand over several leads"), presentAssigneeSearch(f.Text("q"), found), f.View("")
	return s.Render(w, r, status, views.BulkReassign(view))
}

// BulkReassignPage is the progress and the result of a run.
func (s *Handlers) BulkReassignPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	hand, err := d.BulkReassignments()
	if err != nil {
		return err
	}
	run, err := hand.FindRun(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	view := presentBulkRun(s.Viewer(r), run, hand.NewUndoOperationID)
	view.Page = s.Layout(r, "Hand-over")
	if page.IsFragment(r) {
		return s.Render(w, r, http.StatusOK, views.ReassignmentRunPart(view))
	}
	return s.Render(w, r, http.StatusOK, views.ReassignmentRun(view))
}

// RetryBulkReassign takes up what failed of a run.
func (s *Handlers) RetryBulkReassign(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	hand, err := d.BulkReassignments()
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	if err := hand.Retry(r.Context(), id); err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Reassignment(id))
}
