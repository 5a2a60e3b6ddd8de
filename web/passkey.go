package web

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
)

// begunPasskey is a challenge on the log-in page.
const begunPasskey begun = "passkey"

// passkeyOptions ask the browser for any passkey of this portal.
func (s *Server) passkeyOptions(w http.ResponseWriter, r *http.Request) error {
	token, options, err := s.Accounts.BeginPasskeyLogIn(r.Context(), from(r))
	if err != nil {
		return err
	}
	s.keepBegun(w, begunPasskey, token)
	return sayJSON(w, options)
}

// passkeyLogIn signs in whose passkey has answered: it is two factors by itself.
func (s *Server) passkeyLogIn(w http.ResponseWriter, r *http.Request) error {
	user, err := s.Accounts.PasskeyLogIn(r.Context(), s.begunToken(r, begunPasskey), []byte(posted(r).Get("credential")), from(r))
	if fault.KindOf(err) == fault.Conflict && err != nil {
		err = fault.Wrap(fault.Invalid, fault.Public(err), err)
	}
	if err != nil {
		return s.refuseLogIn(w, r, err)
	}
	s.keepBegun(w, begunPasskey, "")
	return s.enter(w, r, user, entry{proof: access.ByPasskey, next: safeNext(posted(r).Get("next"))})
}

// secondFactorOptions ask for a passkey of who has given their password.
func (s *Server) secondFactorOptions(w http.ResponseWriter, r *http.Request) error {
	token := s.begunToken(r, begunLogIn)
	waiting, err := s.Accounts.Awaited(r.Context(), token)
	if err != nil {
		return err
	}
	options, err := s.Accounts.BeginPasskeyProof(r.Context(), account.HashToken(token), waiting.User)
	if err != nil {
		return err
	}
	return sayJSON(w, options)
}

// confirmOptions ask for a passkey of who is signed in.
func (s *Server) confirmOptions(w http.ResponseWriter, r *http.Request) error {
	v := visitOf(r)
	options, err := s.Accounts.BeginPasskeyProof(r.Context(), v.session.IDHash, v.user)
	if err != nil {
		return err
	}
	return sayJSON(w, options)
}

func sayJSON(w http.ResponseWriter, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // the person has gone; there is nobody to tell
	return nil
}
