package account

import (
	"net/http"

	deskaccount "hearthline/internal/desk/account"
	"hearthline/internal/fault"
	view "hearthline/views/account"
	"hearthline/views/to"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// EmailChangePage shows the new email whose confirmation link this browser has opened.
func (s *Handlers) EmailChangePage(w http.ResponseWriter, r *http.Request, own *deskaccount.Account) error {
	return s.renderEmailChange(w, r, own, "")
}

// ConfirmEmailChange makes it the account's email.
func (s *Handlers) ConfirmEmailChange(w http.ResponseWriter, r *http.Request, own *deskaccount.Account) error {
	err := own.ConfirmEmail(r.Context(), page.VisitOf(r).Session.IDHash, s.FlowToken(r, guard.FlowSetUp))
	if fault.Is(err, fault.Invalid, fault.Conflict) {
		return s.renderEmailChange(w, r, own, fault.Public(err))
	}
	if err != nil {
		return err
	}
	s.SetFlowCookie(w, guard.FlowSetUp, "")
	return page.Redirect(w, r, to.Full.Account())
}

func (s *Handlers) renderEmailChange(w http.ResponseWriter, r *http.Request, own *deskaccount.Account, message string) error {
	status := http.StatusOK
	if message != "" {
		status = http.StatusUnprocessableEntity
	}
	model := view.EmailView{Page: s.Layout(r, "Change your email"), Current: page.ActorOf(r).Email, Error: message}
	newEmail, err := own.EmailOffer(r.Context(), s.FlowToken(r, guard.FlowSetUp))
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	model.NewEmail = newEmail
	if err != nil && s.FlowToken(r, guard.FlowSetUp) != "" && model.Error == "" {
		model.Error = fault.Public(err)
	}
	return s.Render(w, r, status, view.Email(model))
}
