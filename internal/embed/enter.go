package embed

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// EnterRequest is a click on "Continue as …".
type EnterRequest struct {
	Code         string
	Session      access.Session // token hash, network and browser; Enter fills in the rest
	PreviousHash string         // the hash of the token that the browser sent; "" if none
}

// EnteredLaunch is a launch that the user continued.
type EnteredLaunch struct {
	VerifiedLaunch
	Session      access.Session
	TabCode      string        // a code for a separate tab
	CodeLifetime time.Duration // how long the code is still valid
}

// Enter exchanges the code of "Continue as …" for a session inside the frame, and creates a
// code for a separate tab. fault.Denied while the CRM user is not linked.
func (s *Service) Enter(ctx context.Context, key string, e EnterRequest) (EnteredLaunch, error) {
	in, err := s.exchangeCode(ctx, key, forContinue, e)
	if err != nil {
		return in, err
	}
	in.CodeLifetime = tabTime
	in.TabCode, err = s.newCode(ctx, store.LaunchCode{LaunchID: in.ID, Purpose: forTab, Session: in.Session.IDHash},
		tabTime)
	return in, err
}

// EnterTab exchanges the second code for a session in a separate tab. It replaces the frame's
// session, which is unusable because the browser stores no cookie in the frame.
func (s *Service) EnterTab(ctx context.Context, key string, e EnterRequest) (EnteredLaunch, error) {
	return s.exchangeCode(ctx, key, forTab, e)
}

// PendingLaunch returns the launch of a "Continue as …" code whose CRM user is not linked yet; it does not consume
// the code.
func (s *Service) PendingLaunch(ctx context.Context, key, code string) (PendingLaunch, error) {
	l, err := s.launchByCode(ctx, key, codeFor(code, forContinue))
	if err != nil {
		return PendingLaunch{}, err
	}
	return PendingLaunch{l, code, max(0, l.Created.Add(continueTime).Sub(s.Now()))}, nil
}

// ErrNotConnected is the error of Enter while the CRM user is not linked to an account.
var ErrNotConnected = fault.New(fault.Denied, "This CRM user is not connected to an account yet.")

func (s *Service) exchangeCode(ctx context.Context, key, purpose string, e EnterRequest) (EnteredLaunch, error) {
	by := codeFor(e.Code, purpose)
	l, err := s.launchByCode(ctx, key, by)
	if err != nil {
		return EnteredLaunch{}, err
	}
	if !l.Connected() {
		return EnteredLaunch{VerifiedLaunch: l}, ErrNotConnected
	}
	in := EnteredLaunch{VerifiedLaunch: l, Session: s.newSession(ctx, l, e)}
	in.Session.Location = access.InFrame
	if purpose == forTab {
		in.Session.Location = access.InTab
	}
	return in, s.store.Write(ctx, func(tx *store.Tx) error { return s.beginSession(ctx, tx, in, by, e.PreviousHash) })
}

// beginSession consumes the code, assigns the launch to its user and begins the session. The
// session replaces the one that the browser came with and, in a tab, that of the frame.
func (s *Service) beginSession(ctx context.Context, tx *store.Tx, in EnteredLaunch, by store.LaunchCode,
	before string) error {
	if err := s.consumeCode(ctx, tx, by); err != nil {
		return err
	}
	person := in.Person.UserID
	ours, err := tx.ClaimLaunch(ctx, in.ID, person)
	if err == nil && !ours {
		err = ErrCodeExpired
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
		if err := tx.EndFrameSession(ctx, by); err != nil {
			return err
		}
	}
	if err := tx.AddSession(ctx, in.Session); err != nil {
		return err
	}
	if err := s.noteUse(ctx, tx, in.VerifiedLaunch); err != nil {
		return err
	}
	return tx.AuditOwn(ctx, person, store.ActionSignIn, string(in.Session.Proof))
}

// newSession returns the session that "Continue as …" begins. Its proof is the CRM's sign-in,
// or an earlier step-up of the same user in this browser while it is valid.
func (s *Service) newSession(ctx context.Context, l VerifiedLaunch, e EnterRequest) access.Session {
	now := s.Now()
	in := e.Session
	in.Role, in.SessionEpoch = l.Person.Role, l.Person.SessionEpoch
	in.UserID, in.Client, in.Created, in.LastSeen, in.Expires = l.Person.UserID, l.Client.Key, now, now,
		now.Add(ElevationLifetime)
	in.Proof, in.ElevatedAt = access.ByLaunch, now
	if l.Client.Attested() {
		in.Proof = access.ByAttestedLaunch
	} else if at := store.Instant(l.row.ConfirmedAt); l.row.ConfirmedAt != 0 && now.Before(at.Add(confirmTime)) {
		in.Proof, in.ElevatedAt = access.ByConfirmed, at // linking was a step-up already
	} else if was, _, err := s.store.Session(ctx, e.PreviousHash); e.PreviousHash != "" && err == nil &&
		was.UserID == in.UserID && was.Client == in.Client &&
		was.Proof == access.ByConfirmed && now.Before(was.ElevatedAt.Add(ElevationLifetime)) {
		in.Proof, in.ElevatedAt = was.Proof, was.ElevatedAt
	}
	in.Level = in.Proof.Level()
	return in
}

// admits reports whether a user may come from the client: the account is enabled and belongs
// to the client's broker company.
func (c Client) admits(person access.User) bool {
	return !person.Disabled && person.BrokerID != "" && person.BrokerID == c.BrokerID
}
