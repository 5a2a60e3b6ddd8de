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
func (h *Handlers) SignInPage(w http.ResponseWriter, r *http.Request) error {
	who, err := h.Sessions.Current(r, true)
	if err != nil {
		return err
	}
	next := page.SafeNext(r.URL.Query().Get("next"))
	if who.SignedIn {
		return page.Redirect(w, r, h.NextOrHome(next, who.User.Actor))
	}
	v := h.signInView(r, next)
	if r.URL.Query().Get("after") == to.PasswordChanged {
		v.Notice = "Your password was changed. Sign in with your new password."
	}
	for _, p := range h.DemoPeople {
		if p.Email == r.URL.Query().Get("as") {
			v.Email, v.Password = p.Email, p.Password
		}
	}
	return h.Render(w, r, http.StatusOK, view.SignIn(v))
}

// SignIn checks email and password. Whatever is wrong with them, the page shows the same sentence
// and the email.
func (h *Handlers) SignIn(w http.ResponseWriter, r *http.Request) error {
	email, password := strings.TrimSpace(page.Posted(r).Get("email")), page.Posted(r).Get("password")
	if email == "" || password == "" {
		return h.renderIncomplete(w, r, email, password)
	}
	from, err := h.client(r)
	if err != nil {
		return err
	}
	result, err := h.Accounts.SignIn(r.Context(), email, password, from)
	if err != nil && result.Need != account.NeedProvider {
		return h.rejectSignIn(w, r, err)
	}
	return h.finishSignIn(w, r, result, err, page.SafeNext(page.Posted(r).Get("next")))
}

// client describes where an attempt to sign in comes from, with the session that a new one replaces.
func (h *Handlers) client(r *http.Request) (account.ClientInfo, error) {
	from := h.ClientWithDevice(r)
	session, err := h.Sessions.Previous(r)
	from.Session = session
	return from, err
}

// continueAccount starts the session of an authenticated user, or the next step of their sign-in.
func (h *Handlers) continueAccount(r *http.Request, user access.User,
	how account.Authentication) (account.SignInResult, error) {
	from, err := h.client(r)
	if err != nil {
		return account.SignInResult{}, err
	}
	return h.Accounts.ContinueSignIn(r.Context(), user, how, from)
}

// continueSignIn asks an authenticated user for the factors that are still missing, or signs them in if none are.
func (h *Handlers) continueSignIn(w http.ResponseWriter, r *http.Request, user access.User, how account.Authentication,
	next string) error {
	result, err := h.continueAccount(r, user, how)
	return h.finishSignIn(w, r, result, err, next)
}

// signInNow signs in a user who has just set up their factors. It returns the URL that startSession returns.
func (h *Handlers) signInNow(w http.ResponseWriter, r *http.Request, user access.User, how account.Authentication,
	next string) (url string, err error) {
	result, err := h.continueAccount(r, user, how)
	if err != nil {
		return "", err
	}
	return h.startSession(w, r, result, next)
}

// finishSignIn redirects to the page on which the sign-in continues, or signs the user in.
func (h *Handlers) finishSignIn(w http.ResponseWriter, r *http.Request, result account.SignInResult, err error,
	next string) error {
	switch {
	case result.Need == account.NeedProvider && fault.Is(err, fault.Invalid):
		return h.renderSignInError(w, r, err)
	case err != nil:
		return err
	case result.Need != account.NeedNothing:
		h.SetFlowCookie(w, FlowSignIn, result.Token)
		page.RequestLogOf(r).AddAttr("login", "first step")
		return page.Redirect(w, r, to.SecondFactorNext(next))
	}
	url, err := h.startSession(w, r, result, next)
	if err != nil {
		return err
	}
	return page.Redirect(w, r, url)
}

