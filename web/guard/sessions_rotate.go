package guard

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/web/page"
)

// RotateElevated gives the session of a visit a new token after its user has stepped up.
func (s *Sessions) RotateElevated(w http.ResponseWriter, r *http.Request, v *page.Visit, how account.Authentication) error {
	elevated := v.Session
	elevated.Level, elevated.ElevatedAt, elevated.Proof = how.Proof.Level(), cmp.Or(how.At, s.Now()), how.Proof
	return s.rotate(w, r, &v.SessionState, elevated, s.rows.ElevateSession)
}

// rotateForRole gives a session a new token after its user's role has changed. A step-up in the old
// role does not count in the new one.
func (s *Sessions) rotateForRole(w http.ResponseWriter, r *http.Request, who *page.SessionState) error {
	rotated := who.Session
	rotated.Role, rotated.ElevatedAt = who.User.Role, time.Time{}
	return s.rotate(w, r, who, rotated, s.rows.RotateSession)
}

// rotate saves a changed session under a new token. The old token is invalid from then on.
func (s *Sessions) rotate(w http.ResponseWriter, r *http.Request, who *page.SessionState, changed access.Session,
	save func(ctx context.Context, old string, changed access.Session) (bool, error),
) error {
	token, hash := account.NewToken()
	changed.IDHash = hash
	ok, err := save(r.Context(), who.Session.IDHash, changed)
	if err != nil {
		return fmt.Errorf("web: rotate session: %w", err)
	}
	if !ok {
		return page.ErrSignedOut()
	}
	who.Session = changed
	s.Start(w, token)
	return nil
}
