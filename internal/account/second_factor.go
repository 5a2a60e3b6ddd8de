package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// Need is what a user still has to do after the password.
type Need int

// The needs.
const (
	NeedNothing      Need = iota
	NeedSecondFactor      // present the second factor that they have
	NeedEnrollment        // add a second factor now, because they have none and need one
)

// errFactorAtProvider is the error for a user who has a second factor only at the sign-on provider. Adding
// one after a password would bypass it, because access to the mailbox is enough to reset the password.
func errFactorAtProvider() error {
	return fault.New(fault.Invalid, "Your second factor is at your organization’s single sign-on: sign in by that. If you cannot, your administrator can let you begin anew.")
}

// auditFactorAtProvider audits a sign-in that ends for that reason, and returns the error.
func (s *Service) auditFactorAtProvider(ctx context.Context, userID string) error {
	err := s.write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, store.AuditEntry{ActorID: "nobody", Action: store.ActionSignIn, Object: "user:" + userID, Outcome: "refused", Detail: string(access.ByPassword)})
	})
	if err != nil {
		return err
	}
	return errFactorAtProvider()
}

// Needs returns what is still required before this user is signed in; fault.Invalid when they can sign in
// only through the sign-on provider.
func (s *Service) Needs(ctx context.Context, userID string) (Need, error) {
	all, err := s.store.Credentials(ctx, userID)
	switch {
	case err != nil:
		return NeedNothing, err
	case len(all) > 0:
		return NeedSecondFactor, nil
	case s.SecondFactorRequired:
		elsewhere, err := s.store.HasStrongIdentity(ctx, userID)
		if err == nil && elsewhere {
			err = s.auditFactorAtProvider(ctx, userID)
		}
		return NeedEnrollment, err
	default:
		return NeedNothing, nil
	}
}

// AcceptsProof reports whether a session with this proof may be used at all.
func (s *Service) AcceptsProof(proof access.Proof) bool {
	return proof.Level() == 2 || !s.SecondFactorRequired
}

// elevationLifetime is how long a step-up lets a user reveal, export and administer.
const elevationLifetime = time.Hour

// ElevatedUntil returns until when the user of a session counts as recently authenticated. Where second
// factors are optional, a password sign-in counts for the whole session of a user who has no second factor.
func (s *Service) ElevatedUntil(session access.Session) time.Time {
	switch {
	case session.Level == 2:
		return session.ElevatedAt.Add(elevationLifetime)
	case s.SecondFactorRequired || session.OwnsSecondFactor:
		return time.Time{}
	default:
		return session.Expires
	}
}

// pendingSignInState is a sign-in between its two steps.
type pendingSignInState struct {
	UserID       string
	SessionEpoch int        `json:"Turn"` // the user's epoch when the password was checked
	Setup        *TOTPSetup // for a user who must enroll
	From         ClientInfo
	NewLocation  bool `json:"New"` // the user was not seen at this location recently
}

// PendingSignIn is a sign-in whose password was accepted.
type PendingSignIn struct {
	User     access.User
	Setup    *TOTPSetup // to be added now; nil when a second factor is required
	TOTP     bool       // whether the user has an authenticator app
	Passkeys bool

	key pendingSignInState
}

// BeginSecondFactor starts the second step, and returns the token for the browser.
func (s *Service) BeginSecondFactor(ctx context.Context, user access.User, need Need, from ClientInfo) (token string, err error) {
	known, err := s.store.HasLoginLocation(ctx, from.location(user.UserID))
	if err != nil {
		return "", err
	}
	token, hash := NewToken()
	w := pendingSignInState{UserID: user.UserID, SessionEpoch: user.SessionEpoch, From: from, NewLocation: !known}
	if need == NeedEnrollment {
		setup := newTOTPSetup(user.Email)
		w.Setup = &setup
	}
	return token, beginCeremony(ctx, s, ceremonyKey{hash, secondFactorStep, user.UserID}, w)
}

// PendingSignIn returns the sign-in of a browser's token; fault.Conflict when it has ended.
func (s *Service) PendingSignIn(ctx context.Context, token string) (PendingSignIn, error) {
	w, err := readCeremony[pendingSignInState](ctx, s, HashToken(token), secondFactorStep)
	if err != nil {
		return PendingSignIn{}, err
	}
	user, err := s.store.User(ctx, w.UserID)
	if err != nil || user.Disabled || user.SessionEpoch != w.SessionEpoch {
		return PendingSignIn{}, errCeremonyExpired()
	}
	f, err := s.Factors(ctx, user.UserID)
	if err != nil {
		return PendingSignIn{}, err
	}
	if w.Setup != nil {
		if err := checkNoSecondFactor(ctx, s.store, user.UserID); err != nil {
			return PendingSignIn{}, err
		}
	}
	return PendingSignIn{User: user, Setup: w.Setup, TOTP: f.TOTP, Passkeys: f.HasPasskey(), key: w}, nil
}

// checkNoSecondFactor returns an error when the user already has a second factor, here or at the provider, so
// that nobody adds a first one beside it: they must sign in again and present it. It reads the database or a
// transaction.
func checkNoSecondFactor(ctx context.Context, from interface {
	Credentials(ctx context.Context, userID string) ([]store.Credential, error)
	HasStrongIdentity(ctx context.Context, userID string) (bool, error)
}, userID string) error {
	all, err := from.Credentials(ctx, userID)
	if err != nil {
		return err
	}
	if elsewhere, err := from.HasStrongIdentity(ctx, userID); err != nil {
		return err
	} else if elsewhere || len(all) > 0 {
		return errCeremonyExpired()
	}
	return nil
}

