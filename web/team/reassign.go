package team

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	pageview "hearthline/views/page"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// ReassignPage shows the form that reassigns one lead. The search is in the query of the URL.
func (h *Handlers) ReassignPage(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f := &form.Form{Values: url.Values{"q": {r.URL.Query().Get("q")}}}
	return h.RenderReassign(w, r, l, page.SubmittedForm{Action: string(heloc.OpReassign), Form: f, Status: http.StatusOK})
}

// ReassignLead reassigns the lead, once the same form confirms it.
func (h *Handlers) ReassignLead(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	req := deskreassign.Request{OperationID: f.OperationID,
		Assignee: f.Required(lead.AssigneeControl, "Choose an originator"), Note: f.Text(deskreassign.ReassignNoteControl)}
	f.RequireCheck("confirm.reassign", "Check this box to reassign the lead")
	return page.Submit(r, page.Write{
		Writer:        w,
		SubmittedForm: page.SubmittedForm{Action: string(heloc.OpReassign), Form: f},
		Run:           func() (lead.Operation, error) { return l.Reassign(r.Context(), req) },
		Redisplay:     func(a page.SubmittedForm) error { return h.RenderReassign(w, r, l, a) },
		Next:          func(op lead.Operation) error { return h.redirectAfterReassign(w, r, op, l) },
	})
}

// redirectAfterReassign redirects to the receipt if the outcome is unknown, to the lead if the user
// can still see it, and otherwise to the list.
func (h *Handlers) redirectAfterReassign(w http.ResponseWriter, r *http.Request, op lead.Operation, l page.Lead) error {
	if op.State == lead.OpUnknown || op.State == lead.OpSent {
		return page.NavigateTo(w, r, page.BaseOf(r).Operation(op.ID))
	}
	accessible, err := l.Accessible(r.Context())
	if err != nil {
		return err
	}
	if accessible {
		return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(l.App())))
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
}

// RenderReassign renders the form that reassigns one lead.
func (h *Handlers) RenderReassign(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm) error {
	found, err := l.Assignees(r.Context(), a.Form.Text("q"))
	if err != nil {
		return err
	}
	model, err := l.Snapshot(r.Context())
	if err != nil {
		return err
	}
	row := l.Row()
	reassignView := view.ReassignView{
		Page: h.Layout(r, "Reassign"), App: string(l.App()), ShortID: text.ShortID(&row), Name: text.FullName(l.Name),
		Search: presentAssigneeSearch(h.Viewer(r), a.Form.Text("q"), found),
		Form:   a.Form.View(a.OperationID(l.NewOperationID, heloc.OpReassign)),
	}
	reassignView.Page.Notices = append(reassignView.Page.Notices, worksForNotices(h.Viewer(r).Who)...)
	if a.FromEmbed {
		reassignView.Page.Notices = append(reassignView.Page.Notices, page.FromEmbedNotice())
	}
	reassignView.Page.Notices = append(reassignView.Page.Notices, unsettledReassigns(h.Viewer(r), model.Operations)...)
	reassignView.Form.Blocked = slices.ContainsFunc(model.Operations, func(op lead.Operation) bool {
		return op.Blocks(heloc.OpReassign, row.Step)
	})
	if model.Originator.UUID != "" {
		reassignView.Owner = model.Originator.Name()
	}
	page.AuditOpening(r, l)
	return h.Render(w, r, a.Status, view.Reassign(reassignView))
}

// unsettledReassigns reports a reassignment whose outcome is unknown, and warns about repeating the last one if the
// lender didn't show it.
func unsettledReassigns(v text.Viewer, ops []lead.Operation) []ui.Notice {
	ops = slices.DeleteFunc(slices.Clone(ops), func(op lead.Operation) bool {
		return op.Kind != heloc.OpReassign || op.State == lead.OpNotSent || op.State == lead.OpRejected
	})
	var all []ui.Notice
	for i, op := range ops { // newest first
		switch {
		case op.State == lead.OpUnknown:
			all = append(all, pageview.UnsettledNotice(v.Base, op.ID, string(op.Kind), text.SinceOf(op)))
		case i == 0 && (op.State == lead.OpAbsent || op.State == lead.OpAbandoned):
			all = append(all, pageview.RepeatNotice(v.Base, op.ID, string(op.Kind), string(op.State)))
		}
	}
	return all
}

// worksForNotices tells an assistant to whom they can reassign.
func worksForNotices(who access.Actor) []ui.Notice {
	if who.Role != access.Assistant || who.WorksFor == access.AllOriginators {
		return nil
	}
	return []ui.Notice{{Icon: "info", Text: "You can reassign leads only between the originators you work for."}}
}

// AlreadyReassigned answers a second click and the browser's back button: the user's own
// reassignment has made the lead inaccessible to them, and its receipt explains that. For anybody
// else, the lead does not exist. The submitted form is not read.
func (h *Handlers) AlreadyReassigned(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	reassignments, err := d.BulkReassignments()
	if err != nil {
		return page.ErrNoSuchLead()
	}
	op, err := reassignments.LastOperation(r.Context(), chi.URLParam(r, "app"))
	if fault.Is(err, fault.NotFound) {
		return page.ErrNoSuchLead()
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Operation(op))
}

// UndoReassign undoes a reassignment. The user may no longer have access to the lead, so it works
// on the receipt of their own reassignment.
func (h *Handlers) UndoReassign(w http.ResponseWriter, r *http.Request, receipt *desk.Receipt, f *form.Form) error {
	op, err := receipt.Undo(r.Context(), f.OperationID)
	page.RequestLogOf(r).AddAttr("operation", op.ID)
	if err != nil {
		return err
	}
	if l, err := page.VisitOf(r).Desk.Lead(r.Context(), string(op.App)); err == nil {
		return h.redirectAfterReassign(w, r, op, l)
	}
	if op.State == lead.OpUnknown || op.State == lead.OpSent {
		return page.NavigateTo(w, r, page.BaseOf(r).Operation(op.ID))
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
}

// presentAssigneeSearch maps the originators that a search found, with their NMLS numbers to tell apart people with the
// same name. Those who may not act in the property's state cannot be chosen.
func presentAssigneeSearch(v text.Viewer, typed string, found deskreassign.Targets) view.PersonSearchView {
	search := view.PersonSearchView{Query: typed, ResultText: page.SearchResultText(typed, found.DirectoryResult)}
	for _, t := range found.List {
		option := page.CandidateOption(v, t.Candidate, string(t.UUID))
		option.Disabled = t.Barred()
		search.People = append(search.People, option)
	}
	return search
}

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
