package embed

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
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
