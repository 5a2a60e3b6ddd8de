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
	// ElevationLifetime is how long a person who proved who they are need not do so again.
	ElevationLifetime = 12 * time.Hour
)

// Visit is one request inside a frame.
type Visit struct {
	VerifiedLaunch
	Session access.Session
	User    access.User
	Ends    time.Time // when the session ends if nothing more is done
}

// Visit finds who is in the frame of a launch: the launch and the session must be of the
// same client and the same person. The actor knows how far they are to be trusted. Nobody
// is the zero Visit.
func (s *Service) Visit(ctx context.Context, key, launchID, tokenHash string) (Visit, error) {
	l, err := s.Find(ctx, key, launchID)
	if err != nil {
		return Visit{}, err
	}
	v := Visit{VerifiedLaunch: l}
	session, user, err := s.store.Session(ctx, tokenHash)
	if fault.KindOf(err) == fault.NotFound {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	ends := SessionEnds(session)
	if session.Client != key || l.row.UserID != session.UserID || !l.Client.admits(user) || l.Person.UserID != user.UserID || !s.Now().Before(ends) {
		return v, nil
	}
	user.VouchedByCRM = !(session.Level == 2 && s.Now().Before(session.ElevatedAt.Add(ElevationLifetime)))
	v.Session, v.User, v.Ends = session, user, ends
	return v, nil
}

// SessionEnds is when a session inside a frame ends if nothing more is done in it. Its row is kept
// longer: what its person proved goes along into the next one.
func SessionEnds(session access.Session) time.Time {
	idle, last := session.LastSeen.Add(Idle), session.Created.Add(Absolute)
	if idle.Before(last) {
		return idle
	}
	return last
}

// SignedIn says whether anybody is in the frame.
func (v Visit) SignedIn() bool { return v.User.UserID != "" }

// Touch notes activity.
func (s *Service) Touch(ctx context.Context, v Visit) error {
	return s.store.TouchSession(ctx, v.Session.IDHash, s.Now())
}

// EndVisit ends the session of a visit, and every code with which it could be had again: none
// opens a tab after the person has gone.
func (s *Service) EndVisit(ctx context.Context, v Visit) error {
	return s.write(ctx, func(tx *store.Tx) error {
		if _, err := tx.EndSessionOf(ctx, v.User.UserID, v.Session.IDHash); err != nil {
			return err
		}
		return tx.DropLaunchCodes(ctx, v.User.UserID, v.Session.Client)
	})
}
