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
const BegunLogIn page.Begun = "login"

// askSecond begins the second step of a log-in.
func (s *Handlers) askSecond(w http.ResponseWriter, r *http.Request, user access.User, need account.Need, next string) error {
	token, err := s.Accounts.AwaitSecond(r.Context(), user, need, page.From(r))
	if err != nil {
		return err
	}
	s.KeepBegun(w, BegunLogIn, token)
	page.TrailOf(r).Note("login", "first step")
	return page.Redirect(w, r, to.SecondFactorNext(next))
}

// secondFactorPage asks for the code, or shows who has none how to add an app.
func (s *Handlers) SecondFactorPage(w http.ResponseWriter, r *http.Request) error {
	waiting, err := s.Accounts.Awaited(r.Context(), s.BegunToken(r, BegunLogIn))
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return page.Redirect(w, r, to.Login(page.SafeNext(r.URL.Query().Get("next"))))
	}
	if err != nil {
		return err
	}
	return s.showSecond(w, r, http.StatusOK, waiting, views.Form{})
}

// giveSecondFactor takes the code and signs the person in.
func (s *Handlers) GiveSecondFactor(w http.ResponseWriter, r *http.Request) error {
	token := s.BegunToken(r, BegunLogIn)
	p, err := s.Accounts.Second(r.Context(), token, page.ProofIn(page.Posted(r)), s.FromDevice(r))
	if err != nil {
		return s.refuseSecond(w, r, token, err)
	}
	s.KeepBegun(w, BegunLogIn, "")
	if p.Recovery == nil {
		return s.enter(w, r, p.User, page.Entry{Proof: p.Proof, Next: page.SafeNext(page.Posted(r).Get("next"))})
	}
	next, err := s.admitted(w, r, p.User, page.Entry{Proof: p.Proof})
	if err != nil {
		return err
	}
	if next == "" {
		next = s.After(page.SafeNext(page.Posted(r).Get("next")), p.User.Actor)
	}
	return s.Show(w, r, http.StatusOK, views.RecoveryDoor(views.RecoveryView{Page: s.DoorPage(r, "Recovery codes"), Codes: p.Recovery, Next: next}))
}

func (s *Handlers) refuseSecond(w http.ResponseWriter, r *http.Request, token string, err error) error {
	_, soon := errors.AsType[*account.TooSoon](err)
	switch {
	case fault.KindOf(err) == fault.Conflict:
		return page.Redirect(w, r, to.Login(page.SafeNext(page.Posted(r).Get("next"))))
	case !soon && fault.KindOf(err) != fault.Invalid:
		return err
	}
	page.TrailOf(r).Note("login", "refused")
	waiting, lost := s.Accounts.Awaited(r.Context(), token)
	if lost != nil {
		return lost
	}
	status, message := page.Judged(err)
	page.SetRetryAfter(w, err)
	form := views.Form{Wrong: page.ProofComplaints(err)}
	if len(form.Wrong) == 0 {
		form.Refused = message
	}
	return s.showSecond(w, r, status, waiting, form)
}

func (s *Handlers) showSecond(w http.ResponseWriter, r *http.Request, status int, waiting account.Waiting, form views.Form) error {
	next := r.URL.Query().Get("next")
	if r.Method == http.MethodPost {
		next = page.Posted(r).Get("next")
	}
	v := views.SecondFactorView{
		Page: s.DoorPage(r, "Second step"), Next: page.SafeNext(next), Name: waiting.User.Name, Form: form, TOTP: waiting.TOTP,
	}
	if waiting.Passkeys {
		v.Passkey, v.Page.Passkeys = to.SecondFactorOptions(), true
	}
	if waiting.Setup != nil {
		setup, err := page.ShowSetup(*waiting.Setup)
		if err != nil {
			return err
		}
		v.Page.Title, v.Setup = "Add a second factor", &setup
	}
	return s.Show(w, r, status, views.SecondFactor(v))
}
