package signin

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/web/page"
)

// begunPasskey is a challenge on the log-in page.
const begunPasskey page.Begun = "passkey"

// passkeyOptions ask the browser for any passkey of this portal.
func (s *Handlers) PasskeyOptions(w http.ResponseWriter, r *http.Request) error {
	token, options, err := s.Accounts.BeginPasskeyLogIn(r.Context(), page.From(r))
	if err != nil {
		return err
	}
	s.KeepBegun(w, begunPasskey, token)
	return page.SayJSON(w, options)
}

// passkeyLogIn signs in whose passkey has answered: it is two factors by itself.
func (s *Handlers) PasskeyLogIn(w http.ResponseWriter, r *http.Request) error {
	user, err := s.Accounts.PasskeyLogIn(r.Context(), s.BegunToken(r, begunPasskey), []byte(page.Posted(r).Get("credential")), page.From(r))
	if fault.KindOf(err) == fault.Conflict && err != nil {
		err = fault.Wrap(fault.Invalid, fault.Public(err), err)
	}
	if err != nil {
		return s.refuseLogIn(w, r, err)
	}
	s.KeepBegun(w, begunPasskey, "")
	return s.enter(w, r, user, page.Entry{Proof: access.ByPasskey, Next: page.SafeNext(page.Posted(r).Get("next"))})
}

// secondFactorOptions ask for a passkey of who has given their password.
func (s *Handlers) SecondFactorOptions(w http.ResponseWriter, r *http.Request) error {
	token := s.BegunToken(r, BegunLogIn)
	waiting, err := s.Accounts.Awaited(r.Context(), token)
	if err != nil {
		return err
	}
	options, err := s.Accounts.BeginPasskeyProof(r.Context(), account.HashToken(token), waiting.User)
	if err != nil {
		return err
	}
	return page.SayJSON(w, options)
}

// confirmOptions ask for a passkey of who is signed in.
func (s *Handlers) ConfirmOptions(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	options, err := s.Accounts.BeginPasskeyProof(r.Context(), v.Session.IDHash, v.User)
	if err != nil {
		return err
	}
	return page.SayJSON(w, options)
}
