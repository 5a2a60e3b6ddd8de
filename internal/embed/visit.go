package embed

import (
	"context"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// The limits of a session inside a frame.
const (
	Idle     = 30 * time.Minute
	Absolute = 8 * time.Hour
	// ElevationLifetime is how long a step-up is valid.
	ElevationLifetime = 12 * time.Hour
)

// Visit is one request inside a frame.
type Visit struct {
	VerifiedLaunch
	Session access.Session
	User    access.User
	Ends    time.Time // when the session ends without further activity
}

// Visit finds the user in the frame of a launch: the launch and the session must have the
// same client and the same user. User.VouchedByCRM reports whether the user needs a step-up.
// Without a valid session, the Visit has no User.
func (s *Service) Visit(ctx context.Context, key, launchID, tokenHash string) (Visit, error) {
	l, err := s.Find(ctx, key, launchID)
	if err != nil {
		return Visit{}, err
	}
	v := Visit{VerifiedLaunch: l}
	session, user, err := s.store.Session(ctx, tokenHash)
	if fault.Is(err, fault.NotFound) {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	ends := SessionEnds(session)
	if session.Client != key || l.row.UserID != session.UserID || !l.Client.admits(user) ||
		l.Person.UserID != user.UserID || !s.Now().Before(ends) {
		return v, nil
	}
	user.VouchedByCRM = !(session.Level == 2 && s.Now().Before(session.ElevatedAt.Add(ElevationLifetime)))
	v.Session, v.User, v.Ends = session, user, ends
	return v, nil
}

// SessionEnds is when a session inside a frame ends without further activity. Its row is stored
// for longer, because a step-up is carried into the next session.
func SessionEnds(session access.Session) time.Time {
	idle, last := session.LastSeen.Add(Idle), session.Created.Add(Absolute)
	if idle.Before(last) {
		return idle
	}
	return last
}

// SignedIn reports whether a user is signed in to the frame.
func (v Visit) SignedIn() bool { return v.User.UserID != "" }

// Touch records activity.
func (s *Service) Touch(ctx context.Context, v Visit) error {
	return s.store.TouchSession(ctx, v.Session.IDHash, s.Now())
}

// EndVisit ends the session of a visit and deletes its codes, so that none opens a tab after
// the user has signed out.
func (s *Service) EndVisit(ctx context.Context, v Visit) error {
	return s.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.EndSessionOf(ctx, v.User.UserID, v.Session.IDHash); err != nil {
			return err
		}
		if err := tx.AuditOwn(ctx, v.User.UserID, store.ActionSignOut, "client:"+v.Session.Client); err != nil {
			return err
		}
		return tx.DropLaunchCodes(ctx, v.User.UserID, v.Session.Client)
	})
}

// The cookie of a browser in a frame contains a token and a MAC that binds the token to its
// user. Only the token signs a user in. The MAC outlives the session, so that a form
// submitted after its end can be attributed to the user; it gives no access.

// BoundToken is a token as stored in the browser's cookie.
func (s *Service) BoundToken(key, userID, token string) string {
	return token + "." + s.vault.MAC(vault.MACFrameCookie, key, userID, token)
}

// ParseBoundToken returns the token in a browser's cookie.
func ParseBoundToken(cookie string) string {
	token, _, _ := strings.Cut(cookie, ".")
	return token
}

// ExpiredLaunch finds the launch for a request that arrives after the session's end.
// fault.NotFound if the user cannot be determined or may no longer come from the CRM: the
// CRM user was disconnected, or the account or the client is disabled.
func (s *Service) ExpiredLaunch(ctx context.Context, key, launchID, cookie string) (VerifiedLaunch, error) {
	notFound := fault.New(fault.NotFound, "Page not found.")
	token, mac, bound := strings.Cut(cookie, ".")
	if !bound {
		return VerifiedLaunch{}, notFound
	}
	c, err := s.Client(ctx, key)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	row, err := s.store.Launch(ctx, c.Key, launchID)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	if row.UserID == "" || !s.vault.VerifyMAC(mac, vault.MACFrameCookie, c.Key, row.UserID, token) {
		return VerifiedLaunch{}, notFound
	}
	l, err := s.decryptLaunch(ctx, c, row)
	if err == nil && l.Person.UserID != row.UserID {
		err = notFound
	}
	return l, err
}

// PendingFormNames are the names of what is stored for the record of a launch until its next launch, for every key,
// the current key's first.
func (s *Service) PendingFormNames(l VerifiedLaunch) []string {
	if indexes := s.RecordIndexes(l.Client, l.Record); len(indexes) > 0 {
		return indexes
	}
	return s.vault.Digests(vault.IndexNoRecord, l.Client.Key)
}
