package signin

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	view "hearthline/views/signin"
	"hearthline/views/to"
	"hearthline/web/page"
)

// flowSSO is a single sign-on at the provider.
const flowSSO page.Flow = "sso"

// StartSSO sends the browser to the provider. A link on another site leads only to the sign-in
// page, so that nobody is signed in without having pressed a button here.
func (s *Handlers) StartSSO(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return page.Redirect(w, r, to.SignIn(""))
	}
	token, address, err := s.Accounts.BeginSSO(r.Context(), chi.URLParam(r, "provider"), page.SafeNext(r.URL.Query().Get("next")), page.ClientOf(r))
	if err != nil {
		return err
	}
	s.SetFlowCookie(w, flowSSO, token)
	return page.Redirect(w, r, address)
}

// SsoCallback handles the return from the provider. If the provider vouches for one factor only,
// ours is requested as after a password.
func (s *Handlers) SsoCallback(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	result, err := s.Accounts.FinishSSO(r.Context(), chi.URLParam(r, "provider"), s.FlowToken(r, flowSSO), account.Callback{
		State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Error: q.Get("error"), From: page.ClientOf(r),
	})
	s.SetFlowCookie(w, flowSSO, "")
	if err != nil && result.Session != "" {
		return s.renderSSOStepUpFailed(w, r, err)
	}
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Conflict) {
		return s.renderSignInError(w, r, err)
	}
	if err != nil {
		return err
	}
	if result.Session != "" {
		return s.finishSSOStepUp(w, r, result)
	}
	return s.continueSignIn(w, r, result.User, page.AuthResult{Proof: result.Proof, At: result.At, Next: page.SafeNext(result.Next)})
}

// StepUpBySSO sends a user to the provider for a step-up.
func (s *Handlers) StepUpBySSO(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return page.Redirect(w, r, to.Full.StepUp())
	}
	token, address, err := s.Accounts.BeginSSOStepUp(r.Context(), page.VisitOf(r).Session, page.ClientOf(r))
	if err != nil {
		return err
	}
	s.SetFlowCookie(w, flowSSO, token)
	return page.Redirect(w, r, address)
}

// renderSSOStepUpFailed shows the step-up page again, with what was wrong with the provider's
// response.
func (s *Handlers) renderSSOStepUpFailed(w http.ResponseWriter, r *http.Request, err error) error {
	who, lookupErr := s.Sessions.Current(r, false)
	if lookupErr != nil || !who.SignedIn || fault.KindOf(err) != fault.Invalid {
		return errors.Join(err, lookupErr)
	}
	page.RequestLogOf(r).Visit, page.RequestLogOf(r).User = &page.Visit{SessionState: who, Desk: s.Desks.For(who.User.Actor)}, who.User.UserID
	pending, lookupErr := s.Accounts.PendingForm(r.Context(), who.Session.IDHash)
	if lookupErr != nil {
		return lookupErr
	}
	return s.RenderStepUp(w, r, http.StatusUnprocessableEntity, pending, err)
}

// finishSSOStepUp steps up the session that started the round trip, and redirects to its pending
// form. It does nothing for any other session.
func (s *Handlers) finishSSOStepUp(w http.ResponseWriter, r *http.Request, result account.SSOResult) error {
	who, err := s.Sessions.Current(r, true)
	if err != nil {
		return err
	}
	if !who.SignedIn || who.Session.IDHash != result.Session || who.User.UserID != result.User.UserID {
		return page.Redirect(w, r, to.Full.StepUp())
	}
	pending, err := s.Accounts.PendingForm(r.Context(), result.Session)
	if err != nil {
		return err
	}
	v := &page.Visit{SessionState: who}
	if err := s.Sessions.RotateElevated(w, r, v, page.AuthResult{Proof: result.Proof, At: result.At}); err != nil {
		return err
	}
	if err := s.Accounts.MoveToSession(r.Context(), result.Session, v.Session.IDHash); err != nil {
		return err
	}
	if err := s.Accounts.SavePendingForm(r.Context(), who.User.UserID, v.Session.IDHash, pending); err != nil {
		return err
	}
	return page.Redirect(w, r, to.Full.StepUp())
}

// renderSignInError shows the sign-in page with an error that suggests another way to sign in.
func (s *Handlers) renderSignInError(w http.ResponseWriter, r *http.Request, err error) error {
	page.RequestLogOf(r).Err = err
	page.RequestLogOf(r).AddAttr("login", "refused")
	v := s.signInView(r, "")
	v.Error = fault.Public(err)
	return s.Render(w, r, http.StatusUnprocessableEntity, view.SignIn(v))
}

// continueSignIn asks for the factors that are still missing, or signs the user in if none are.
func (s *Handlers) continueSignIn(w http.ResponseWriter, r *http.Request, user access.User, auth page.AuthResult) error {
	if auth.Proof.Level() < 2 {
		need, err := s.Accounts.Needs(r.Context(), user.UserID)
		if fault.KindOf(err) == fault.Invalid && err != nil {
			return s.renderSignInError(w, r, err)
		}
		if err != nil {
			return err
		}
		if need != account.NeedNothing {
			return s.startSecondFactor(w, r, user, need, auth.Next)
		}
	}
	return s.signInAndRedirect(w, r, user, auth)
}
