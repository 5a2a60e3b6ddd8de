package guard

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/sessions"

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
	// SignOut ends a user's session and audits that.
	SignOut(ctx context.Context, userID, idHash string) error
	// EndSession deletes a session. It is not an error if the session does not exist.
	EndSession(ctx context.Context, idHash string) error
}

// Sessions is a gorilla session store. The cookie holds 32 random bytes, and the row is found
// by their hash. A session always belongs to a user: there are none before sign-in, and every
// sign-in gets a new identifier.
type Sessions struct {
	rows         SessionRows
	Now          func() time.Time
	secure       bool
	acceptsProof func(access.Proof) bool
}

var _ sessions.Store = (*Sessions)(nil)

// stateKey holds the state of a gorilla session. Values under plain strings are the session's data.
type stateKey struct{}

// cookieName includes the __Host- prefix on https, so that no other host and no plain http page can
// set the cookie. Plain http, which is served on loopback only, cannot use the prefix.
func (s *Sessions) cookieName() string {
	if s.secure {
		return "__Host-sid"
	}
	return "sid"
}

func (s *Sessions) options() *sessions.Options {
	return &sessions.Options{Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode}
}

// Get implements sessions.Store.
func (s *Sessions) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New implements sessions.Store. Without a valid session in the cookie, it returns a new one, which
// cannot be saved until it has a user.
func (s *Sessions) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.Options, session.IsNew = s.options(), true
	cookie, err := r.Cookie(name)
	if err != nil {
		return session, nil
	}
	state, err := s.lookUp(r.Context(), account.HashToken(cookie.Value))
	if state.Expired {
		session.Values[stateKey{}] = state
	}
	if err != nil || !state.SignedIn {
		return session, err
	}
	session.ID, session.IsNew = state.Session.IDHash, false
	session.Values[stateKey{}] = state
	return session, nil
}

// Save implements sessions.Store. A negative MaxAge ends the session; zero makes a cookie that
// lasts until the browser is closed, as all of ours do.
func (s *Sessions) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	ctx := r.Context()
	switch {
	case session.Options.MaxAge < 0:
		http.SetCookie(w, sessions.NewCookie(session.Name(), "", session.Options))
		if session.ID == "" {
			return nil
		}
		state, _ := session.Values[stateKey{}].(page.SessionState)
		return s.rows.SignOut(ctx, state.User.UserID, session.ID)
	case session.IsNew:
		return fmt.Errorf("web: a session without a user cannot be saved")
	default:
		return fmt.Errorf("web: a session has no values to save")
	}
}

// lookUp finds a valid session by its hash. An expired session signs nobody in. Its row remains
// until its absolute limit, so that a form that arrives late can be assigned to its user.
func (s *Sessions) lookUp(ctx context.Context, idHash string) (page.SessionState, error) {
	row, user, err := s.rows.Session(ctx, idHash)
	if err != nil {
		if fault.Is(err, fault.NotFound) {
			return s.lookUpEnded(ctx, idHash)
		}
		return page.SessionState{}, fmt.Errorf("web: find session: %w", err)
	}
	state := page.SessionState{SignedIn: true, User: user, Session: row, ExpiresAt: page.SessionExpiry(row)}
	switch {
	case row.Client != "": // it belongs to an embed and is valid only there
		return page.SessionState{}, nil
	case user.Disabled:
		return page.SessionState{}, s.rows.EndSession(ctx, idHash)
	case !s.acceptsProof(row.Proof):
		return page.SessionState{Expired: true, User: user, Session: row}, s.rows.EndSession(ctx, idHash)
	case !s.Now().Before(state.ExpiresAt):
		return page.SessionState{Expired: true, User: user, Session: row}, nil
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
	session, err := s.Get(r, s.cookieName())
	if err != nil {
		return page.SessionState{}, err
	}
	state, _ := session.Values[stateKey{}].(page.SessionState)
	if now := s.Now(); state.SignedIn && renew && now.Sub(state.Session.LastSeen) >= touchInterval {
		err := s.rows.TouchSession(r.Context(), state.Session.IDHash, now)
		if fault.Is(err, fault.Unavailable) {
			return state, nil // the page can still be read; the session ends earlier if this goes on
		}
		if err != nil {
			return page.SessionState{}, fmt.Errorf("web: renew session: %w", err)
		}
		state.Session.LastSeen = now
		state.ExpiresAt = page.SessionExpiry(state.Session)
	}
	return state, nil
}

// Previous returns the hash of the browser's session, which a new one replaces, or an empty string.
func (s *Sessions) Previous(r *http.Request) (idHash string, err error) {
	old, err := s.Get(r, s.cookieName())
	if err != nil {
		return "", err
	}
	state, _ := old.Values[stateKey{}].(page.SessionState)
	return state.Session.IDHash, nil
}

// Start gives the browser the token of the session that package account has started.
func (s *Sessions) Start(w http.ResponseWriter, token string) {
	http.SetCookie(w, sessions.NewCookie(s.cookieName(), token, s.options()))
}

// End signs the user out.
func (s *Sessions) End(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Get(r, s.cookieName())
	if err != nil {
		return err
	}
	session.Options.MaxAge = -1
	return session.Save(r, w)
}
