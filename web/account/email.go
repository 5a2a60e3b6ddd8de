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
func (h *Handlers) EmailChangePage(w http.ResponseWriter, r *http.Request, own *deskaccount.Account) error {
	return h.renderEmailChange(w, r, own, "")
}

// ConfirmEmailChange makes it the account's email.
func (h *Handlers) ConfirmEmailChange(w http.ResponseWriter, r *http.Request, own *deskaccount.Account) error {
	err := own.ConfirmEmail(r.Context(), page.VisitOf(r).Session.IDHash, h.FlowToken(r, guard.FlowSetUp))
	if fault.Is(err, fault.Invalid, fault.Conflict) {
		return h.renderEmailChange(w, r, own, fault.Public(err))
	}
	if err != nil {
		return err
	}
	h.SetFlowCookie(w, guard.FlowSetUp, "")
	return page.Redirect(w, r, to.Full.Account())
}

func (h *Handlers) renderEmailChange(w http.ResponseWriter, r *http.Request, own *deskaccount.Account,
	message string) error {
	status := http.StatusOK
	if message != "" {
		status = http.StatusUnprocessableEntity
	}
	model := view.EmailView{Page: h.Layout(r, "Change your email"), Current: page.ActorOf(r).Email, Error: message}
	newEmail, err := own.EmailOffer(r.Context(), h.FlowToken(r, guard.FlowSetUp))
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	model.NewEmail = newEmail
	if err != nil && h.FlowToken(r, guard.FlowSetUp) != "" && model.Error == "" {
		model.Error = fault.Public(err)
	}
	return h.Render(w, r, status, view.Email(model))
}
