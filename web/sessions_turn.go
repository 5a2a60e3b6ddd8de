package web

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
func (st *sessionStore) prove(w http.ResponseWriter, r *http.Request, v *visit, e entry) error {
	value, hash := account.NewToken()
	proved := v.session
	proved.IDHash, proved.Level, proved.Proved, proved.Proof = hash, e.proof.Level(), cmp.Or(e.at, st.now()), e.proof
	ours, err := st.rows.ProveSession(r.Context(), v.session.IDHash, proved)
	if err != nil {
		return fmt.Errorf("web: prove session: %w", err)
	}
	if !ours {
		return errSignedOut()
	}
	v.session = proved
	http.SetCookie(w, sessions.NewCookie(st.cookieName(), value, st.options()))
	return nil
}

// turn gives a session whose person's role has changed another token. What was confirmed
// in the old role is asked for anew in the new one.
func (st *sessionStore) turn(w http.ResponseWriter, r *http.Request, who *found) error {
	value, hash := account.NewToken()
	turned := who.session
	turned.IDHash, turned.Role, turned.Proved = hash, who.user.Role, time.Time{}
	ours, err := st.rows.TurnSession(r.Context(), who.session.IDHash, turned)
	if err != nil {
		return fmt.Errorf("web: turn session: %w", err)
	}
	if !ours {
		return errSignedOut()
	}
	who.session = turned
	if s, err := st.Get(r, st.cookieName()); err == nil {
		s.ID, s.Values[foundKey{}] = hash, *who // what else this request does, it does to this token
	}
	http.SetCookie(w, sessions.NewCookie(st.cookieName(), value, st.options()))
	return nil
}
