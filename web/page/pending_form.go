package page

import (
	"net/http"
	"strings"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views/to"
)

// FlowPendingForm identifies the form that a user had filled in when their session ended.
const FlowPendingForm Flow = "held"

// RenewSession has nothing left to do: the guard has already renewed the session, unless the
// request declined it, and set the header with the session's end.
func (s *Server) RenewSession(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// savePendingAfterExpiry stores a form that arrived after the session had expired, whether the user
// submitted it or the page saved it. Only the same user can get it back. Forms that cannot be
// parsed, and forms of the account itself, are not stored.
func (s *Server) savePendingAfterExpiry(w http.ResponseWriter, r *http.Request, who SessionState) error {
	if r.URL.Path == to.Full.PendingForm() {
		if pending, err := pendingFormFromPage(r); err == nil {
			return s.storePendingForm(w, r, who, pending)
		}
	}
	if strings.HasPrefix(r.URL.Path, "/account") || r.URL.Path == "/logout" || FormOf(r).Err != nil {
		return nil
	}
	return s.storePendingForm(w, r, who, pendingFormOf(r))
}

func (s *Server) storePendingForm(w http.ResponseWriter, r *http.Request, who SessionState, pending account.PendingForm) error {
	token, err := s.Accounts.SavePendingAfterExpiry(r.Context(), who.User.UserID, pending)
	if err != nil {
		return err
	}
	s.SetFlowCookie(w, FlowPendingForm, token)
	return nil
}

// SavePendingForm stores the form of a page whose session is about to end, at the request of the
// page's script. The script omits SSNs, and an SSN that arrives anyway is dropped.
func (s *Server) SavePendingForm(w http.ResponseWriter, r *http.Request) error {
	pending, err := pendingFormFromPage(r)
	if err != nil {
		return err
	}
	if err := s.storePendingForm(w, r, VisitOf(r).SessionState, pending); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// pendingFormFromPage reads what a page's script asks to store: a form's controls, and its path.
func pendingFormFromPage(r *http.Request) (account.PendingForm, error) {
	if err := FormOf(r).Err; err != nil {
		return account.PendingForm{}, err
	}
	address := SafeNext(Posted(r).Get("held.address"))
	if address == "" || strings.HasPrefix(address, "/account") {
		return account.PendingForm{}, fault.New(fault.Invalid, "This form can’t be saved.")
	}
	pending := pendingFormOf(r)
	pending.Path = address
	pending.Typed.Del("held.address")
	return pending, nil
}
