package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Need is what a person still has to do after their password.
type Need int

// The needs.
const (
	NeedNothing      Need = iota
	NeedSecondFactor      // show the second factor that they have
	NeedEnrollment        // have none, and need one: add it now
)

// errFactorAtProvider refuses a user whose only second factor is at the sign-on provider. Adding one with the
// password would go around that factor, because access to the mailbox is enough to reset the password.
func errFactorAtProvider() error {
	return fault.New(fault.Invalid, "Your second factor is your organization’s single sign-on. Sign in with it. If you can’t, ask your administrator to reset your account.")
}

// auditFactorAtProvider audits a sign-in that ends at the provider and returns the refusal.
func (s *Service) auditFactorAtProvider(ctx context.Context, userID string) error {
	err := s.write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, store.AuditEntry{ActorID: "nobody", Action: store.ActionSignIn, Object: "user:" + userID, Outcome: "refused", Detail: string(access.ByPassword)})
	})
	if err != nil {
		return err
	}
	return errFactorAtProvider()
}

// Needs says what is still to be done before this person is signed in; fault.Invalid when
// they can sign in with the sign-on provider alone.
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

// AcceptsProof says whether a session of this proof may be used at all.
func (s *Service) AcceptsProof(proof access.Proof) bool {
	return proof.Level() == 2 || !s.SecondFactorRequired
}

// elevationLifetime is how long a proof lets a person reveal, export and administer.
const elevationLifetime = time.Hour

// ElevatedUntil is until when the person behind a session counts as having proved lately who
// they are. Where second factors are optional, a password counts as long as it opens
// anything, for who has nothing else.
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
	SessionEpoch int        `json:"Turn"` // the user's when the password was checked
	Setup        *TOTPSetup // of a user who must enroll
	From         ClientInfo
	NewLocation  bool `json:"New"` // the user did not sign in there recently
}

// PendingSignIn is a sign-in whose password was correct.
type PendingSignIn struct {
	User     access.User
	Setup    *TOTPSetup // to be added now; nil where a second factor is asked for
	TOTP     bool       // whether a code can be given
	Passkeys bool

	key pendingSignInState
}

// BeginSecondFactor begins the second step, and gives the token that the browser keeps.
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

// PendingSignIn returns the sign-in of a browser's token; fault.Conflict when it is over.
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

// checkNoSecondFactor refuses to add the first second factor where the user has one by now, here or at
// the provider: they start over with it. It reads from the database or in a transaction.
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

// FactorResponse is what a person gives to prove who they are: a code of their app, a recovery
// code, or the answer of a passkey.
type FactorResponse struct {
	Code    string
	Passkey []byte // JSON of navigator.credentials.get
}

// SecondFactorResult is who has taken the second step.
type SecondFactorResult struct {
	User          access.User
	Proof         access.Proof
	RecoveryCodes []string // of a user who has just enrolled, shown once
}

// FinishSecondFactor checks what the user gives in the second step. Users who enroll in it receive
// recovery codes.
func (s *Service) FinishSecondFactor(ctx context.Context, token string, given FactorResponse, from ClientInfo) (SecondFactorResult, error) {
	w, err := s.PendingSignIn(ctx, token)
	if err != nil {
		return SecondFactorResult{}, err
	}
	codes, err := s.secondFactorLimits(ctx, w.User, from)
	if err != nil {
		return SecondFactorResult{}, err
	}
	if w.Setup == nil && len(given.Passkey) == 0 { // so that a code within the wait writes nothing
		if err := s.refusedBy(ctx, s.store, codes.limits()); err != nil {
			return SecondFactorResult{}, err
		}
	}
	charged, err := s.countAttempt(ctx, s.rateLimits(trySecondFactor, from)...)
	if err != nil {
		return SecondFactorResult{}, err
	}
	p := SecondFactorResult{User: w.User, Proof: access.ByTOTP}
	over := func(tx *store.Tx) error { return endCeremony(ctx, tx, HashToken(token), secondFactorStep) }
	if w.Setup != nil {
		p.RecoveryCodes, err = s.confirmTOTP(ctx, w.User, w.Setup.Secret, given.Code, func(tx *store.Tx) error {
			if err := checkNoSecondFactor(ctx, tx, w.User.UserID); err != nil {
				return err
			}
			return over(tx)
		})
	} else if p.Proof, err = s.provedBy(ctx, HashToken(token), w.User, given, codes); err == nil {
		err = s.unlessChanged(ctx, w.User, over)
	}
	if fault.Is(err, fault.Invalid) && w.Setup == nil {
		return SecondFactorResult{}, errors.Join(err, s.alertFailedFactor(ctx, w.key, w.User, codes.counter))
	}
	if fault.Is(err, fault.Unavailable) {
		return SecondFactorResult{}, s.unchecked(ctx, charged, err)
	}
	if err != nil {
		return SecondFactorResult{}, err
	}
	return p, s.refundRateLimit(ctx, trySecondFactor, from)
}

