package team

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// ReassignPage is the form that hands one lead over. The search stands in the address.
func (s *Handlers) ReassignPage(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f := &form.Form{Values: url.Values{"q": {r.URL.Query().Get("q")}}}
	return s.RenderReassign(w, r, l, page.SubmittedForm{Action: string(heloc.OpReassign), Form: f, Status: http.StatusOK})
}

// ReassignLead hands the lead over. The confirmation stands in the same form.
func (s *Handlers) ReassignLead(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	a := page.SubmittedForm{Action: string(heloc.OpReassign), Form: f, Status: http.StatusUnprocessableEntity}
	h := desk.ReassignRequest{OperationID: f.OperationID, Assignee: f.Required(desk.AssigneeControl, "Choose who takes it"), Note: f.Text(desk.ReassignNoteControl)}
	if !f.IsChecked("confirm.reassign") {
		f.AddError("confirm.reassign", "Confirm that it is to be handed over")
	}
	if f.HasErrors() {
		return s.RenderReassign(w, r, l, a)
	}
	op, err := l.Reassign(r.Context(), h)
	page.RequestLogOf(r).AddAttr("operation", op.ID)
	if err != nil {
		if !a.Explain(op, err) {
			return err
		}
		return s.RenderReassign(w, r, l, a)
	}
	return s.redirectAfterReassign(w, r, op, l)
}

// redirectAfterReassign leads to the receipt while nobody knows whether it arrived, to the lead
// while the person may see it, else to the list.
func (s *Handlers) redirectAfterReassign(w http.ResponseWriter, r *http.Request, op desk.Operation, l page.Lead) error {
	if op.State == desk.OpUnknown || op.State == desk.OpSent {
		return page.NavigateTo(w, r, page.BaseOf(r).Operation(op.ID))
	}
	near, err := l.Accessible(r.Context())
	if err != nil {
		return err
	}
	if near {
		return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(l.App())))
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
}

func (s *Handlers) RenderReassign(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm) error {
	found, err := l.Assignees(r.Context(), a.Form.Text("q"))
	if err != nil {
		return err
	}
	view, err := l.View(r.Context())
	if err != nil {
		return err
	}
	row := l.Row()
	shown := views.ReassignView{
		Page: s.Layout(r, "Hand over"), App: string(l.App()), ShortID: format.ShortID(row), Name: format.FullName(l.Name),
		Search: presentAssigneeSearch(a.Form.Text("q"), found), Form: a.Form.View(a.OperationID(l.NewOperationID, heloc.OpReassign)),
	}
	if a.FromEmbed {
		shown.Page.Notices = append(shown.Page.Notices, page.FromEmbedNotice())
	}
	if view.Originator.UUID != "" {
		shown.Owner = view.Originator.Name()
	}
	return s.Render(w, r, a.Status, views.Reassign(shown))
}

// AlreadyReassigned answers a second press, and a step back in the browser: the person's own
// hand-over has taken the lead out of their reach, and its receipt says so. For anybody
// else the lead does not exist. What was sent is not read.
func (s *Handlers) AlreadyReassigned(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	hand, err := d.BulkReassignments()
	if err != nil {
		return page.ErrNoSuchLead()
	}
	op, err := hand.LastOperation(r.Context(), chi.URLParam(r, "app"))
	if fault.KindOf(err) == fault.NotFound {
		return page.ErrNoSuchLead()
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Operation(op))
}

// UndoReassign takes a hand-over back; the lead may be out of the person's reach, so the
// receipt of their own deed is what they hold.
func (s *Handlers) UndoReassign(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	receipt, err := d.Receipt(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	op, err := receipt.Undo(r.Context(), f.OperationID)
	page.RequestLogOf(r).AddAttr("operation", op.ID)
	if err != nil {
		return err
	}
	if l, err := d.Lead(r.Context(), string(op.App)); err == nil {
		return s.redirectAfterReassign(w, r, op, l)
	}
	if op.State == desk.OpUnknown || op.State == desk.OpSent {
		return page.NavigateTo(w, r, page.BaseOf(r).Operation(op.ID))
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
}
