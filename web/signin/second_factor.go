package signin

import (
	"errors"
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/page"
)

// The kinds.
const FlowSignIn page.Flow = "login"

// startSecondFactor begins the second step of a log-in.
func (s *Handlers) startSecondFactor(w http.ResponseWriter, r *http.Request, user access.User, need account.Need, next string) error {
	token, err := s.Accounts.BeginSecondFactor(r.Context(), user, need, page.ClientOf(r))
	if err != nil {
		return err
	}
	s.SetFlowCookie(w, FlowSignIn, token)
	page.RequestLogOf(r).AddAttr("login", "first step")
	return page.Redirect(w, r, to.SecondFactorNext(next))
}

// SecondFactorPage asks for the code, or shows who has none how to add an app.
func (s *Handlers) SecondFactorPage(w http.ResponseWriter, r *http.Request) error {
	waiting, err := s.Accounts.PendingSignIn(r.Context(), s.FlowToken(r, FlowSignIn))
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return page.Redirect(w, r, to.SignIn(page.SafeNext(r.URL.Query().Get("next"))))
	}
	if err != nil {
		return err
	}
	return s.renderSecondFactor(w, r, http.StatusOK, waiting, views.Form{})
}

// SubmitSecondFactor takes the code and signs the person in.
func (s *Handlers) SubmitSecondFactor(w http.ResponseWriter, r *http.Request) error {
	token := s.FlowToken(r, FlowSignIn)
	p, err := s.Accounts.FinishSecondFactor(r.Context(), token, page.StepUpFactor(page.Posted(r)), s.FromDevice(r))
	if err != nil {
		return s.rejectSecondFactor(w, r, token, err)
	}
	s.SetFlowCookie(w, FlowSignIn, "")
	if p.RecoveryCodes == nil {
		return s.signInAndRedirect(w, r, p.User, page.AuthResult{Proof: p.Proof, Next: page.SafeNext(page.Posted(r).Get("next"))})
	}
	next, err := s.startSession(w, r, p.User, page.AuthResult{Proof: p.Proof})
	if err != nil {
		return err
	}
	if next == "" {
		next = s.NextOrHome(page.SafeNext(page.Posted(r).Get("next")), p.User.Actor)
	}
	return s.Render(w, r, http.StatusOK, views.RecoveryAtSignIn(views.RecoveryView{Page: s.PublicLayout(r, "Recovery codes"), Codes: p.RecoveryCodes, Next: next}))
}

func (s *Handlers) rejectSecondFactor(w http.ResponseWriter, r *http.Request, token string, err error) error {
	_, soon := errors.AsType[*account.TooSoon](err)
	switch {
	case fault.KindOf(err) == fault.Conflict:
		return page.Redirect(w, r, to.SignIn(page.SafeNext(page.Posted(r).Get("next"))))
	case !soon && fault.KindOf(err) != fault.Invalid:
		return err
	}
	page.RequestLogOf(r).AddAttr("login", "refused")
	waiting, lost := s.Accounts.PendingSignIn(r.Context(), token)
	if lost != nil {
		return lost
	}
	status, message := page.StatusAndMessage(err)
	page.SetRetryAfter(w, err)
	form := views.Form{FieldErrors: page.StepUpFieldErrors(err)}
	if len(form.FieldErrors) == 0 {
		form.FormError = message
	}
	return s.renderSecondFactor(w, r, status, waiting, form)
}

func (s *Handlers) renderSecondFactor(w http.ResponseWriter, r *http.Request, status int, waiting account.PendingSignIn, form views.Form) error {
	next := r.URL.Query().Get("next")
	if r.Method == http.MethodPost {
		next = page.Posted(r).Get("next")
	}
	v := views.SecondFactorView{
		Page: s.PublicLayout(r, "Second step"), Next: page.SafeNext(next), Name: waiting.User.Name, Form: form, TOTP: waiting.TOTP,
	}
	if waiting.Passkeys {
		v.Passkey, v.Page.Passkeys = to.SecondFactorOptions(), true
	}
	if waiting.Setup != nil {
		setup, err := page.PresentTOTPSetup(*waiting.Setup)
		if err != nil {
			return err
		}
		v.Page.Title, v.Setup = "Add a second factor", &setup
	}
	return s.Render(w, r, status, views.SecondFactor(v))
}
