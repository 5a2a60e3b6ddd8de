package account

import (
	"net/http"

	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/page"
)

// emailPage shows the address to which a link was mailed that this browser has opened.
func (s *Handlers) EmailPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.showEmail(w, r, d, "")
}

// takeEmail takes it for the account.
func (s *Handlers) TakeEmail(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	err = own.TakeEmail(r.Context(), page.VisitOf(r).Session.IDHash, s.BegunToken(r, page.BegunSetUp))
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Conflict) {
		return s.showEmail(w, r, d, fault.Public(err))
	}
	if err != nil {
		return err
	}
	s.KeepBegun(w, page.BegunSetUp, "")
	return page.Redirect(w, r, to.Full.Account())
}

func (s *Handlers) showEmail(w http.ResponseWriter, r *http.Request, d page.Desk, refused string) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	status := http.StatusOK
	if refused != "" {
		status = http.StatusUnprocessableEntity
	}
	view := views.EmailView{Page: s.Frame(r, "Another e-mail"), Present: d.Actor.Email, Refused: refused}
	view.Next, err = own.EmailOffered(r.Context(), s.BegunToken(r, page.BegunSetUp))
	if err != nil && fault.KindOf(err) != fault.Conflict {
		return err
	}
	if err != nil && s.BegunToken(r, page.BegunSetUp) != "" && view.Refused == "" {
		view.Refused = fault.Public(err)
	}
	return s.Show(w, r, status, views.Email(view))
}
