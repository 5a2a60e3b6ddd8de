package web

import (
	"net/http"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
)

// cancelInquiry closes the inquiry for good. The confirmation stands in the same form.
func (s *Server) cancelInquiry(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	if !f.checked("confirm.cancel") {
		f.complain("confirm.cancel", "Confirm that it is to be closed for good")
	}
	return s.carry(w, r, l, attempt{act: string(heloc.OpCancel), form: f}, func() (desk.Operation, error) {
		return l.Cancel(r.Context(), f.ticket)
	})
}

// setAside treats the lead as ended without offers, here only, or takes that back.
func (s *Server) setAside(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	undo := f.checked("undo")
	if !undo && !f.checked("confirm.set-aside") {
		f.complain("confirm.set-aside", "Confirm that we stop here")
		return s.handBack(w, r, l, attempt{act: "set-aside", form: f, status: http.StatusUnprocessableEntity})
	}
	if err := l.SetAside(r.Context(), !undo); err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Lead(string(l.App())))
}

// refreshLead asks the lender for the lead anew; the page is told when it is there.
func (s *Server) refreshLead(w http.ResponseWriter, r *http.Request, l Lead) error {
	if err := l.Refresh(r.Context()); err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Lead(string(l.App())))
}
