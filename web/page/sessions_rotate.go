package page

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/sessions"

	"hearthline/internal/account"
)

// prove gives the session of a visit a fresh token, because its person has just proved
// who they are. The old token is dead from then on.
func (st *sessionStore) RotateElevated(w http.ResponseWriter, r *http.Request, v *Visit, e AuthResult) error {
	value, hash := account.NewToken()
	proved := v.Session
	proved.IDHash, proved.Level, proved.ElevatedAt, proved.Proof = hash, e.Proof.Level(), cmp.Or(e.At, st.Now()), e.Proof
	ours, err := st.rows.ElevateSession(r.Context(), v.Session.IDHash, proved)
	if err != nil {
		return fmt.Errorf("web: prove session: %w", err)
	}
	if !ours {
		return errSignedOut()
	}
	v.Session = proved
	http.SetCookie(w, sessions.NewCookie(st.cookieName(), value, st.options()))
	return nil
}

// rotateForRole gives a session whose person's role has changed another token. What was confirmed
// in the old role is asked for anew in the new one.
func (st *sessionStore) rotateForRole(w http.ResponseWriter, r *http.Request, who *SessionState) error {
	value, hash := account.NewToken()
	turned := who.Session
	turned.IDHash, turned.Role, turned.ElevatedAt = hash, who.User.Role, time.Time{}
	ours, err := st.rows.RotateSession(r.Context(), who.Session.IDHash, turned)
	if err != nil {
		return fmt.Errorf("web: turn session: %w", err)
	}
	if !ours {
		return errSignedOut()
	}
	who.Session = turned
	if s, err := st.Get(r, st.cookieName()); err == nil {
		s.ID, s.Values[stateKey{}] = hash, *who // what else this request does, it does to this token
	}
	http.SetCookie(w, sessions.NewCookie(st.cookieName(), value, st.options()))
	return nil
}
