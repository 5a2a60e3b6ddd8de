package signin

import (
	"errors"
	"net/http"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/page"
)

// logInPage shows the door; whoever is inside already goes on.
func (s *Handlers) LogInPage(w http.ResponseWriter, r *http.Request) error {
	who, err := s.Sessions.Find(r, true)
	if err != nil {
		return err
	}
	next := page.SafeNext(r.URL.Query().Get("next"))
	if who.SignedIn {
		return page.Redirect(w, r, s.After(next, who.User.Actor))
	}
	v := s.door(r, next)
	if r.URL.Query().Get("after") == to.PasswordChanged {
		v.Notice = "Your password is changed. Sign in with it."
	}
	for _, p := range s.People {
		if p.Email == r.URL.Query().Get("as") {
			v.Email, v.Password = p.Email, p.Password
		}
	}
	return s.Show(w, r, http.StatusOK, views.Login(v))
}

// logIn takes e-mail and password. Whatever is wrong with them, the page comes
// back with one sentence and the e-mail.
func (s *Handlers) LogIn(w http.ResponseWriter, r *http.Request) error {
	email := strings.TrimSpace(page.Posted(r).Get("email"))
	user, err := s.Accounts.LogIn(r.Context(), email, page.Posted(r).Get("password"), s.FromDevice(r))
	if err != nil {
		return s.refuseLogIn(w, r, err)
	}
	return s.goIn(w, r, user, page.Entry{Proof: access.ByPassword, Next: page.SafeNext(page.Posted(r).Get("next"))})
}

// enter signs a person in, and leads them to where they wanted to go, or to what they had
// typed when their last session ended.
func (s *Handlers) enter(w http.ResponseWriter, r *http.Request, user access.User, e page.Entry) error {
	next, err := s.admitted(w, r, user, e)
	if err != nil {
		return err
	}
	if next == "" {
		next = s.After(e.Next, user.Actor)
	}
	return page.Redirect(w, r, next)
}

// admitted begins the session. The answer is where something waits that the person had
// typed; empty for nowhere.
func (s *Handlers) admitted(w http.ResponseWriter, r *http.Request, user access.User, e page.Entry) (next string, err error) {
	if err := s.WriteLogIn(r, user.Actor, e.Proof); err != nil {
		return "", err
	}
	session, err := s.Sessions.Begin(w, r, user, e)
	if err != nil {
		return "", err
	}
	if err := s.Accounts.Arrived(r.Context(), user, e.Proof, page.From(r)); err != nil {
		return "", err
	}
	s.KeepDevice(w, r, user.UserID)
	t := page.TrailOf(r)
	t.User = user.UserID
	t.Note("login", "accepted")
	token := s.BegunToken(r, page.BegunHeld)
	if token == "" {
		return "", nil
	}
	s.KeepBegun(w, page.BegunHeld, "")
	waits, err := s.Accounts.TakeOver(r.Context(), token, user.UserID, session)
	if err != nil || !waits {
		return "", err
	}
	return to.Full.Confirm(), nil
}

// refuseLogIn shows the page again. Other errors than a refusal go on as they are.
func (s *Handlers) refuseLogIn(w http.ResponseWriter, r *http.Request, err error) error {
	_, soon := errors.AsType[*account.TooSoon](err)
	if !soon && fault.KindOf(err) != fault.Invalid {
		return err
	}
	t := page.TrailOf(r)
	status, message := page.Judged(err)
	t.Note("login", "refused")
	page.SetRetryAfter(w, err)
	v := s.door(r, page.SafeNext(page.Posted(r).Get("next")))
	v.Email, v.Error = strings.TrimSpace(page.Posted(r).Get("email")), message
	return s.Show(w, r, status, views.Login(v))
}

// logOut ends the session here and asks the browser to drop what it stored.
func (s *Handlers) LogOut(w http.ResponseWriter, r *http.Request) error {
	if err := s.Sessions.End(w, r); err != nil {
		return err
	}
	w.Header().Del("Session-Expires")
	w.Header().Set("Clear-Site-Data", `"storage"`)
	return page.Redirect(w, r, to.Login(""))
}

// home leads to where a person's work is.
func (s *Handlers) Home(w http.ResponseWriter, r *http.Request) error {
	return page.Redirect(w, r, s.HomeOf(page.ActorOf(r)))
}

// door is the log-in page without what a person typed.
func (s *Handlers) door(r *http.Request, next string) views.LoginView {
	v := views.LoginView{Page: s.DoorPage(r, "Sign in"), Next: next, Passkeys: s.Accounts.Passkeys()}
	if s.Accounts.Mails() || s.Outbox != nil {
		v.Reset, v.Activate = to.Reset(), to.Activate()
	}
	if name := s.Accounts.SignOn(); name != "" {
		v.SSO = to.SSONext(name, next)
	}
	v.Page.Passkeys = v.Passkeys
	for _, p := range s.People {
		v.People = append(v.People, views.DemoPerson{
			Name: p.Name, Initials: page.Initials(p.Name), Line: p.Line, Email: p.Email, Password: p.Password,
		})
	}
	return v
}