// startSession gives the browser its session. It returns the URL of the form that the user had filled in when their
// last session ended, or of the page that they wanted.
func (h *Handlers) startSession(w http.ResponseWriter, r *http.Request, result account.SignInResult,
	next string) (url string, err error) {
	h.Sessions.Start(w, result.Token)
	h.keepDevice(w, r, result.User)
	t := page.RequestLogOf(r)
	t.User = result.User.UserID
	t.AddAttr("login", "accepted")
	url = h.NextOrHome(next, result.User.Actor)
	token := h.FlowToken(r, guard.FlowPendingForm)
	if token == "" {
		return url, nil
	}
	h.SetFlowCookie(w, guard.FlowPendingForm, "")
	claimed, err := h.Accounts.ClaimPendingForm(r.Context(), token, result.User.UserID, account.HashToken(result.Token))
	if claimed {
		url = to.Full.StepUp()
	}
	return url, err
}

// keepDevice remembers that a user has signed in with this browser.
func (h *Handlers) keepDevice(w http.ResponseWriter, r *http.Request, user access.User) {
	h.SetDeviceCookie(w, h.Accounts.RememberDevice(user, h.DeviceCookie(r)))
}

// renderIncomplete shows the page again with what is missing. It counts as no attempt.
func (h *Handlers) renderIncomplete(w http.ResponseWriter, r *http.Request, email, password string) error {
	v := h.signInView(r, page.SafeNext(page.Posted(r).Get("next")))
	v.Email = email
	if email == "" {
		v.NoEmail = "Enter your email"
	}
	if password == "" {
		v.NoPassword = "Enter your password"
	}
	return h.Render(w, r, http.StatusUnprocessableEntity, view.SignIn(v))
}

// rejectSignIn shows the page again with the error. It returns errors other than a rejected
// sign-in.
func (h *Handlers) rejectSignIn(w http.ResponseWriter, r *http.Request, err error) error {
	_, soon := errors.AsType[*account.TooSoon](err)
	if !soon && !fault.Is(err, fault.Invalid) {
		return err
	}
	t := page.RequestLogOf(r)
	status, message := page.StatusAndMessage(err)
	t.AddAttr("login", "refused")
	page.SetRetryAfter(w, err)
	v := h.signInView(r, page.SafeNext(page.Posted(r).Get("next")))
	posted := form.Form{Values: page.Posted(r)}
	v.Email, v.EmailChanged, v.Error = posted.Email("email"), posted.Changes["email"], message
	return h.Render(w, r, status, view.SignIn(v))
}

// SignOut ends the session and asks the browser to clear its storage. The next sign-in opens the page that was posted
// as next.
func (h *Handlers) SignOut(w http.ResponseWriter, r *http.Request) error {
	if err := h.Sessions.End(w, r); err != nil {
		return err
	}
	w.Header().Del("Session-Expires")
	w.Header().Set("Clear-Site-Data", `"storage"`)
	return page.Redirect(w, r, to.SignIn(page.SafeNext(page.Posted(r).Get("next"))))
}

// RedirectHome redirects to the user's home page.
func (h *Handlers) RedirectHome(w http.ResponseWriter, r *http.Request) error {
	return page.Redirect(w, r, h.HomeURL(page.ActorOf(r)))
}

// signInView is the sign-in page without user input.
func (h *Handlers) signInView(r *http.Request, next string) view.SignInView {
	v := view.SignInView{Page: h.PublicLayout(r, "Sign in"), Next: next, Passkeys: h.Accounts.Passkeys()}
	if h.Accounts.SendsMail() || h.Outbox != nil {
		v.Reset, v.Activate = to.Reset(), to.Activate()
	}
	if name := h.SSO.SSOName(); name != "" {
		v.SSO = to.SSONext(name, next)
	}
	v.Page.Passkeys = v.Passkeys
	for _, p := range h.DemoPeople {
		v.People = append(v.People, view.DemoPerson{
			Name: p.Name, Initials: page.Initials(p.Name), Subtitle: p.Subtitle, Email: p.Email, Password: p.Password,
		})
	}
	return v
}
