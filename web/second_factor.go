package web

import (
	"errors"
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/paper"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// begun is the cookie of what a browser has begun and not finished, by its kind. It is
// not a session: nobody is signed in by it.
type begun string

// The kinds.
const begunLogIn begun = "login"

func (s *Server) begunName(kind begun) string {
	if s.secure() {
		return "__Host-pre-" + string(kind)
	}
	return "pre-" + string(kind)
}

// keepBegun gives the browser a token for a while; an empty one takes it back.
func (s *Server) keepBegun(w http.ResponseWriter, kind begun, token string) {
	age := 600
	switch {
	case token == "":
		age = -1
	case kind == begunSetUp:
		age = 1800 // an app may have to be found first
	case kind == begunHeld:
		age = 0 // as long as the browser
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.begunName(kind), Value: token, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode,
	})
}

func (s *Server) begunToken(r *http.Request, kind begun) string {
	c, err := r.Cookie(s.begunName(kind))
	if err != nil {
		return ""
	}
	return c.Value
}

// askSecond begins the second step of a log-in.
func (s *Server) askSecond(w http.ResponseWriter, r *http.Request, user access.User, need account.Need, next string) error {
	token, err := s.Accounts.AwaitSecond(r.Context(), user, need, from(r))
	if err != nil {
		return err
	}
	s.keepBegun(w, begunLogIn, token)
	trailOf(r).note("login", "first step")
	return redirect(w, r, to.SecondFactorNext(next))
}

// secondFactorPage asks for the code, or shows who has none how to add an app.
func (s *Server) secondFactorPage(w http.ResponseWriter, r *http.Request) error {
	waiting, err := s.Accounts.Awaited(r.Context(), s.begunToken(r, begunLogIn))
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return redirect(w, r, to.Login(safeNext(r.URL.Query().Get("next"))))
	}
	if err != nil {
		return err
	}
	return s.showSecond(w, r, http.StatusOK, waiting, views.Form{})
}

// giveSecondFactor takes the code and signs the person in.
func (s *Server) giveSecondFactor(w http.ResponseWriter, r *http.Request) error {
	token := s.begunToken(r, begunLogIn)
	p, err := s.Accounts.Second(r.Context(), token, proofIn(posted(r)), s.fromDevice(r))
	if err != nil {
		return s.refuseSecond(w, r, token, err)
	}
	s.keepBegun(w, begunLogIn, "")
	if p.Recovery == nil {
		return s.enter(w, r, p.User, entry{proof: p.Proof, next: safeNext(posted(r).Get("next"))})
	}
	next, err := s.admitted(w, r, p.User, entry{proof: p.Proof})
	if err != nil {
		return err
	}
	if next == "" {
		next = s.after(safeNext(posted(r).Get("next")), p.User.Actor)
	}
	return s.show(w, r, http.StatusOK, views.RecoveryDoor(views.RecoveryView{Page: s.doorPage(r, "Recovery codes"), Codes: p.Recovery, Next: next}))
}

func (s *Server) refuseSecond(w http.ResponseWriter, r *http.Request, token string, err error) error {
	_, soon := errors.AsType[*account.TooSoon](err)
	switch {
	case fault.KindOf(err) == fault.Conflict:
		return redirect(w, r, to.Login(safeNext(posted(r).Get("next"))))
	case !soon && fault.KindOf(err) != fault.Invalid:
		return err
	}
	trailOf(r).note("login", "refused")
	waiting, lost := s.Accounts.Awaited(r.Context(), token)
	if lost != nil {
		return lost
	}
	status, message := judged(err)
	setRetryAfter(w, err)
	form := views.Form{Wrong: proofComplaints(err)}
	if len(form.Wrong) == 0 {
		form.Refused = message
	}
	return s.showSecond(w, r, status, waiting, form)
}

func (s *Server) showSecond(w http.ResponseWriter, r *http.Request, status int, waiting account.Waiting, form views.Form) error {
	next := r.URL.Query().Get("next")
	if r.Method == http.MethodPost {
		next = posted(r).Get("next")
	}
	v := views.SecondFactorView{
		Page: s.doorPage(r, "Second step"), Next: safeNext(next), Name: waiting.User.Name, Form: form, TOTP: waiting.TOTP,
	}
	if waiting.Passkeys {
		v.Passkey, v.Page.Passkeys = to.SecondFactorOptions(), true
	}
	if waiting.Setup != nil {
		setup, err := showSetup(*waiting.Setup)
		if err != nil {
			return err
		}
		v.Page.Title, v.Setup = "Add a second factor", &setup
	}
	return s.show(w, r, status, views.SecondFactor(v))
}

// showSetup is an authenticator app to be added, as a code to scan and a key to type.
func showSetup(setup account.TOTPSetup) (views.TOTPSetup, error) {
	code, err := paper.QR(setup.URI)
	if err != nil {
		return views.TOTPSetup{}, err
	}
	return views.TOTPSetup{Size: code.Size, Path: code.Path, Secret: inFours(setup.Secret)}, nil
}

// inFours sets a key in groups that can be read aloud and typed.
func inFours(key string) string {
	out := ""
	for i, letter := range key {
		if i > 0 && i%4 == 0 {
			out += " "
		}
		out += string(letter)
	}
	return out
}

// doorPage is the frame of a page before somebody is signed in.
func (s *Server) doorPage(r *http.Request, title string) ui.Page {
	return ui.Page{Title: title, Theme: look(r, "theme"), Density: look(r, "density")}
}
