package account

import (
	"net/http"

	"hearthline/internal/fault"
	view "hearthline/views/account"
	"hearthline/views/to"
	"hearthline/web/page"
)

// EmailChangePage shows the new email whose confirmation link this browser has opened.
func (s *Handlers) EmailChangePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.renderEmailChange(w, r, d, "")
}

// ConfirmEmailChange makes it the account's email.
func (s *Handlers) ConfirmEmailChange(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	err = own.ConfirmEmail(r.Context(), page.VisitOf(r).Session.IDHash, s.FlowToken(r, page.FlowSetUp))
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Conflict) {
		return s.renderEmailChange(w, r, d, fault.Public(err))
	}
	if err != nil {
		return err
	}
	s.SetFlowCookie(w, page.FlowSetUp, "")
	return page.Redirect(w, r, to.Full.Account())
}

func (s *Handlers) renderEmailChange(w http.ResponseWriter, r *http.Request, d page.Desk, message string) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	status := http.StatusOK
	if message != "" {
		status = http.StatusUnprocessableEntity
	}
	model := view.EmailView{Page: s.Layout(r, "Change your email"), Current: d.Actor.Email, Error: message}
	model.NewEmail, err = own.EmailOffer(r.Context(), s.FlowToken(r, page.FlowSetUp))
	if err != nil && fault.KindOf(err) != fault.Conflict {
		return err
	}
	if err != nil && s.FlowToken(r, page.FlowSetUp) != "" && model.Error == "" {
		model.Error = fault.Public(err)
	}
	return s.Render(w, r, status, view.Email(model))
}
