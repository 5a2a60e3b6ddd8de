package page

import (
	"net/http"
	"strings"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views/to"
)

// FlowPendingForm is what somebody typed when their session ended.
const FlowPendingForm Flow = "held"

// RenewSession answers what the guard has done by then: it renewed the session, unless that was
// declined, and said how long it lasts.
func (s *Server) RenewSession(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// savePendingAfterExpiry keeps a form that came too late, for its person alone, be it sent or only held
// by its page. What cannot be read, or belongs to the account itself, is typed again.
func (s *Server) savePendingAfterExpiry(w http.ResponseWriter, r *http.Request, who SessionState) error {
	if r.URL.Path == to.Full.PendingForm() {
		if held, err := pendingFormFromPage(r); err == nil {
			return s.storePendingForm(w, r, who, held)
		}
	}
	if strings.HasPrefix(r.URL.Path, "/account") || r.URL.Path == "/logout" || FormOf(r).Err != nil {
		return nil
	}
	return s.storePendingForm(w, r, who, pendingFormOf(r))
}

func (s *Server) storePendingForm(w http.ResponseWriter, r *http.Request, who SessionState, held account.PendingForm) error {
	token, err := s.Accounts.SavePendingAfterExpiry(r.Context(), who.User.UserID, held)
	if err != nil {
		return err
	}
	s.SetFlowCookie(w, FlowPendingForm, token)
	return nil
}

// SavePendingForm keeps what stands in a form of a page whose session is about to end. The page's
// script asks for it; an SSN is never among it, and dropped if it is.
func (s *Server) SavePendingForm(w http.ResponseWriter, r *http.Request) error {
	held, err := pendingFormFromPage(r)
	if err != nil {
		return err
	}
	if err := s.storePendingForm(w, r, VisitOf(r).SessionState, held); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// pendingFormFromPage reads what a page asks to have kept: a form's controls, and its address.
func pendingFormFromPage(r *http.Request) (account.PendingForm, error) {
	if err := FormOf(r).Err; err != nil {
		return account.PendingForm{}, err
	}
	address := SafeNext(Posted(r).Get("held.address"))
	if address == "" || strings.HasPrefix(address, "/account") {
		return account.PendingForm{}, fault.New(fault.Invalid, "This form cannot be kept.")
	}
	held := pendingFormOf(r)
	held.Path = address
	held.Typed.Del("held.address")
	return held, nil
}
