package signin

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/page"
)

// flowSSO is a sign-on at the provider.
const flowSSO page.Flow = "sso"

// StartSSO sends the browser to the provider. Another site's link only leads to the log-in
// page: nobody is signed in without having pressed anything here.
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

// SsoCallback takes who comes back. What the provider saw may be one factor: then ours is
// asked for as after a password.
func (s *Handlers) SsoCallback(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	on, err := s.Accounts.FinishSSO(r.Context(), chi.URLParam(r, "provider"), s.FlowToken(r, flowSSO), account.Callback{
		State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Error: q.Get("error"), From: page.ClientOf(r),
	})
	s.SetFlowCookie(w, flowSSO, "")
	if err != nil && on.Session != "" {
		return s.renderSSOStepUpFailed(w, r, err)
	}
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Conflict) {
		return s.renderSignInError(w, r, err)
	}
	if err != nil {
		return err
	}
	if on.Session != "" {
		return s.finishSSOStepUp(w, r, on)
	}
	return s.continueSignIn(w, r, on.User, page.AuthResult{Proof: on.Proof, At: on.At, Next: page.SafeNext(on.Next)})
}

// StepUpBySSO sends somebody to the provider to prove anew who they are.
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

// renderSSOStepUpFailed asks once more, and says what was wrong with what the provider said.
func (s *Handlers) renderSSOStepUpFailed(w http.ResponseWriter, r *http.Request, err error) error {
	who, lost := s.Sessions.Current(r, false)
	if lost != nil || !who.SignedIn || fault.KindOf(err) != fault.Invalid {
		return errors.Join(err, lost)
	}
	page.RequestLogOf(r).Visit, page.RequestLogOf(r).User = &page.Visit{SessionState: who, Desk: s.Desks.For(who.User.Actor)}, who.User.UserID
	held, lost := s.Accounts.PendingForm(r.Context(), who.Session.IDHash)
	if lost != nil {
		return lost
	}
	return s.RenderStepUp(w, r, http.StatusUnprocessableEntity, held, err)
}

// finishSSOStepUp takes who comes back from there into the session that they left, and shows
// what waits behind it. Another session, or none, has proved nothing by it.
func (s *Handlers) finishSSOStepUp(w http.ResponseWriter, r *http.Request, on account.SSOResult) error {
	who, err := s.Sessions.Current(r, true)
	if err != nil {
		return err
	}
	if !who.SignedIn || who.Session.IDHash != on.Session || who.User.UserID != on.User.UserID {
		return page.Redirect(w, r, to.Full.StepUp())
	}
	held, err := s.Accounts.PendingForm(r.Context(), on.Session)
	if err != nil {
		return err
	}
	v := &page.Visit{SessionState: who}
	if err := s.Sessions.RotateElevated(w, r, v, page.AuthResult{Proof: on.Proof, At: on.At}); err != nil {
		return err
	}
	if err := s.Accounts.MoveToSession(r.Context(), on.Session, v.Session.IDHash); err != nil {
		return err
	}
	if err := s.Accounts.SavePendingForm(r.Context(), who.User.UserID, v.Session.IDHash, held); err != nil {
		return err
	}
	return page.Redirect(w, r, to.Full.StepUp())
}

// renderSignInError shows the log-in page to whom it says how else to come in.
func (s *Handlers) renderSignInError(w http.ResponseWriter, r *http.Request, err error) error {
	page.RequestLogOf(r).Err = err
	page.RequestLogOf(r).AddAttr("login", "refused")
	v := s.signInView(r, "")
	v.Error = fault.Public(err)
	return s.Render(w, r, http.StatusUnprocessableEntity, views.SignIn(v))
}

// continueSignIn asks for what is still needed, and signs the person in when nothing is.
func (s *Handlers) continueSignIn(w http.ResponseWriter, r *http.Request, user access.User, e page.AuthResult) error {
	if e.Proof.Level() < 2 {
		need, err := s.Accounts.Needs(r.Context(), user.UserID)
		if fault.KindOf(err) == fault.Invalid && err != nil {
			return s.renderSignInError(w, r, err)
		}
		if err != nil {
			return err
		}
		if need != account.NeedNothing {
			return s.startSecondFactor(w, r, user, need, e.Next)
		}
	}
	return s.signInAndRedirect(w, r, user, e)
}
