package web

import (
	"net/http"

	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
)

// emailPage shows the address to which a link was mailed that this browser has opened.
func (s *Server) emailPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.showEmail(w, r, d, "")
}

// takeEmail takes it for the account.
func (s *Server) takeEmail(w http.ResponseWriter, r *http.Request, d Desk) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	err = own.TakeEmail(r.Context(), visitOf(r).session.IDHash, s.begunToken(r, begunSetUp))
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Conflict) {
		return s.showEmail(w, r, d, fault.Public(err))
	}
	if err != nil {
		return err
	}
	s.keepBegun(w, begunSetUp, "")
	return redirect(w, r, to.Full.Account())
}

func (s *Server) showEmail(w http.ResponseWriter, r *http.Request, d Desk, refused string) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	status := http.StatusOK
	if refused != "" {
		status = http.StatusUnprocessableEntity
	}
	view := views.EmailView{Page: s.frame(r, "Another e-mail"), Present: d.Actor.Email, Refused: refused}
	view.Next, err = own.EmailOffered(r.Context(), s.begunToken(r, begunSetUp))
	if err != nil && fault.KindOf(err) != fault.Conflict {
		return err
	}
	if err != nil && s.begunToken(r, begunSetUp) != "" && view.Refused == "" {
		view.Refused = fault.Public(err)
	}
	return s.show(w, r, status, views.Email(view))
}
