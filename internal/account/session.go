package account

import (
	"cmp"
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// Need is what a user still has to do after their password.
type Need int

// The needs.
const (
	NeedNothing      Need = iota
	NeedSecondFactor      // show the second factor that they have
	NeedEnrollment        // have none, and need one: add it now
	NeedProvider          // their only second factor is at the sign-on provider: sign in there
	NeedOwnFactor         // single sign-on is not linked to them, and they have no second factor here to link it with
)

// Authentication is how a user proved who they are.
type Authentication struct {
	Proof access.Proof
	At    time.Time // zero for now
	Link  *SSOLink  // a single sign-on that matches the user only by email; nil otherwise
}

// SignInResult says how a sign-in continues.
type SignInResult struct {
	User  access.User
	Need  Need
	Token string // that the browser keeps: of the new session, or of the second step
}

// ContinueSignIn starts the session of a user who has authenticated, or the second step where one is needed. It
// returns fault.Invalid for a user who can sign in with the sign-on provider alone, and fault.Conflict when the account
// has changed since it was read.
func (s *Service) ContinueSignIn(ctx context.Context, user access.User, how Authentication,
	from ClientInfo) (SignInResult, error) {
	var result SignInResult
	err := s.store.Write(ctx, func(tx *store.Tx) (err error) {
		result, err = s.continueSignIn(ctx, tx, user, how, from)
		return err
	})
	return result, result.outcome(err)
}

// outcome returns the error to report after the transaction of a sign-in returned err.
func (r SignInResult) outcome(err error) error {
	switch {
	case err == nil && r.Need == NeedProvider:
		// Adding a factor with the password would go around the one at the provider, because access to the mailbox is enough
		// to reset the password.
		return fault.New(fault.Invalid, "Your second factor is your organization’s single sign-on. Sign in with it. "+
			"If you can’t, ask your administrator to reset your account.")
	case err == nil && r.Need == NeedOwnFactor:
		return fault.New(fault.Invalid, "Single sign-on isn’t linked to your account. Managers and administrators link it "+
			"with their own second factor, and you don’t have one here. Ask an administrator to request the link.")
	default:
		return err
	}
}

func (s *Service) continueSignIn(ctx context.Context, tx *store.Tx, user access.User, how Authentication,
	from ClientInfo) (SignInResult, error) {
	result := SignInResult{User: user}
	state, err := tx.SignInState(ctx, from.location(user.UserID))
	if err != nil {
		return result, err
	}
	switch {
	case how.Link != nil && state.SecondFactors == 0:
		result.Need = NeedOwnFactor
	case how.Link != nil:
		result.Need = NeedSecondFactor
	case how.Proof.Level() < 2:
		result.Need = s.needAfter(state)
	}
	switch result.Need {
	case NeedNothing:
		result.Token, err = s.startSession(ctx, tx, user, how, from)
		if err == nil {
			err = s.saveLocation(ctx, tx, user, how.Proof, from, state)
		}
	case NeedProvider, NeedOwnFactor:
		err = tx.Audit(ctx, store.AuditEntry{ActorID: "nobody", Action: store.ActionSignIn, Object: "user:" + user.UserID,
			Outcome: "refused", Detail: string(how.Proof)})
	default:
		result.Token, err = s.beginSecondFactor(ctx, tx, user, result.Need,
			pendingSignInState{From: from, NewLocation: !state.KnownLocation, Link: how.Link})
	}
	return result, err
}

// startSession audits the sign-in, ends the browser's previous session and stores the new one.
func (s *Service) startSession(ctx context.Context, tx *store.Tx, user access.User, how Authentication,
	from ClientInfo) (token string, err error) {
	err = tx.Audit(ctx, store.AuditEntry{
		ActorID: user.UserID, Company: access.CompanyOf(user.BrokerID, user.Organization), Action: store.ActionSignIn,
		Object: "user:" + user.UserID, Outcome: "accepted", Detail: "proof:" + string(how.Proof),
	})
	if err != nil {
		return "", err
	}
	if from.Session != "" {
		if err := tx.EndSession(ctx, from.Session); err != nil {
			return "", err
		}
	}
	token, hash := NewToken()
	now := s.Now()
	return token, tx.AddSession(ctx, access.Session{
		IDHash: hash, UserID: user.UserID, Created: now, LastSeen: now, Expires: now.Add(access.AbsoluteLimit),
		Network: from.Network, Browser: from.Browser, Level: how.Proof.Level(), ElevatedAt: cmp.Or(how.At, now),
		Proof: how.Proof, Role: user.Role, SessionEpoch: user.SessionEpoch,
	})
}

// saveLocation records the location of a sign-in, and alerts the user when the location is new. At the first sign-in
// every location is new, so that is no reason for an alert.
func (s *Service) saveLocation(ctx context.Context, tx *store.Tx, user access.User, proof access.Proof, from ClientInfo,
	state store.SignInState) error {
	if !state.KnownLocation && !state.FirstSignIn {
		if err := s.sendAlert(ctx, tx, user, AlertNewLocation, from); err != nil {
			return err
		}
	}
	if proof == access.ByRecovery {
		if err := s.sendAlert(ctx, tx, user, AlertRecovery, from); err != nil {
			return err
		}
	}
	if err := tx.SaveLoginLocation(ctx, from.location(user.UserID), s.Now()); err != nil || state.KnownLocation {
		return err
	}
	return tx.TrimLoginLocations(ctx, user.UserID)
}
