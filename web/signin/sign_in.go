package signin

import (
	"errors"
	"net/http"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	view "hearthline/views/signin"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// SignInPage shows the sign-in page. A user who is already signed in is redirected.
func (s *Handlers) SignInPage(w http.ResponseWriter, r *http.Request) error {
	who, err := s.Sessions.Current(r, true)
	if err != nil {
		return err
	}
	next := page.SafeNext(r.URL.Query().Get("next"))
	if who.SignedIn {
		return page.Redirect(w, r, s.NextOrHome(next, who.User.Actor))
	}
	v := s.signInView(r, next)
	if r.URL.Query().Get("after") == to.PasswordChanged {
		v.Notice = "Your password was changed. Sign in with your new password."
	}
	for _, p := range s.DemoPeople {
		if p.Email == r.URL.Query().Get("as") {
			v.Email, v.Password = p.Email, p.Password
		}
	}
	return s.Render(w, r, http.StatusOK, view.SignIn(v))
}

// SignIn checks email and password. Whatever is wrong with them, the page shows the same sentence
// and the email.
func (s *Handlers) SignIn(w http.ResponseWriter, r *http.Request) error {
	email, password := strings.TrimSpace(page.Posted(r).Get("email")), page.Posted(r).Get("password")
	if email == "" || password == "" {
		return s.renderIncomplete(w, r, email, password)
	}
	from, err := s.client(r)
	if err != nil {
		return err
	}
	result, err := s.Accounts.SignIn(r.Context(), email, password, from)
	if err != nil && result.Need != account.NeedProvider {
		return s.rejectSignIn(w, r, err)
	}
	return s.finishSignIn(w, r, result, err, page.SafeNext(page.Posted(r).Get("next")))
}

// client describes where an attempt to sign in comes from, with the session that a new one replaces.
func (s *Handlers) client(r *http.Request) (account.ClientInfo, error) {
	from := s.ClientWithDevice(r)
	session, err := s.Sessions.Previous(r)
	from.Session = session
	return from, err
}

// continueSignIn asks an authenticated user for the factors that are still missing, or signs them in if none are.
func (s *Handlers) continueSignIn(w http.ResponseWriter, r *http.Request, user access.User, how account.Authentication, next string) error {
	from, err := s.client(r)
	if err != nil {
		return err
	}
	result, err := s.Accounts.ContinueSignIn(r.Context(), user, how, from)
	return s.finishSignIn(w, r, result, err, next)
}

// finishSignIn redirects to the page on which the sign-in goes on, or signs the user in.
func (s *Handlers) finishSignIn(w http.ResponseWriter, r *http.Request, result account.SignInResult, err error, next string) error {
	switch {
	case result.Need == account.NeedProvider && fault.Is(err, fault.Invalid):
		return s.renderSignInError(w, r, err)
	case err != nil:
		return err
	case result.Need != account.NeedNothing:
		s.SetFlowCookie(w, FlowSignIn, result.Token)
		page.RequestLogOf(r).AddAttr("login", "first step")
		return page.Redirect(w, r, to.SecondFactorNext(next))
	}
	url, err := s.startSession(w, r, result, next)
	if err != nil {
		return err
	}
	return page.Redirect(w, r, url)
}

// startSession gives the browser its session. It returns the URL of the form that the user had filled in when their last
// session ended, or of the page that they wanted.
func (s *Handlers) startSession(w http.ResponseWriter, r *http.Request, result account.SignInResult, next string) (url string, err error) {
	s.Sessions.Start(w, result.Token)
	s.keepDevice(w, r, result.User)
	t := page.RequestLogOf(r)
	t.User = result.User.UserID
	t.AddAttr("login", "accepted")
	url = s.NextOrHome(next, result.User.Actor)
	token := s.FlowToken(r, guard.FlowPendingForm)
	if token == "" {
		return url, nil
	}
	s.SetFlowCookie(w, guard.FlowPendingForm, "")
	claimed, err := s.Accounts.ClaimPendingForm(r.Context(), token, result.User.UserID, account.HashToken(result.Token))
	if claimed {
		url = to.Full.StepUp()
	}
	return url, err
}

// keepDevice remembers that a user has signed in with this browser.
func (s *Handlers) keepDevice(w http.ResponseWriter, r *http.Request, user access.User) {
	s.SetDeviceCookie(w, s.Accounts.RememberDevice(user, s.DeviceCookie(r)))
}

// renderIncomplete shows the page again with what is missing. It counts as no attempt.
func (s *Handlers) renderIncomplete(w http.ResponseWriter, r *http.Request, email, password string) error {
	v := s.signInView(r, page.SafeNext(page.Posted(r).Get("next")))
	v.Email = email
	if email == "" {
		v.NoEmail = "Enter your email"
	}
	if password == "" {
		v.NoPassword = "Enter your password"
	}
	return s.Render(w, r, http.StatusUnprocessableEntity, view.SignIn(v))
}

// rejectSignIn shows the page again with the error. It returns errors other than a rejected
// sign-in.
func (s *Handlers) rejectSignIn(w http.ResponseWriter, r *http.Request, err error) error {
	_, soon := errors.AsType[*account.TooSoon](err)
	if !soon && !fault.Is(err, fault.Invalid) {
		return err
	}
	t := page.RequestLogOf(r)
	status, message := page.StatusAndMessage(err)
	t.AddAttr("login", "refused")
	page.SetRetryAfter(w, err)
	v := s.signInView(r, page.SafeNext(page.Posted(r).Get("next")))
	posted := form.Form{Values: page.Posted(r)}
	v.Email, v.EmailChanged, v.Error = posted.Email("email"), posted.Changes["email"], message
	return s.Render(w, r, status, view.SignIn(v))
}

// SignOut ends the session and asks the browser to clear its storage.
func (s *Handlers) SignOut(w http.ResponseWriter, r *http.Request) error {
	if err := s.Sessions.End(w, r); err != nil {
		return err
	}
	w.Header().Del("Session-Expires")
	w.Header().Set("Clear-Site-Data", `"storage"`)
	return page.Redirect(w, r, to.SignIn(""))
}

// RedirectHome redirects to the user's home page.
func (s *Handlers) RedirectHome(w http.ResponseWriter, r *http.Request) error {
	return page.Redirect(w, r, s.HomeURL(page.ActorOf(r)))
}

// signInView is the sign-in page without user input.
func (s *Handlers) signInView(r *http.Request, next string) view.SignInView {
	v := view.SignInView{Page: s.PublicLayout(r, "Sign in"), Next: next, Passkeys: s.Accounts.Passkeys()}
	if s.Accounts.SendsMail() || s.Outbox != nil {
		v.Reset, v.Activate = to.Reset(), to.Activate()
	}
	if name := s.SSO.SSOName(); name != "" {
		v.SSO = to.SSONext(name, next)
	}
	v.Page.Passkeys = v.Passkeys
	for _, p := range s.DemoPeople {
		v.People = append(v.People, view.DemoPerson{
			Name: p.Name, Initials: page.Initials(p.Name), Subtitle: p.Subtitle, Email: p.Email, Password: p.Password,
		})
	}
	return v
}
