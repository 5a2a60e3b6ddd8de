package page

import (
	"net/http"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views/to"
	"hearthline/web/form"
)

// SubmittedForm is a form of a lead that did not go through: it comes back on the page it
// belongs to, with what was typed and what is wrong.
type SubmittedForm struct {
	Action string // the interface's word, or ours: the last piece of the address
	Form   *form.Form
	// again says that nothing can have arrived at the lender and that the journal has
	// closed the ticket: the form needs a new one to be sent once more.
	NeedsNewID bool
	Status     int
	// carried says that the form was filled inside a CRM's frame, and not sent there.
	FromEmbed bool
}

// Submit runs one write of a lead, unless its form has complaints, and answers what
// came of it.
func (s *Server) Submit(w http.ResponseWriter, r *http.Request, l Lead, a SubmittedForm, run func() (desk.Operation, error)) error {
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

// Explain turns an error into what the form shows; false leaves it to the error page.
func (a *SubmittedForm) Explain(op desk.Operation, err error) bool {
	switch kind := fault.KindOf(err); {
	case kind == fault.Invalid:
		a.Status = http.StatusUnprocessableEntity
		a.Form.FieldErrors = append(a.Form.FieldErrors, fault.FieldsOf(err)...)
		if !a.Form.HasErrors() {
			a.Form.FormError, a.NeedsNewID = fault.Public(err), true
		}
	case kind == fault.Upstream && op.State == desk.OpRejected:
		a.Status, a.Form.FormError, a.NeedsNewID = http.StatusUnprocessableEntity, fault.Public(err), true
	case kind == fault.Unavailable && op.State == desk.OpNotSent:
		a.Status, a.Form.FormError, a.NeedsNewID = http.StatusServiceUnavailable, fault.Public(err), true
	default:
		return false
	}
	return true
}

// OperationID is the operation id of the form as it goes back: its own while nothing was
// sent under it, else a new one.
func (a SubmittedForm) OperationID(fresh func(heloc.Operation) string, kind heloc.Operation) string {
	if a.NeedsNewID || a.Form.OperationID == "" {
		return fresh(kind)
	}
	return a.Form.OperationID
}

// AfterWriteURL is where a person goes after a write: to the lead, or to the receipt
// while nobody knows whether it arrived.
func AfterWriteURL(base to.Base, op desk.Operation, app heloc.AppID) string {
	if op.State == desk.OpUnknown || op.State == desk.OpSent || app == "" {
		return base.Operation(op.ID)
	}
	return base.Lead(string(app))
}

// NavigateTo leads to the page that follows a deed. A fragment cannot be redirected
// without putting that page into the middle of this one, so htmx is told instead; and so
// is a form that our script sent inside a frame, because it is to leave no entry in the
// history of the page around it.
func NavigateTo(w http.ResponseWriter, r *http.Request, address string) error {
	if IsFragment(r) || IsEmbedScriptPost(r) {
		w.Header().Set("HX-Redirect", address)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return Redirect(w, r, address)
}
