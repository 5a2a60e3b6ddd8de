package embed

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
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
	row, err := s.led(ctx, c, step(code, forPress))
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
	by := step(e.Code, purpose)
	row, err := s.led(ctx, c, by)
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
	return in, s.write(ctx, func(tx *store.Tx) error { return s.begin(ctx, tx, in, by, e.Before) })
}

// begin uses the code up, gives the launch to its person and begins the session, in the
// place of the one that the browser came with and, in a tab, of the frame's.
func (s *Service) begin(ctx context.Context, tx *store.Tx, in Entered, by store.LaunchCode, before string) error {
	if err := s.spend(ctx, tx, by); err != nil {
		return err
	}
	person := in.Person.UserID
	ours, err := tx.TakeLaunch(ctx, in.ID, person)
	if err == nil && !ours {
		err = ErrOver
	}
	if err != nil {
		return err
	}
	if before != "" {
		if _, err := tx.EndSessionOf(ctx, person, before); err != nil {
			return err
		}
	}
	if by.Purpose == forTab {
		if err := tx.EndSessionBeside(ctx, by); err != nil {
			return err
		}
	}
	if err := tx.AddSession(ctx, in.Session); err != nil {
		return err
	}
	if err := s.used(ctx, tx, in.Launched); err != nil {
		return err
	}
	return tx.AuditOwn(ctx, person, store.ActLogIn, string(in.Session.Proof))
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
