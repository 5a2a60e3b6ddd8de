package page

import (
	"net/http"
	"strings"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views/to"
)

// begunHeld is what somebody typed when their session ended.
const BegunHeld Begun = "held"

// stay answers what the guard has done by then: it renewed the session, unless that was
// declined, and said how long it lasts.
func (s *Server) Stay(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// holdOver keeps a form that came too late, for its person alone, be it sent or only held
// by its page. What cannot be read, or belongs to the account itself, is typed again.
func (s *Server) holdOver(w http.ResponseWriter, r *http.Request, who Found) error {
	if r.URL.Path == to.Full.Held() {
		if held, err := heldByPage(r); err == nil {
			return s.keepHeld(w, r, who, held)
		}
	}
	if strings.HasPrefix(r.URL.Path, "/account") || r.URL.Path == "/logout" || FormOf(r).Err != nil {
		return nil
	}
	return s.keepHeld(w, r, who, heldOf(r))
}

func (s *Server) keepHeld(w http.ResponseWriter, r *http.Request, who Found, held account.Held) error {
	token, err := s.Accounts.HoldOver(r.Context(), who.User.UserID, held)
	if err != nil {
		return err
	}
	s.KeepBegun(w, BegunHeld, token)
	return nil
}

// hold keeps what stands in a form of a page whose session is about to end. The page's
// script asks for it; an SSN is never among it, and dropped if it is.
func (s *Server) Hold(w http.ResponseWriter, r *http.Request) error {
	held, err := heldByPage(r)
	if err != nil {
		return err
	}
	if err := s.keepHeld(w, r, VisitOf(r).Found, held); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// heldByPage reads what a page asks to have kept: a form's controls, and its address.
func heldByPage(r *http.Request) (account.Held, error) {
	if err := FormOf(r).Err; err != nil {
		return account.Held{}, err
	}
	address := SafeNext(Posted(r).Get("held.address"))
	if address == "" || strings.HasPrefix(address, "/account") {
		return account.Held{}, fault.New(fault.Invalid, "This form cannot be kept.")
	}
	held := heldOf(r)
	held.Address = address
	held.Typed.Del("held.address")
	return held, nil
}
