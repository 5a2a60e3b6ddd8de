package web

import (
	"errors"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
)

// begunSignOn is a sign-on at the provider.
const begunSignOn begun = "sso"

// signOn sends the browser to the provider. Another site's link only leads to the log-in
// page: nobody is signed in without having pressed anything here.
func (s *Server) signOn(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return redirect(w, r, to.Login(""))
	}
	token, address, err := s.Accounts.BeginSSO(r.Context(), chi.URLParam(r, "provider"), safeNext(r.URL.Query().Get("next")), from(r))
	if err != nil {
		return err
	}
	s.keepBegun(w, begunSignOn, token)
	return redirect(w, r, address)
}

// signedOn takes who comes back. What the provider saw may be one factor: then ours is
// asked for as after a password.
func (s *Server) signedOn(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	on, err := s.Accounts.FinishSSO(r.Context(), chi.URLParam(r, "provider"), s.begunToken(r, begunSignOn), account.Callback{
		State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Error: q.Get("error"), From: from(r),
	})
	s.keepBegun(w, begunSignOn, "")
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
	return s.goIn(w, r, on.User, entry{proof: on.Proof, at: on.At, next: safeNext(on.Next)})
}

// confirmAway sends somebody to the provider to prove anew who they are.
func (s *Server) confirmAway(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return redirect(w, r, to.Full.Confirm())
	}
	token, address, err := s.Accounts.ConfirmSSO(r.Context(), visitOf(r).session, from(r))
	if err != nil {
		return err
	}
	s.keepBegun(w, begunSignOn, token)
	return redirect(w, r, address)
}

// notConfirmed asks once more, and says what was wrong with what the provider said.
func (s *Server) notConfirmed(w http.ResponseWriter, r *http.Request, err error) error {
	who, lost := s.sessions.find(r, false)
	if lost != nil || !who.signedIn || fault.KindOf(err) != fault.Invalid {
		return errors.Join(err, lost)
	}
	trailOf(r).visit, trailOf(r).user = &visit{found: who, desk: s.Desks.For(who.user.Actor)}, who.user.UserID
	held, lost := s.Accounts.HeldFor(r.Context(), who.session.IDHash)
	if lost != nil {
		return lost
	}
	return s.showConfirm(w, r, http.StatusUnprocessableEntity, held, err)
}

// signedOnAnew takes who comes back from there into the session that they left, and shows
// what waits behind it. Another session, or none, has proved nothing by it.
func (s *Server) signedOnAnew(w http.ResponseWriter, r *http.Request, on account.SignedOn) error {
	who, err := s.sessions.find(r, true)
	if err != nil {
		return err
	}
	if !who.signedIn || who.session.IDHash != on.Session || who.user.UserID != on.User.UserID {
		return redirect(w, r, to.Full.Confirm())
	}
	held, err := s.Accounts.HeldFor(r.Context(), on.Session)
	if err != nil {
		return err
	}
	v := &visit{found: who}
	if err := s.sessions.prove(w, r, v, entry{proof: on.Proof, at: on.At}); err != nil {
		return err
	}
	if err := s.Accounts.Carry(r.Context(), on.Session, v.session.IDHash); err != nil {
		return err
	}
	if err := s.Accounts.Hold(r.Context(), who.user.UserID, v.session.IDHash, held); err != nil {
		return err
	}
	return redirect(w, r, to.Full.Confirm())
}

// entry is how somebody comes in, and where they want to go.
type entry struct {
	proof access.Proof
	at    time.Time // when they proved it; the zero time is now
	next  string
}

// refuseEntry shows the log-in page to whom it says how else to come in.
func (s *Server) refuseEntry(w http.ResponseWriter, r *http.Request, err error) error {
	trailOf(r).err = err
	trailOf(r).note("login", "refused")
	v := s.door(r, "")
	v.Error = fault.Public(err)
	return s.show(w, r, http.StatusUnprocessableEntity, views.Login(v))
}

// goIn asks for what is still needed, and signs the person in when nothing is.
func (s *Server) goIn(w http.ResponseWriter, r *http.Request, user access.User, e entry) error {
	if e.proof.Level() < 2 {
		need, err := s.Accounts.Needs(r.Context(), user.UserID)
		if fault.KindOf(err) == fault.Invalid && err != nil {
			return s.refuseEntry(w, r, err)
		}
		if err != nil {
			return err
		}
		if need != account.NeedNothing {
			return s.askSecond(w, r, user, need, e.next)
		}
	}
	return s.enter(w, r, user, e)
}