// provedBy accepts what is given in the second step of a sign-in.
func (s *Service) provedBy(ctx context.Context, hash string, user access.User, given FactorResponse, codes codeLimits) (access.Proof, error) {
	if len(given.Passkey) > 0 {
		return access.ByPasskey, s.verifyPasskey(ctx, hash, user, given.Passkey)
	}
	return s.checkCode(ctx, user, given.Code, codes)
}

// secondFactorBackoff is how waiting grows after wrong codes.
func secondFactorBackoff() backoff { return backoff{free: 4, max: 15 * time.Minute} }

// StepUp accepts one code of a person's app, one recovery code, or the answer of a passkey
// that was asked for under a hash, once.
func (s *Service) StepUp(ctx context.Context, hash string, user access.User, given FactorResponse) (access.Proof, error) {
	if len(given.Passkey) > 0 {
		return access.ByPasskey, s.verifyPasskey(ctx, hash, user, given.Passkey)
	}
	return s.verifyCode(ctx, user, given.Code)
}

// verifyCode accepts a code of a user who is signed in.
func (s *Service) verifyCode(ctx context.Context, user access.User, code string) (access.Proof, error) {
	return s.checkCode(ctx, user, code, codeLimits{counter: s.newCounter(secondFactorBackoff(), vault.IndexStepUp, user.UserID)})
}

// codeLimits limit the attempts at a code.
type codeLimits struct {
	counter attemptCounter
	devices *bucket // of all devices of the account; nil for an attempt that comes from none
}

func (l codeLimits) limits() []limit {
	if l.devices == nil {
		return []limit{l.counter}
	}
	return []limit{l.counter, *l.devices}
}

// secondFactorLimits count wrong codes of a sign-in. Only somebody who knows the password comes this
// far. A code is short, so they are counted for the account and from everywhere; but a device
// of the account and a signed-in user who is asked again are counted separately: somebody who
// has stolen the password cannot use those up. All devices together are limited too.
func (s *Service) secondFactorLimits(ctx context.Context, user access.User, from ClientInfo) (codeLimits, error) {
	device, all, err := s.limitedDevice(ctx, trySecondFactor, user, from.Device)
	if err != nil {
		return codeLimits{}, err
	}
	if device != "" {
		return codeLimits{s.newCounter(secondFactorBackoff(), vault.IndexSecondFactorDevice, user.UserID, device), &all}, nil
	}
	return codeLimits{counter: s.newCounter(secondFactorBackoff(), vault.IndexSecondFactor, user.UserID)}, nil
}

func (s *Service) checkCode(ctx context.Context, user access.User, code string, by codeLimits) (access.Proof, error) {
	charged, err := s.countAttempt(ctx, by.limits()...)
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
		return "", codeError("Incorrect or already used code. Enter the next code from your app.")
	}
	if by.devices != nil {
		err = s.write(ctx, func(tx *store.Tx) error { return by.devices.charge(ctx, tx, s.Now(), -by.devices.costs) })
	}
	return proof, errors.Join(err, s.clearFailures(ctx, by.counter))
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
	if fault.Is(err, fault.NotFound) {
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
