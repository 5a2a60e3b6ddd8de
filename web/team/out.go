package team

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	deskreassign "hearthline/internal/desk/reassign"
	deskteam "hearthline/internal/desk/team"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// OutPage proposes who works on the open leads of somebody who is out.
func (h *Handlers) OutPage(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk) error {
	return h.renderOut(w, r, reassignments, page.NewForm(r, url.Values{}), deskreassign.OutRequest{First: true})
}

// StartOut splits the leads or has a deputy cover. A fragment of the page is always a preview.
func (h *Handlers) StartOut(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk,
	f *form.Form) error {
	id, req := chi.URLParam(r, "id"), parseOut(f)
	if f.IsChecked("dry") || page.IsFragment(r) {
		return h.renderOut(w, r, reassignments, f, req)
	}
	if f.Text("how") == "cover" {
		return h.cover(w, r, reassignments, f, req)
	}
	run, err := reassignments.BeginOut(r.Context(), id, req, f.Text("plan.request"), f.Text("plan.outcome"))
	if page.Rejected(f, err) || refused(f, err) {
		return h.renderOut(w, r, reassignments, f, req)
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Reassignment(run))
}

// ReturnNow lets leads go back before the time that was chosen, and redirects to what became of them.
func (h *Handlers) ReturnNow(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk) error {
	id, err := reassignments.ReturnNow(r.Context(), heloc.OriginatorID(chi.URLParam(r, "id")))
	if err != nil {
		return err
	}
	if id == "" {
		return page.NavigateTo(w, r, to.Full.Team())
	}
	return page.NavigateTo(w, r, to.Return(id))
}

// refused shows why a form was refused above the form.
func refused(f *form.Form, err error) bool {
	if !fault.Is(err, fault.Conflict) {
		return false
	}
	f.FormError, f.ErrorStatus = fault.Public(err), http.StatusConflict
	return true
}

// cover enters an absence from today, which the proposed deputy covers.
func (h *Handlers) cover(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk, f *form.Form,
	req deskreassign.OutRequest) error {
	if req.Until == "" {
		f.AddError("until", "Enter the last day of the absence")
		return h.renderOut(w, r, reassignments, f, req)
	}
	p, err := reassignments.ProposeOut(r.Context(), chi.URLParam(r, "id"), req)
	if page.Rejected(f, err) {
		return h.renderOut(w, r, reassignments, f, req)
	}
	if err != nil {
		return err
	}
	if p.Deputy == nil || p.Deputy.UserID != f.Text("deputy") {
		f.FormError, f.ErrorStatus = "Who can cover has changed. Check the proposal, then choose again.", http.StatusConflict
		return h.renderOut(w, r, reassignments, f, req)
	}
	absences, err := page.VisitOf(r).Desk.Absences()
	if err != nil {
		return err
	}
	err = absences.Save(r.Context(), deskteam.AbsenceRequest{Person: p.Away.UserID, Deputy: p.Deputy.UserID,
		FirstDay: p.Today, LastDay: p.Until})
	if fields := fault.FieldsOf(err); len(fields) > 0 { // they name controls of the absences' own form
		f.FormError, f.ErrorStatus = fields[0].Message, http.StatusUnprocessableEntity
		return h.renderOut(w, r, reassignments, f, req)
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, to.Full.TeamPart("absences"))
}

func parseOut(f *form.Form) deskreassign.OutRequest {
	req := deskreassign.OutRequest{FormKey: f.Text("run"), Until: dayOf(f, "until"), Choices: map[string]string{},
		Note: f.Text(deskreassign.ReassignNoteControl)}
	if typed := f.Text("until"); typed != "" && req.Until == "" {
		req.Until = heloc.Date(typed) // no date, which the desk refuses
	}
	req.Cap, _ = strconv.Atoi(f.Text("cap"))
	for name := range f.Values {
		if app, ok := strings.CutPrefix(name, choicePrefix); ok {
			req.Choices[app] = f.Text(name)
		}
	}
	return req
}

func (h *Handlers) renderOut(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk, f *form.Form,
	req deskreassign.OutRequest) error {
	id := chi.URLParam(r, "id")
	p, err := reassignments.ProposeOut(r.Context(), id, req)
	if page.Rejected(f, err) { // the page stays, with the usual day and cap
		p, err = reassignments.ProposeOut(r.Context(), id, deskreassign.OutRequest{First: true, Choices: req.Choices})
	}
	if err != nil {
		return err
	}
	if req.First {
		f.Values.Set("until", string(p.Until))
		f.Values.Set("cap", strconv.Itoa(p.Cap))
	}
	if req.FormKey == "" {
		req.FormKey = reassignments.NewFormKey()
	}
	model := presentOut(h.Viewer(r), p, req)
	if f.Text("how") == "cover" && p.Deputy != nil && model.Button != "" {
		presentOutCover(&model, p)
	}
	model.Page, model.Form = h.Layout(r, model.Title), f.View("")
	if p.Total > lead.MaxBulkLeads {
		model.TooMany = tooManyText(p.Total)
	}
	return h.Render(w, r, page.FormStatus(f), page.PartOrWhole(r, view.OutPart(model), view.Out(model)))
}

// ReturnPage shows which leads went back to somebody who is back, and asks about the others.
func (h *Handlers) ReturnPage(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk) error {
	back, err := reassignments.FindReturn(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	model := presentReturn(h.Viewer(r), back)
	model.Page, model.Key = h.Layout(r, model.Title), reassignments.NewFormKey()
	return h.Render(w, r, http.StatusOK, view.Return(model))
}

// AnswerReturn records who keeps the leads.
func (h *Handlers) AnswerReturn(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk,
	f *form.Form) error {
	id := chi.URLParam(r, "id")
	var back, keep []string
	for name := range f.Values {
		app, ok := strings.CutPrefix(name, "keeps.")
		switch {
		case !ok:
		case f.Text(name) == "back" || f.IsChecked("all"):
			back = append(back, app)
		case f.Text(name) == "keep":
			keep = append(keep, app)
		}
	}
	run, err := reassignments.AnswerReturn(r.Context(), id, f.Text("run"), back, keep)
	if err != nil {
		return err
	}
	if run == "" {
		return page.NavigateTo(w, r, to.Return(id))
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Reassignment(run))
}
