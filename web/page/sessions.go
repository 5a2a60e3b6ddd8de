package page

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/gorilla/sessions"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
)

// The limits of a session: as long as a person may be away, and as long as one
// log-in lasts whatever they do.
const (
	IdleLimit     = access.IdleLimit
	AbsoluteLimit = 12 * time.Hour
	// touchInterval bounds how often activity is written down. What stands in the row
	// is what counts, so a session may end this much early and never late.
	touchInterval = time.Minute
)

// SessionRows is the part of the store that keeps sessions.
type SessionRows interface {
	// Session finds a session and its person in one query, so that a closed account
	// or another role counts with the next request. fault.NotFound for neither.
	Session(ctx context.Context, idHash string) (access.Session, access.User, error)
	// AddSession keeps a new session, and drops the person's oldest beyond five.
	AddSession(ctx context.Context, session access.Session) error
	// TouchSession notes activity.
	TouchSession(ctx context.Context, idHash string, seen time.Time) error
	// SaveSessionData replaces the session's own values.
	SaveSessionData(ctx context.Context, idHash string, data []byte) error
	// ElevateSession gives a session another token when its person has proved once more
	// who they are; false when it has ended.
	ElevateSession(ctx context.Context, idHash string, proved access.Session) (bool, error)
	// RotateSession gives a session another token because its person's role is another; what
	// they had confirmed no longer counts. False when it has ended.
	RotateSession(ctx context.Context, idHash string, turned access.Session) (bool, error)
	// EndSession deletes a session; one that does not exist is no error.
	EndSession(ctx context.Context, idHash string) error
}

// sessionStore is a gorilla session store whose cookie holds 32 random bytes and
// whose rows are found by their hash. A session in it belongs to a person: there
// are none before log-in, and no identifier outlives one.
type sessionStore struct {
	rows         SessionRows
	Now          func() time.Time
	secure       bool
	AcceptsProof func(access.Proof) bool
}

var _ sessions.Store = (*sessionStore)(nil)

// stateKey and userKey hold typed values of a gorilla session; values under plain
// strings are the session's data.
type (
	stateKey struct{}
	userKey  struct{}
	authKey  struct{}
)

// SessionState is a look at who is signed in.
type SessionState struct {
	SignedIn  bool
	expired   bool // its time has run out; user says whose it was
	User      access.User
	Session   access.Session
	expiresAt time.Time // when it ends if nothing more is done
}

// cookieName carries the __Host- prefix on https: no other host and no plain page
// can then set it. Plain http, which only loopback serves, cannot have it.
func (st *sessionStore) cookieName() string {
	if st.secure {
		return "__Host-sid"
	}
	return "sid"
}

func (st *sessionStore) options() *sessions.Options {
	return &sessions.Options{Path: "/", HttpOnly: true, Secure: st.secure, SameSite: http.SameSiteLaxMode}
}

// Get implements sessions.Store.
func (st *sessionStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(st, name)
}

// New implements sessions.Store. A cookie without a live session gives a new one,
// which is nothing until a person is put into it.
func (st *sessionStore) New(r *http.Request, name string) (*sessions.Session, error) {
	s := sessions.NewSession(st, name)
	s.Options, s.IsNew = st.options(), true
	cookie, err := r.Cookie(name)
	if err != nil {
		return s, nil
	}
	f, err := st.lookUp(r.Context(), account.HashToken(cookie.Value))
	if f.expired {
		s.Values[stateKey{}] = f
	}
	if err != nil || !f.SignedIn {
		return s, err
	}
	s.ID, s.IsNew = f.Session.IDHash, false
	s.Values[stateKey{}] = f
	return s, loadValues(s, f.Session.Data)
}

// Save implements sessions.Store. A negative MaxAge ends the session; zero is a
// cookie that goes with the browser, which is what ours always are.
func (st *sessionStore) Save(r *http.Request, w http.ResponseWriter, s *sessions.Session) error {
	ctx := r.Context()
	switch {
	case s.Options.MaxAge < 0:
		http.SetCookie(w, sessions.NewCookie(s.Name(), "", s.Options))
		if s.ID == "" {
			return nil
		}
		return st.rows.EndSession(ctx, s.ID)
	case s.IsNew:
		return st.insert(w, r, s)
	default:
		data, err := dumpValues(s)
		if err != nil {
			return err
		}
		return st.rows.SaveSessionData(ctx, s.ID, data)
	}
}

