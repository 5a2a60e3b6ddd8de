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
	// ProvedFor is how long a person who proved who they are need not do so again.
	ProvedFor = 12 * time.Hour
)

// Entering is a press of "Continue as …".
type Entering struct {
	Code    string
	Session access.Session // token's hash, network and browser; the rest is filled here
	Before  string         // the hash of the token that the browser came with; "" none
}

// Entered is a launch that somebody goes on with.
type Entered struct {
	Launched
	Session access.Session
	Tab     string        // code for a tab of its own
	Good    time.Duration // how long from now that code can be used
}

// Enter exchanges the code of the press for a session inside the frame, and makes a second
// code for a tab of its own. fault.Denied while the log-in is connected to nobody.
func (s *Service) Enter(ctx context.Context, key string, e Entering) (Entered, error) {
	in, err := s.enter(ctx, key, forPress, e)
	if err != nil {
		return in, err
	}
	in.Good = tabTime
	in.Tab, err = s.code(ctx, store.LaunchCode{LaunchID: in.ID, Purpose: forTab, Session: in.Session.IDHash}, tabTime)
	return in, err
}

// EnterTab exchanges the second code for a session in a tab of its own. It takes the place of
// the frame's, which nobody can use: the code stands where the browser kept none.
func (s *Service) EnterTab(ctx context.Context, key string, e Entering) (Entered, error) {
	return s.enter(ctx, key, forTab, e)
}

// Waiting gives the launch of a press whose log-in is not connected yet, code unused.
func (s *Service) Waiting(ctx context.Context, key, code string) (Pressable, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return Pressable{}, err
	}
	row, err := s.store.LaunchOfCode(ctx, store.LaunchCode{Hash: hashed(code), Purpose: forPress}, s.Now())
	if fault.KindOf(err) == fault.NotFound || err == nil && row.Client != c.Key {
		return Pressable{}, ErrOver
	}
	if err != nil {
		return Pressable{}, err
	}
	l, err := s.read(ctx, c, row)
	return Pressable{l, code, max(0, l.Created.Add(pressTime).Sub(s.Now()))}, err
}

// ErrNotConnected is the answer to a press before the log-in is connected to an account.
var ErrNotConnected = fault.New(fault.Denied, "This log-in of the CRM is not connected to an account yet.")

func (s *Service) enter(ctx context.Context, key, purpose string, e Entering) (Entered, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return Entered{}, err
	}
	try := store.LaunchCode{Hash: hashed(e.Code), Purpose: purpose}
	row, err := s.store.LaunchOfCode(ctx, try, s.Now())
	if fault.KindOf(err) == fault.NotFound || err == nil && row.Client != c.Key {
		return Entered{}, ErrOver
	}
	if err != nil {
		return Entered{}, err
	}
	l, err := s.read(ctx, c, row)
	if err != nil {
		return Entered{}, err
	}
	if !l.Known() {
		return Entered{Launched: l}, ErrNotConnected
	}
	in := Entered{Launched: l, Session: s.sessionOf(ctx, l, e)}
	in.Session.Place = access.InFrame
	if purpose == forTab {
		in.Session.Place = access.InTab
	}
	return in, s.write(ctx, func(tx *store.Tx) error {
		first, err := tx.SpendLaunchCode(ctx, try, s.Now())
		if err == nil && !first {
			err = ErrOver
		}
		if err != nil {
			return err
		}
		ours, err := tx.TakeLaunch(ctx, l.ID, l.Person.UserID)
		if err == nil && !ours {
			err = ErrOver
		}
		if err != nil {
			return err
		}
		if e.Before != "" {
			if _, err := tx.EndSessionOf(ctx, l.Person.UserID, e.Before); err != nil {
				return err
			}
		}
		if purpose == forTab {
			if err := tx.EndSessionBeside(ctx, try); err != nil {
				return err
			}
		}
		if err := tx.AddSession(ctx, in.Session); err != nil {
			return err
		}
		if err := s.used(ctx, tx, l); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, l.Person.UserID, store.ActLogIn, string(in.Session.Proof))
	})
}

// sessionOf is the session that a press begins. It proves what the CRM's word proves;
// what the same person proved in this browser before goes along while it is good.
func (s *Service) sessionOf(ctx context.Context, l Launched, e Entering) access.Session {
	now := s.Now()
	in := e.Session
	in.Role, in.Turn = l.Person.Role, l.Person.Turn
	in.UserID, in.Client, in.Created, in.LastSeen, in.Expires = l.Person.UserID, l.Client.Key, now, now, now.Add(ProvedFor)
	in.Proof, in.Proved = access.ByLaunch, now
	if l.Client.Attested() {
		in.Proof = access.ByAttestedLaunch
	} else if at := store.Instant(l.row.ConfirmedAt); l.row.ConfirmedAt != 0 && now.Before(at.Add(confirmTime)) {
		in.Proof, in.Proved = access.ByConfirmed, at // connecting it was a proof already
	} else if was, _, err := s.store.Session(ctx, e.Before); e.Before != "" && err == nil && was.UserID == in.UserID && was.Client == in.Client &&
		was.Proof == access.ByConfirmed && now.Before(was.Proved.Add(ProvedFor)) {
		in.Proof, in.Proved = was.Proof, was.Proved
	}
	in.Level = in.Proof.Level()
	return in
}

// Visit is one request inside a frame.
type Visit struct {
	Launched
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
	v := Visit{Launched: l}
	session, user, err := s.store.Session(ctx, tokenHash)
	if fault.KindOf(err) == fault.NotFound {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	ends := Ends(session)
	if session.Client != key || l.row.UserID != session.UserID || !l.Client.admits(user) || l.Person.UserID != user.UserID || !s.Now().Before(ends) {
		return v, nil
	}
	user.Unconfirmed = !(session.Level == 2 && s.Now().Before(session.Proved.Add(ProvedFor)))
	v.Session, v.User, v.Ends = session, user, ends
	return v, nil
}

// Ends is when a session inside a frame ends if nothing more is done in it. Its row is kept
// longer: what its person proved goes along into the next one.
func Ends(session access.Session) time.Time {
	idle, last := session.LastSeen.Add(Idle), session.Created.Add(Absolute)
	if idle.Before(last) {
		return idle
	}
	return last
}

// Signed says whether anybody is in the frame.
func (v Visit) Signed() bool { return v.User.UserID != "" }

// Touch notes activity.
func (s *Service) Touch(ctx context.Context, v Visit) error {
	return s.store.TouchSession(ctx, v.Session.IDHash, s.Now())
}

// Leave ends the session of a visit, and every code with which it could be had again: none
// opens a tab after the person has gone.
func (s *Service) Leave(ctx context.Context, v Visit) error {
	return s.write(ctx, func(tx *store.Tx) error {
		if _, err := tx.EndSessionOf(ctx, v.User.UserID, v.Session.IDHash); err != nil {
			return err
		}
		return tx.DropLaunchCodes(ctx, v.User.UserID, v.Session.Client)
	})
}
