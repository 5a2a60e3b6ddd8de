package lead

import (
	"cmp"
	"net/http"
	"slices"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// RevealBorrower shows the borrower's details in this response only.
func (h *Handlers) RevealBorrower(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	reason := desklead.RevealReason{Preset: f.Text("reason"), Typed: f.Text("reason.typed")}
	if reason.Typed == "" && !slices.Contains(desklead.RevealReasons(), reason.Preset) {
		// Free text in place of a choice is a reason in the user's own words.
		reason = desklead.RevealReason{Typed: reason.Preset}
	}
	a := page.SubmittedForm{Action: "reveal", Form: f, Status: http.StatusUnprocessableEntity}
	if f.HasErrors() {
		return h.workspace.Redisplay(w, r, l, a)
	}
	all, err := l.Reveal(r.Context(), reason)
	if err != nil {
		return h.renderRevealFailed(w, r, l, a, err)
	}
	return h.renderRevealed(w, r, l, workspace.Revealed{All: all,
		Reason: cmp.Or(reason.Typed, text.RevealReason(reason.Preset))})
}

// ContactBorrower shows the one field that a way of contact needs, or logs a contact that took place. Only a form that
// says so logs one: the checked contact.only, a method that has no field to show, or a note of what was said.
func (h *Handlers) ContactBorrower(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	c := desklead.Contact{Method: f.Text("contact.how"), Note: f.Lines("contact.note")}
	only := f.IsChecked("contact.only") || c.Method == desklead.ByInPerson
	a := page.SubmittedForm{Action: "contact", Form: f, Status: http.StatusUnprocessableEntity}
	if f.HasErrors() {
		return h.renderRevealFailed(w, r, l, a, fault.InvalidFields())
	}
	var field pii.Secret[string]
	if !only {
		var err error
		if field, err = l.ContactDetail(r.Context(), c.Method); err != nil {
			return h.renderRevealFailed(w, r, l, a, err)
		}
	}
	if only || c.Note != "" {
		if err := l.LogContact(r.Context(), c); err != nil {
			return h.renderRevealFailed(w, r, l, a, err)
		}
	}
	if only {
		return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(l.App())))
	}
	return h.renderRevealed(w, r, l, workspace.Revealed{Field: field, ContactMethod: c.Method})
}

// BorrowerLink shows the borrower's own link so that it can be copied. It is in the next-step card if its button is
// there.
func (h *Handlers) BorrowerLink(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	link, err := l.BorrowerLink(r.Context())
	if err != nil {
		return h.renderRevealFailed(w, r, l, page.SubmittedForm{Action: "borrower-link", Form: &form.Form{}}, err)
	}
	return h.renderRevealed(w, r, l, workspace.Revealed{Field: link, ContactMethod: desklead.ByLink, AtStep: true})
}

func (h *Handlers) renderRevealed(w http.ResponseWriter, r *http.Request, l page.Lead, o workspace.Revealed) error {
	d, err := h.workspace.Load(r, l)
	if err != nil {
		return err
	}
	o.AtStep = o.AtStep && workspace.IsBorrowersMove(d.View.Row.StatusKey)
	d.Revealed, d.Tab = &o, to.Overview
	return h.workspace.RenderTab(w, r, http.StatusOK, d)
}

// renderRevealFailed shows why no details are revealed: an error in the form, a field that the
// lender does not have, or a lender that does not answer.
func (h *Handlers) renderRevealFailed(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm,
	cause error) error {
	if !fault.Is(cause, fault.Invalid, fault.Conflict, fault.Upstream, fault.Unavailable) {
		return cause
	}
	d, err := h.workspace.Load(r, l)
	if err != nil {
		return err
	}
	page.RequestLogOf(r).Err = cause
	page.SetRetryAfter(w, cause)
	a.Status, d.RevealError = page.StatusAndMessage(cause)
	if fault.Is(cause, fault.Invalid) {
		a.Form.FieldErrors, d.RevealError = append(a.Form.FieldErrors, fault.FieldsOf(cause)...), ""
	}
	if page.IsFragment(r) {
		a.Status = http.StatusUnprocessableEntity // the only error status that htmx renders
	}
	d.Submitted, d.Tab = &a, to.Overview
	if d.IsSubmitted("loan-file") {
		d.Tab = to.Documents
	}
	return h.workspace.RenderTab(w, r, a.Status, d)
}
