package page

import (
	"net/http"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/to"
	"hearthline/web/form"
)

// SubmittedForm is a lead's form that was not accepted. It is shown again on its page, with the
// values and the errors.
type SubmittedForm struct {
	Action string // the interface's name or ours: the last segment of the URL
	Form   *form.Form
	// NeedsNewID is true if nothing can have reached the lender and the journal has closed the
	// operation. The form then needs a new operation id.
	NeedsNewID bool
	Status     int
	// FromEmbed is true if the form was filled in inside an embed and not submitted there.
	FromEmbed bool
}

// Submit runs one write on a lead, unless its form has errors, and responds with the outcome.
func (s *Server) Submit(w http.ResponseWriter, r *http.Request, l Lead, a SubmittedForm, run func() (lead.Operation, error)) error {
	if a.Form.HasErrors() {
		a.Status = http.StatusUnprocessableEntity
		return s.Redisplay(w, r, l, a)
	}
	op, err := run()
	RequestLogOf(r).AddAttr("operation", op.ID)
	if err == nil {
		return NavigateTo(w, r, AfterWriteURL(BaseOf(r), op, l.App()))
	}
	if !a.Explain(op, err) {
		return err
	}
	return s.Redisplay(w, r, l, a)
}

// Explain turns an error into a message on the form. It returns false for errors that belong on the
// error page.
func (a *SubmittedForm) Explain(op lead.Operation, err error) bool {
	switch kind := fault.KindOf(err); {
	case kind == fault.Invalid:
		a.Status = http.StatusUnprocessableEntity
		a.Form.FieldErrors = append(a.Form.FieldErrors, fault.FieldsOf(err)...)
		if !a.Form.HasErrors() {
			a.Form.FormError, a.NeedsNewID = fault.Public(err), true
		}
	case kind == fault.Upstream && op.State == lead.OpRejected:
		a.Status, a.Form.FormError, a.NeedsNewID = http.StatusUnprocessableEntity, fault.Public(err), true
	case kind == fault.Unavailable && op.State == lead.OpNotSent:
		a.Status, a.Form.FormError, a.NeedsNewID = http.StatusServiceUnavailable, fault.Public(err), true
	default:
		return false
	}
	return true
}

// OperationID returns the operation id for the form that is shown again: its own if nothing was
// sent under it, otherwise a new one.
func (a SubmittedForm) OperationID(newID func(heloc.Operation) string, kind heloc.Operation) string {
	if a.NeedsNewID || a.Form.OperationID == "" {
		return newID(kind)
	}
	return a.Form.OperationID
}

// AfterWriteURL returns where the user goes after a write: the lead, or the receipt if it is
// unknown whether the write arrived.
func AfterWriteURL(base to.Base, op lead.Operation, app heloc.AppID) string {
	if op.State == lead.OpUnknown || op.State == lead.OpSent || app == "" {
		return base.Operation(op.ID)
	}
	return base.Lead(string(app))
}

// NavigateTo sends the user to the page after a write. Redirecting a fragment would put that page
// into the middle of the current one, so htmx gets a header instead. So does a form that our script
// sent inside an embed, because it must not add to the history of the surrounding page.
func NavigateTo(w http.ResponseWriter, r *http.Request, address string) error {
	if IsFragment(r) || IsEmbedScriptPost(r) {
		w.Header().Set("HX-Redirect", address)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return Redirect(w, r, address)
}
