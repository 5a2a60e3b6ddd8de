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

// begunSignOn is a sign-on at the provider.
const begunSignOn page.Begun = "sso"

// signOn sends the browser to the provider. Another site's link only leads to the log-in
// page: nobody is signed in without having pressed anything here.
func (s *Handlers) SignOn(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return page.Redirect(w, r, to.Login(""))
	}
	token, address, err := s.Accounts.BeginSSO(r.Context(), chi.URLParam(r, "provider"), page.SafeNext(r.URL.Query().Get("next")), page.From(r))
	if err != nil {
		return err
	}
	s.KeepBegun(w, begunSignOn, token)
	return page.Redirect(w, r, address)
}

// signedOn takes who comes back. What the provider saw may be one factor: then ours is
// asked for as after a password.
func (s *Handlers) SignedOn(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	on, err := s.Accounts.FinishSSO(r.Context(), chi.URLParam(r, "provider"), s.BegunToken(r, begunSignOn), account.Callback{
		State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Error: q.Get("error"), From: page.From(r),
	})
	s.KeepBegun(w, begunSignOn, "")
	if err != nil && on.Session != "" {
		return s.notConfirmed(w, r, err)
	}
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Conflict) {
		return s.refuseEntry(w, r, err)
	}
	if err != nil {
		return err
	}
	if on.Session != "" {
		return s.signedOnAnew(w, r, on)
	}
	return s.goIn(w, r, on.User, page.Entry{Proof: on.Proof, At: on.At, Next: page.SafeNext(on.Next)})
}

// confirmAway sends somebody to the provider to prove anew who they are.
func (s *Handlers) ConfirmAway(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return page.Redirect(w, r, to.Full.Confirm())
	}
	token, address, err := s.Accounts.ConfirmSSO(r.Context(), page.VisitOf(r).Session, page.From(r))
	if err != nil {
		return err
	}
	s.KeepBegun(w, begunSignOn, token)
	return page.Redirect(w, r, address)
}

// notConfirmed asks once more, and says what was wrong with what the provider said.
func (s *Handlers) notConfirmed(w http.ResponseWriter, r *http.Request, err error) error {
	who, lost := s.Sessions.Find(r, false)
	if lost != nil || !who.SignedIn || fault.KindOf(err) != fault.Invalid {
		return errors.Join(err, lost)
	}
	page.TrailOf(r).Visit, page.TrailOf(r).User = &page.Visit{Found: who, Desk: s.Desks.For(who.User.Actor)}, who.User.UserID
	held, lost := s.Accounts.HeldFor(r.Context(), who.Session.IDHash)
	if lost != nil {
		return lost
	}
	return s.ShowConfirm(w, r, http.StatusUnprocessableEntity, held, err)
}

// signedOnAnew takes who comes back from there into the session that they left, and shows
// what waits behind it. Another session, or none, has proved nothing by it.
func (s *Handlers) signedOnAnew(w http.ResponseWriter, r *http.Request, on account.SignedOn) error {
	who, err := s.Sessions.Find(r, true)
	if err != nil {
		return err
	}
	if !who.SignedIn || who.Session.IDHash != on.Session || who.User.UserID != on.User.UserID {
		return page.Redirect(w, r, to.Full.Confirm())
	}
	held, err := s.Accounts.HeldFor(r.Context(), on.Session)
	if err != nil {
		return err
	}
	v := &page.Visit{Found: who}
	if err := s.Sessions.Prove(w, r, v, page.Entry{Proof: on.Proof, At: on.At}); err != nil {
		return err
	}
	if err := s.Accounts.Carry(r.Context(), on.Session, v.Session.IDHash); err != nil {
		return err
	}
	if err := s.Accounts.Hold(r.Context(), who.User.UserID, v.Session.IDHash, held); err != nil {
		return err
	}
	return page.Redirect(w, r, to.Full.Confirm())
}

// refuseEntry shows the log-in page to whom it says how else to come in.
func (s *Handlers) refuseEntry(w http.ResponseWriter, r *http.Request, err error) error {
	page.TrailOf(r).Err = err
	page.TrailOf(r).Note("login", "refused")
	v := s.door(r, "")
	v.Error = fault.Public(err)
	return s.Show(w, r, http.StatusUnprocessableEntity, views.Login(v))
}

// goIn asks for what is still needed, and signs the person in when nothing is.
func (s *Handlers) goIn(w http.ResponseWriter, r *http.Request, user access.User, e page.Entry) error {
	if e.Proof.Level() < 2 {
		need, err := s.Accounts.Needs(r.Context(), user.UserID)
		if fault.KindOf(err) == fault.Invalid && err != nil {
			return s.refuseEntry(w, r, err)
		}
		if err != nil {
			return err
		}
		if need != account.NeedNothing {
			return s.askSecond(w, r, user, need, e.Next)
		}
	}
	return s.enter(w, r, user, e)
}
