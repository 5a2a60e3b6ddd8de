package web

import (
	"net/http"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views/to"
)

// attempt is a form of a lead that did not go through: it comes back on the page it
// belongs to, with what was typed and what is wrong.
type attempt struct {
	act  string // the interface's word, or ours: the last piece of the address
	form *form
	// again says that nothing can have arrived at the lender and that the journal has
	// closed the ticket: the form needs a new one to be sent once more.
	again  bool
	status int
	// carried says that the form was filled inside a CRM's frame, and not sent there.
	carried bool
}

// carry runs one write of a lead, unless its form has complaints, and answers what
// came of it.
func (s *Server) carry(w http.ResponseWriter, r *http.Request, l Lead, a attempt, run func() (desk.Operation, error)) error {
	if a.form.bad() {
		a.status = http.StatusUnprocessableEntity
		return s.handBack(w, r, l, a)
	}
	op, err := run()
	trailOf(r).note("operation", op.ID)
	if err == nil {
		return onward(w, r, outcomeOf(baseOf(r), op, l.App()))
	}
	if !a.excuse(op, err) {
		return err
	}
	return s.handBack(w, r, l, a)
}

// excuse turns an error into what the form shows; false leaves it to the error page.
func (a *attempt) excuse(op desk.Operation, err error) bool {
	switch kind := fault.KindOf(err); {
	case kind == fault.Invalid:
		a.status = http.StatusUnprocessableEntity
		a.form.wrong = append(a.form.wrong, fault.FieldsOf(err)...)
		if !a.form.bad() {
			a.form.refused, a.again = fault.Public(err), true
		}
	case kind == fault.Upstream && op.State == desk.OpRejected:
		a.status, a.form.refused, a.again = http.StatusUnprocessableEntity, fault.Public(err), true
	case kind == fault.Unavailable && op.State == desk.OpNotSent:
		a.status, a.form.refused, a.again = http.StatusServiceUnavailable, fault.Public(err), true
	default:
		return false
	}
	return true
}

// ticket is the operation id of the form as it goes back: its own while nothing was
// sent under it, else a new one.
func (a attempt) ticket(fresh func(heloc.Operation) string, kind heloc.Operation) string {
	if a.again || a.form.ticket == "" {
		return fresh(kind)
	}
	return a.form.ticket
}

// outcomeOf is where a person goes after a write: to the lead, or to the receipt
// while nobody knows whether it arrived.
func outcomeOf(base to.Base, op desk.Operation, app heloc.AppID) string {
	if op.State == desk.OpUnknown || op.State == desk.OpSent || app == "" {
		return base.Operation(op.ID)
	}
	return base.Lead(string(app))
}

// onward leads to the page that follows a deed. A fragment cannot be redirected
// without putting that page into the middle of this one, so htmx is told instead; and so
// is a form that our script sent inside a frame, because it is to leave no entry in the
// history of the page around it.
func onward(w http.ResponseWriter, r *http.Request, address string) error {
	if fragment(r) || inPlace(r) {
		w.Header().Set("HX-Redirect", address)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return redirect(w, r, address)
}
