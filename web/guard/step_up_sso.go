package guard

import (
	"errors"
	"net/http"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views/to"
	"hearthline/web/page"
)

// FinishSSO steps up the session that started the round trip to the provider of single sign-on, and redirects to its
// pending form. It does nothing for any other session.
func (u *StepUp) FinishSSO(w http.ResponseWriter, r *http.Request, result account.SSOResult) error {
	who, err := u.sessions.Current(r, true)
	if err != nil {
		return err
	}
	if !who.SignedIn || who.Session.IDHash != result.Session || who.User.UserID != result.User.UserID {
		return page.Redirect(w, r, to.Full.StepUp())
	}
	pending, err := u.accounts.PendingForm(r.Context(), result.Session)
	if err != nil {
		return err
	}
	v := &page.Visit{SessionState: who}
	if err := u.sessions.RotateElevated(w, r, v, account.Authentication{Proof: result.Proof, At: result.At}); err != nil {
		return err
	}
	if err := u.accounts.MoveToSession(r.Context(), result.Session, v.Session.IDHash); err != nil {
		return err
	}
	if err := u.accounts.SavePendingForm(r.Context(), who.User.UserID, v.Session.IDHash, pending); err != nil {
		return err
	}
	return page.Redirect(w, r, to.Full.StepUp())
}

// RenderSSORejected shows the step-up page again, with what was wrong with the provider's response.
func (u *StepUp) RenderSSORejected(w http.ResponseWriter, r *http.Request, cause error) error {
	who, err := u.sessions.Current(r, false)
	if err != nil || !who.SignedIn || !fault.Is(cause, fault.Invalid) {
		return errors.Join(cause, err)
	}
	reqLog := page.RequestLogOf(r)
	reqLog.Visit, reqLog.User = &page.Visit{SessionState: who, Desk: u.desks.For(who.User.Actor)}, who.User.UserID
	pending, err := u.accounts.PendingForm(r.Context(), who.Session.IDHash)
	if err != nil {
		return err
	}
	return u.RenderStepUp(w, r, http.StatusUnprocessableEntity, pending, cause)
}