// insert gives a new session its token and its row.
func (st *sessionStore) insert(w http.ResponseWriter, r *http.Request, s *sessions.Session) error {
	user, ok := s.Values[userKey{}].(access.User)
	if !ok {
		return fmt.Errorf("web: a session without a person is not kept")
	}
	e, ok := s.Values[authKey{}].(AuthResult)
	if !ok {
		return fmt.Errorf("web: a session that nothing proves is not kept")
	}
	data, err := dumpValues(s)
	if err != nil {
		return err
	}
	value, hash := account.NewToken()
	now := st.Now()
	row := access.Session{
		IDHash: hash, UserID: user.UserID, Created: now, LastSeen: now, Expires: now.Add(AbsoluteLimit),
		Network: NetworkPrefix(middleware.GetClientIPAddr(r.Context())), Browser: DeviceName(r), Data: data,
		Level: e.Proof.Level(), ElevatedAt: cmp.Or(e.At, now), Proof: e.Proof, Role: user.Role, SessionEpoch: user.SessionEpoch,
	}
	if err := st.rows.AddSession(r.Context(), row); err != nil {
		return fmt.Errorf("web: keep session: %w", err)
	}
	s.ID, s.IsNew = row.IDHash, false
	http.SetCookie(w, sessions.NewCookie(s.Name(), value, s.Options))
	return nil
}

// lookUp finds a live session by its hash. One whose time is over lets nobody in; its row
// stays until it would have run out in any case, so that what its person typed too late is
// known to be theirs.
func (st *sessionStore) lookUp(ctx context.Context, idHash string) (SessionState, error) {
	row, user, err := st.rows.Session(ctx, idHash)
	if err != nil {
		if fault.KindOf(err) == fault.NotFound {
			return SessionState{}, nil
		}
		return SessionState{}, fmt.Errorf("web: find session: %w", err)
	}
	f := SessionState{SignedIn: true, User: user, Session: row, expiresAt: SessionExpiry(row)}
	if row.Client != "" {
		return SessionState{}, nil // it lives inside a CRM's frame, and stays there
	}
	if user.Disabled || !st.AcceptsProof(row.Proof) {
		return SessionState{}, st.rows.EndSession(ctx, idHash)
	}
	if !st.Now().Before(f.expiresAt) {
		return SessionState{expired: true, User: user, Session: row}, nil
	}
	return f, nil
}

// SessionExpiry is when a session ends if nothing more is done in it.
func SessionExpiry(row access.Session) time.Time {
	if idle := row.LastSeen.Add(IdleLimit); idle.Before(row.Expires) {
		return idle
	}
	return row.Expires
}

// find says who is signed in, and renews the session when the request is the
// person's doing.
func (st *sessionStore) Current(r *http.Request, renew bool) (SessionState, error) {
	s, err := st.Get(r, st.cookieName())
	if err != nil {
		return SessionState{}, err
	}
	f, _ := s.Values[stateKey{}].(SessionState)
	if now := st.Now(); f.SignedIn && renew && now.Sub(f.Session.LastSeen) >= touchInterval {
		if err := st.rows.TouchSession(r.Context(), f.Session.IDHash, now); err != nil {
			return SessionState{}, fmt.Errorf("web: renew session: %w", err)
		}
		f.Session.LastSeen = now
		f.expiresAt = SessionExpiry(f.Session)
	}
	return f, nil
}

// begin signs a person in under a fresh token and ends the session that the
// browser came with, if any. The answer is what the store knows of the new token.
func (st *sessionStore) Start(w http.ResponseWriter, r *http.Request, user access.User, e AuthResult) (idHash string, err error) {
	if old, err := st.Get(r, st.cookieName()); err != nil {
		return "", err
	} else if f, known := old.Values[stateKey{}].(SessionState); known {
		if err := st.rows.EndSession(r.Context(), f.Session.IDHash); err != nil {
			return "", fmt.Errorf("web: end the old session: %w", err)
		}
	}
	s := sessions.NewSession(st, st.cookieName())
	s.Options, s.IsNew = st.options(), true
	s.Values[userKey{}], s.Values[authKey{}] = user, e
	err = s.Save(r, w)
	return s.ID, err
}

// end signs the person out.
func (st *sessionStore) End(w http.ResponseWriter, r *http.Request) error {
	s, err := st.Get(r, st.cookieName())
	if err != nil {
		return err
	}
	s.Options.MaxAge = -1
	return s.Save(r, w)
}

// loadValues and dump keep a session's own values as JSON: texts under texts, and never
// a borrower's data, because they are not sealed.
func loadValues(s *sessions.Session, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	var values map[string]string
	if err := json.Unmarshal(data, &values); err != nil {
		return fmt.Errorf("web: session data: %w", err)
	}
	for k, v := range values {
		s.Values[k] = v
	}
	return nil
}

func dumpValues(s *sessions.Session) ([]byte, error) {
	values := map[string]string{}
	for k, v := range s.Values {
		name, isName := k.(string)
		text, isText := v.(string)
		switch {
		case isName && isText:
			values[name] = text
		case isName:
			return nil, fmt.Errorf("web: session value %q is not a text", name)
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	return json.Marshal(values)
}

// AuthResult is how somebody comes in, and where they want to go.
type AuthResult struct {
	Proof access.Proof
	At    time.Time // when they proved it; the zero time is now
	Next  string
}
