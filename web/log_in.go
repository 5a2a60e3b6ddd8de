package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// Person is a demo person, listed on the log-in page with the demo's password.
type Person struct{ Name, Line, Email, Password string }

// logInPage shows the door; whoever is inside already goes on.
func (s *Server) logInPage(w http.ResponseWriter, r *http.Request) error {
	who, err := s.sessions.find(r, true)
	if err != nil {
		return err
	}
	next := safeNext(r.URL.Query().Get("next"))
	if who.signedIn {
		return redirect(w, r, s.after(next, who.user.Actor))
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
	return s.show(w, r, http.StatusOK, views.Login(v))
}

// logIn takes e-mail and password. Whatever is wrong with them, the page comes
// back with one sentence and the e-mail.
func (s *Server) logIn(w http.ResponseWriter, r *http.Request) error {
	email := strings.TrimSpace(posted(r).Get("email"))
	user, err := s.Accounts.LogIn(r.Context(), email, posted(r).Get("password"), s.fromDevice(r))
	if err != nil {
		return s.refuseLogIn(w, r, err)
	}
	return s.goIn(w, r, user, entry{proof: access.ByPassword, next: safeNext(posted(r).Get("next"))})
}

// enter signs a person in, and leads them to where they wanted to go, or to what they had
// typed when their last session ended.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, user access.User, e entry) error {
	next, err := s.admitted(w, r, user, e)
	if err != nil {
		return err
	}
	if next == "" {
		next = s.after(e.next, user.Actor)
	}
	return redirect(w, r, next)
}

// admitted begins the session. The answer is where something waits that the person had
// typed; empty for nowhere.
func (s *Server) admitted(w http.ResponseWriter, r *http.Request, user access.User, e entry) (next string, err error) {
	if err := s.writeLogIn(r, user.Actor, e.proof); err != nil {
		return "", err
	}
	session, err := s.sessions.begin(w, r, user, e)
	if err != nil {
		return "", err
	}
	if err := s.Accounts.Arrived(r.Context(), user, e.proof, from(r)); err != nil {
		return "", err
	}
	s.keepDevice(w, r, user.UserID)
	t := trailOf(r)
	t.user = user.UserID
	t.note("login", "accepted")
	token := s.begunToken(r, begunHeld)
	if token == "" {
		return "", nil
	}
	s.keepBegun(w, begunHeld, "")
	waits, err := s.Accounts.TakeOver(r.Context(), token, user.UserID, session)
	if err != nil || !waits {
		return "", err
	}
	return to.Full.Confirm(), nil
}

// refuseLogIn shows the page again. Other errors than a refusal go on as they are.
func (s *Server) refuseLogIn(w http.ResponseWriter, r *http.Request, err error) error {
	_, soon := errors.AsType[*account.TooSoon](err)
	if !soon && fault.KindOf(err) != fault.Invalid {
		return err
	}
	t := trailOf(r)
	status, message := judged(err)
	t.note("login", "refused")
	setRetryAfter(w, err)
	v := s.door(r, safeNext(posted(r).Get("next")))
	v.Email, v.Error = strings.TrimSpace(posted(r).Get("email")), message
	return s.show(w, r, status, views.Login(v))
}

// logOut ends the session here and asks the browser to drop what it stored.
func (s *Server) logOut(w http.ResponseWriter, r *http.Request) error {
	if err := s.sessions.end(w, r); err != nil {
		return err
	}
	w.Header().Del("Session-Expires")
	w.Header().Set("Clear-Site-Data", `"storage"`)
	return redirect(w, r, to.Login(""))
}

// home leads to where a person's work is.
func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	return redirect(w, r, s.homeOf(actorOf(r)))
}

// homeOf is the first place that a person may see; the pipeline for all but
// administrators, who see no leads.
func (s *Server) homeOf(who access.Actor) string {
	leads := to.Full.Leads(to.LeadsQuery{})
	places := s.offered(who, "", []ui.NavLink{
		{Href: leads}, {Href: to.Full.Admin("users")}, {Href: to.Full.Admin("audit")}, {Href: to.Full.Originators()}, {Href: to.Full.Account()},
	})
	if len(places) == 0 {
		return leads
	}
	return places[0].Href
}

func (s *Server) after(next string, who access.Actor) string {
	if next != "" {
		return next
	}
	return s.homeOf(who)
}

// door is the log-in page without what a person typed.
func (s *Server) door(r *http.Request, next string) views.LoginView {
	v := views.LoginView{Page: s.doorPage(r, "Sign in"), Next: next, Passkeys: s.Accounts.Passkeys()}
	if s.Accounts.Mails() || s.Outbox != nil {
		v.Reset, v.Activate = to.Reset(), to.Activate()
	}
	if name := s.Accounts.SignOn(); name != "" {
		v.SSO = to.SSONext(name, next)
	}
	v.Page.Passkeys = v.Passkeys
	for _, p := range s.People {
		v.People = append(v.People, views.DemoPerson{
			Name: p.Name, Initials: initials(p.Name), Line: p.Line, Email: p.Email, Password: p.Password,
		})
	}
	return v
}

// safeNext lets only a path of our own through, and none that would lead in a
// circle. Everything else is empty: nobody is sent to another site from here.
func safeNext(next string) string {
	if !strings.HasPrefix(next, "/") || strings.ContainsAny(next, "\\\t\r\n") {
		return ""
	}
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || strings.HasPrefix(u.Path, "//") {
		return ""
	}
	switch u.Path {
	case "/", "/logout", "/events", "/account/confirm":
		return ""
	}
	if u.Path == "/login" || strings.HasPrefix(u.Path, "/login/") {
		return ""
	}
	return (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}).String()
}