// FactorResponse is what a user enters to authenticate: a code from their app, a recovery code, or a
// passkey's response.
type FactorResponse struct {
	Code    string
	Passkey []byte // JSON of navigator.credentials.get
}

// SecondFactorResult is the user who has completed the second step.
type SecondFactorResult struct {
	User          access.User
	Proof         access.Proof
	RecoveryCodes []string // of a user who has just enrolled, to be displayed once
}

// FinishSecondFactor verifies the response in the second step. A user who enrolls in this step gets recovery
// codes.
func (s *Service) FinishSecondFactor(ctx context.Context, token string, response FactorResponse, from ClientInfo) (SecondFactorResult, error) {
	w, err := s.PendingSignIn(ctx, token)
	if err != nil {
		return SecondFactorResult{}, err
	}
	charged, err := s.countAttempt(ctx, s.bucket(trySecondFactor, from, attemptCost))
	if err != nil {
		return SecondFactorResult{}, err
	}
	counter := s.secondFactorCounter(w.User.UserID, from)
	p := SecondFactorResult{User: w.User, Proof: access.ByTOTP}
	over := func(tx *store.Tx) error { return endCeremony(ctx, tx, HashToken(token), secondFactorStep) }
	if w.Setup != nil {
		p.RecoveryCodes, err = s.confirmTOTP(ctx, w.User, w.Setup.Secret, response.Code, func(tx *store.Tx) error {
			if err := checkNoSecondFactor(ctx, tx, w.User.UserID); err != nil {
				return err
			}
			return over(tx)
		})
	} else if p.Proof, err = s.provedBy(ctx, HashToken(token), w.User, response, counter); err == nil {
		err = s.unlessChanged(ctx, w.User, over)
	}
	if fault.KindOf(err) == fault.Invalid && err != nil && w.Setup == nil {
		return SecondFactorResult{}, errors.Join(err, s.alertFailedFactor(ctx, w.key, w.User, counter))
	}
	if fault.KindOf(err) == fault.Unavailable && err != nil {
		return SecondFactorResult{}, s.unchecked(ctx, charged, err)
	}
	if err != nil {
		return SecondFactorResult{}, err
	}
	return p, s.refundRateLimit(ctx, trySecondFactor, from)
}

// provedBy verifies the response in the second step of a sign-in.
func (s *Service) provedBy(ctx context.Context, hash string, user access.User, response FactorResponse, counter attemptCounter) (access.Proof, error) {
	if len(response.Passkey) > 0 {
		return access.ByPasskey, s.verifyPasskey(ctx, hash, user, response.Passkey)
	}
	return s.checkCode(ctx, user, response.Code, counter)
}

// secondFactorBackoff limits wrong codes.
func secondFactorBackoff() backoff { return backoff{free: 4, max: 15 * time.Minute} }

// StepUp accepts a code from the user's app, a recovery code, or the response of a passkey that was requested
// under a hash, once.
func (s *Service) StepUp(ctx context.Context, hash string, user access.User, response FactorResponse) (access.Proof, error) {
	if len(response.Passkey) > 0 {
		return access.ByPasskey, s.verifyPasskey(ctx, hash, user, response.Passkey)
	}
	return s.verifyCode(ctx, user, response.Code)
}

// verifyCode verifies a code of a user who is signed in.
func (s *Service) verifyCode(ctx context.Context, user access.User, code string) (access.Proof, error) {
	return s.checkCode(ctx, user, code, s.newCounter(secondFactorBackoff(), "step-up", user.UserID))
}

// secondFactorCounter counts wrong codes of a sign-in. Only somebody who knows the password gets this far. A
// code is short, so failures are counted for the account, across all networks. A known device of the account
// has a separate counter, and so has a signed-in user in a step-up: an attacker who has the password cannot
// use those up.
func (s *Service) secondFactorCounter(userID string, from ClientInfo) attemptCounter {
	if device := s.device(from.Device, userID); device != "" {
		return s.newCounter(secondFactorBackoff(), "second factor device", userID, device)
	}
	return s.newCounter(secondFactorBackoff(), "second factor", userID)
}

func (s *Service) checkCode(ctx context.Context, user access.User, code string, counter attemptCounter) (access.Proof, error) {
	charged, err := s.countAttempt(ctx, counter)
	if err != nil {
		return "", err
	}
	proof, err := s.verifyAnyCode(ctx, user, foldCode(code))
	if err != nil {
		return "", s.unchecked(ctx, charged, err)
	}
	if proof == "" {
		refused := store.AuditEntry{ActorID: user.UserID, Action: store.ActionSecondFactor, Object: "user:" + user.UserID, Outcome: "refused"}
		if err := s.auditRejection(ctx, rejection{refused, true}, ClientInfo{}); err != nil {
			return "", err
		}
		return "", codeError("This code is wrong, or was used before. Enter the next one that the app shows.")
	}
	return proof, s.clearFailures(ctx, counter)
}

func (s *Service) verifyAnyCode(ctx context.Context, user access.User, code string) (access.Proof, error) {
	if !isTOTP(code) {
		ok, err := s.consumeRecoveryCode(ctx, user, code)
		if err != nil || !ok {
			return "", err
		}
		return access.ByRecovery, nil
	}
	c, err := s.store.CredentialByHandle(ctx, "totp:"+user.UserID)
	if fault.KindOf(err) == fault.NotFound && err != nil {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("account: authenticator app: %w", err)
	}
	ok, err := s.acceptTOTP(ctx, user, c, code)
	if err != nil || !ok {
		return "", err
	}
	return access.ByTOTP, nil
}
