package web

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
	idleLimit     = access.IdleLimit
	absoluteLimit = 12 * time.Hour
	// touchEvery bounds how often activity is written down. What stands in the row
	// is what counts, so a session may end this much early and never late.
	touchEvery = time.Minute
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
	// ProveSession gives a session another token when its person has proved once more
	// who they are; false when it has ended.
	ProveSession(ctx context.Context, idHash string, proved access.Session) (bool, error)
	// TurnSession gives a session another token because its person's role is another; what
	// they had confirmed no longer counts. False when it has ended.
	TurnSession(ctx context.Context, idHash string, turned access.Session) (bool, error)
	// EndSession deletes a session; one that does not exist is no error.
	EndSession(ctx context.Context, idHash string) error
}

// sessionStore is a gorilla session store whose cookie holds 32 random bytes and
// whose rows are found by their hash. A session in it belongs to a person: there
// are none before log-in, and no identifier outlives one.
type sessionStore struct {
	rows     SessionRows
	now      func() time.Time
	secure   bool
	suffices func(access.Proof) bool
}

var _ sessions.Store = (*sessionStore)(nil)

// foundKey and userKey hold typed values of a gorilla session; values under plain
// strings are the session's data.
type (
	foundKey struct{}
	userKey  struct{}
	proofKey struct{}
)

// found is a look at who is signed in.
type found struct {
	signedIn bool
	ended    bool // its time has run out; user says whose it was
	user     access.User
	session  access.Session
	ends     time.Time // when it ends if nothing more is done
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
	f, err := st.look(r.Context(), account.HashToken(cookie.Value))
	if f.ended {
		s.Values[foundKey{}] = f
	}
	if err != nil || !f.signedIn {
		return s, err
	}
	s.ID, s.IsNew = f.session.IDHash, false
	s.Values[foundKey{}] = f
	return s, load(s, f.session.Data)
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
		return st.add(w, r, s)
	default:
		data, err := dump(s)
		if err != nil {
			return err
		}
		return st.rows.SaveSessionData(ctx, s.ID, data)
	}
}

// add gives a new session its token and its row.
func (st *sessionStore) add(w http.ResponseWriter, r *http.Request, s *sessions.Session) error {
	user, ok := s.Values[userKey{}].(access.User)
	if !ok {
		return fmt.Errorf("web: a session without a person is not kept")
	}
	e, ok := s.Values[proofKey{}].(entry)
	if !ok {
		return fmt.Errorf("web: a session that nothing proves is not kept")
	}
	data, err := dump(s)
	if err != nil {
		return err
	}
	value, hash := account.NewToken()
	now := st.now()
	row := access.Session{
		IDHash: hash, UserID: user.UserID, Created: now, LastSeen: now, Expires: now.Add(absoluteLimit),
		Network: network(middleware.GetClientIPAddr(r.Context())), Browser: deviceName(r), Data: data,
		Level: e.proof.Level(), Proved: cmp.Or(e.at, now), Proof: e.proof, Role: user.Role, Turn: user.Turn,
	}
	if err := st.rows.AddSession(r.Context(), row); err != nil {
		return fmt.Errorf("web: keep session: %w", err)
	}
	s.ID, s.IsNew = row.IDHash, false
	http.SetCookie(w, sessions.NewCookie(s.Name(), value, s.Options))
	return nil
}

// look finds a live session by its hash. One whose time is over lets nobody in; its row
// stays until it would have run out in any case, so that what its person typed too late is
// known to be theirs.
func (st *sessionStore) look(ctx context.Context, idHash string) (found, error) {
	row, user, err := st.rows.Session(ctx, idHash)
	if err != nil {
		if fault.KindOf(err) == fault.NotFound {
			return found{}, nil
		}
		return found{}, fmt.Errorf("web: find session: %w", err)
	}
	f := found{signedIn: true, user: user, session: row, ends: ends(row)}
	if row.Client != "" {
		return found{}, nil // it lives inside a CRM's frame, and stays there
	}
	if user.Disabled || !st.suffices(row.Proof) {
		return found{}, st.rows.EndSession(ctx, idHash)
	}
	if !st.now().Before(f.ends) {
		return found{ended: true, user: user, session: row}, nil
	}
	return f, nil
}

// ends is when a session ends if nothing more is done in it.
func ends(row access.Session) time.Time {
	if idle := row.LastSeen.Add(idleLimit); idle.Before(row.Expires) {
		return idle
	}
	return row.Expires
}

// find says who is signed in, and renews the session when the request is the
// person's doing.
func (st *sessionStore) find(r *http.Request, renew bool) (found, error) {
	s, err := st.Get(r, st.cookieName())
	if err != nil {
		return found{}, err
	}
	f, _ := s.Values[foundKey{}].(found)
	if now := st.now(); f.signedIn && renew && now.Sub(f.session.LastSeen) >= touchEvery {
		if err := st.rows.TouchSession(r.Context(), f.session.IDHash, now); err != nil {
			return found{}, fmt.Errorf("web: renew session: %w", err)
		}
		f.session.LastSeen = now
		f.ends = ends(f.session)
	}
	return f, nil
}

// begin signs a person in under a fresh token and ends the session that the
// browser came with, if any. The answer is what the store knows of the new token.
func (st *sessionStore) begin(w http.ResponseWriter, r *http.Request, user access.User, e entry) (idHash string, err error) {
	if old, err := st.Get(r, st.cookieName()); err != nil {
		return "", err
	} else if f, known := old.Values[foundKey{}].(found); known {
		if err := st.rows.EndSession(r.Context(), f.session.IDHash); err != nil {
			return "", fmt.Errorf("web: end the old session: %w", err)
		}
	}
	s := sessions.NewSession(st, st.cookieName())
	s.Options, s.IsNew = st.options(), true
	s.Values[userKey{}], s.Values[proofKey{}] = user, e
	err = s.Save(r, w)
	return s.ID, err
}

// end signs the person out.
func (st *sessionStore) end(w http.ResponseWriter, r *http.Request) error {
	s, err := st.Get(r, st.cookieName())
	if err != nil {
		return err
	}
	s.Options.MaxAge = -1
	return s.Save(r, w)
}

// load and dump keep a session's own values as JSON: texts under texts, and never
// a borrower's data, because they are not sealed.
func load(s *sessions.Session, data []byte) error {
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

func dump(s *sessions.Session) ([]byte, error) {
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
