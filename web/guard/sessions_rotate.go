package guard

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/sessions"

	"hearthline/internal/account"
	"hearthline/web/page"
)

// RotateElevated gives the session of a visit a new token after its user has stepped up. The old
// token is invalid from then on.
func (s *Sessions) RotateElevated(w http.ResponseWriter, r *http.Request, v *page.Visit,
	how account.Authentication) error {
	value, hash := account.NewToken()
	elevated := v.Session
	elevated.IDHash, elevated.Level, elevated.ElevatedAt, elevated.Proof = hash, how.Proof.Level(),
		cmp.Or(how.At, s.Now()), how.Proof
	ok, err := s.rows.ElevateSession(r.Context(), v.Session.IDHash, elevated)
	if err != nil {
		return fmt.Errorf("web: elevate session: %w", err)
	}
	if !ok {
		return page.ErrSignedOut()
	}
	v.Session = elevated
	http.SetCookie(w, sessions.NewCookie(s.cookieName(), value, s.options()))
	return nil
}

// rotateForRole gives a session a new token after its user's role has changed. A step-up in the old
// role does not count in the new one.
func (s *Sessions) rotateForRole(w http.ResponseWriter, r *http.Request, who *page.SessionState) error {
	value, hash := account.NewToken()
	rotated := who.Session
	rotated.IDHash, rotated.Role, rotated.ElevatedAt = hash, who.User.Role, time.Time{}
	ok, err := s.rows.RotateSession(r.Context(), who.Session.IDHash, rotated)
	if err != nil {
		return fmt.Errorf("web: rotate session: %w", err)
	}
	if !ok {
		return page.ErrSignedOut()
	}
	who.Session = rotated
	if session, err := s.Get(r, s.cookieName()); err == nil {
		session.ID, session.Values[stateKey{}] = hash, *who // the rest of this request must use the new token
	}
	http.SetCookie(w, sessions.NewCookie(s.cookieName(), value, s.options()))
	return nil
}
