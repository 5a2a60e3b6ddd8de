package guard

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/web/page"
)

// The limits of a session.
const (
	IdleLimit     = access.IdleLimit
	AbsoluteLimit = access.AbsoluteLimit
	// touchInterval limits how often activity is written to the database. The stored time counts,
	// so a session may end up to this much early, but never late.
	touchInterval = time.Minute
)

// SessionRows is the part of the store that stores sessions.
type SessionRows interface {
	// Session finds a session and its user in one query, so that a disabled account or a changed
	// role takes effect with the next request. It returns fault.NotFound if either is missing.
	Session(ctx context.Context, idHash string) (access.Session, access.User, error)
	// AccessRevision is another number after each change of a session, an account, the directory or a cover.
	AccessRevision(ctx context.Context) (int64, error)
	// TouchSession records activity.
	TouchSession(ctx context.Context, idHash string, seen time.Time) error
	// ElevateSession replaces a session's token after its user has stepped up; it returns false if
	// the session has ended.
	ElevateSession(ctx context.Context, idHash string, elevated access.Session) (bool, error)
	// RotateSession replaces a session's token because its user's role has changed. An earlier
	// step-up no longer counts. It returns false if the session has ended.
	RotateSession(ctx context.Context, idHash string, rotated access.Session) (bool, error)
	// EndedSession finds the user of a session that was ended a short while ago: by a sign-out elsewhere, a new
	// password or an administrator. It returns fault.NotFound if there is none.
	EndedSession(ctx context.Context, idHash string, now time.Time) (access.User, error)
	// EndSession deletes a session. It is not an error if the session does not exist.
	EndSession(ctx context.Context, idHash string) error
}

// Sessions are the portal's own sessions. The cookie holds 32 random bytes, and the row is found by their hash. A session
// always belongs to a user: there are none before sign-in, and every sign-in gets a new identifier.
type Sessions struct {
	cookies      Cookies
	rows         SessionRows
	Now          func() time.Time
	acceptsProof func(access.Proof) bool
}

// Start gives the browser the token of a session until the browser is closed.
func (s *Sessions) Start(w http.ResponseWriter, token string) {
	s.cookies.set(w, http.Cookie{Name: s.cookieName(), Value: token, SameSite: http.SameSiteLaxMode})
}

func (s *Sessions) cookieName() string { return s.cookies.name("sid") }

// lookUp finds a valid session by its hash. An expired session signs nobody in. Its row remains
// until its absolute limit, so that a form that arrives late can be assigned to its user.
func (s *Sessions) lookUp(ctx context.Context, idHash string) (page.SessionState, error) {
	row, user, err := s.rows.Session(ctx, idHash)
	switch {
	case fault.Is(err, fault.NotFound):
		return s.lookUpEnded(ctx, idHash)
	case err != nil:
		return page.SessionState{}, fmt.Errorf("web: find session: %w", err)
	case row.Client != "": // it belongs to an embed and is valid only there
		return page.SessionState{}, nil
	case user.Disabled:
		return page.SessionState{}, s.rows.EndSession(ctx, idHash)
	}
	state := page.SessionState{SignedIn: true, User: user, Session: row, ExpiresAt: page.SessionExpiry(row)}
	expired := page.SessionState{Expired: true, User: user, Session: row}
	switch {
	case !s.acceptsProof(row.Proof):
		return expired, s.rows.EndSession(ctx, idHash)
	case !s.Now().Before(state.ExpiresAt):
		return expired, nil
	}
	return state, nil
}

// lookUpEnded returns whose session was ended, so that a form that arrives late can be saved for them. It signs
// nobody in.
func (s *Sessions) lookUpEnded(ctx context.Context, idHash string) (page.SessionState, error) {
	user, err := s.rows.EndedSession(ctx, idHash, s.Now())
	switch {
	case fault.Is(err, fault.NotFound) || err == nil && user.Disabled:
		return page.SessionState{}, nil
	case err != nil:
		return page.SessionState{}, fmt.Errorf("web: find ended session: %w", err)
	}
	return page.SessionState{Expired: true, User: user}, nil
}

// Current returns who is signed in, and renews the session if renew is set and it is time to.
func (s *Sessions) Current(r *http.Request, renew bool) (page.SessionState, error) {
	token := cookieValue(r, s.cookieName())
	if token == "" {
		return page.SessionState{}, nil
	}
	state, err := s.lookUp(r.Context(), account.HashToken(token))
	if err != nil {
		return page.SessionState{}, err
	}
	if now := s.Now(); state.SignedIn && renew && now.Sub(state.Session.LastSeen) >= touchInterval {
		if err := s.rows.TouchSession(r.Context(), state.Session.IDHash, now); err != nil {
			return page.SessionState{}, fmt.Errorf("web: renew session: %w", err)
		}
		state.Session.LastSeen = now
		state.ExpiresAt = page.SessionExpiry(state.Session)
	}
	return state, nil
}

// End signs the user of a visit out.
func (s *Sessions) End(w http.ResponseWriter, r *http.Request, v *page.Visit) error {
	expired := time.Unix(1, 0) // for browsers that do not know Max-Age
	s.cookies.set(w, http.Cookie{Name: s.cookieName(), Expires: expired, SameSite: http.SameSiteLaxMode})
	return s.rows.EndSession(r.Context(), v.Session.IDHash)
}
