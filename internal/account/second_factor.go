package account

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

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
	Link         *SSOLink
}

// PendingSignIn is a sign-in whose password was correct.
type PendingSignIn struct {
	User     access.User
	Setup    *TOTPSetup // to be added now; nil where a second factor is asked for
	TOTP     bool       // whether a code can be given
	Passkeys bool

	key pendingSignInState
}

// beginSecondFactor begins the second step, and returns the token for the browser's cookie.
func (s *Service) beginSecondFactor(ctx context.Context, tx *store.Tx, user access.User, need Need,
	w pendingSignInState) (token string, err error) {
	token, hash := NewToken()
	w.UserID, w.SessionEpoch = user.UserID, user.SessionEpoch
	if need == NeedEnrollment {
		setup := newTOTPSetup(user.Email)
		w.Setup = &setup
	}
	return token, saveCeremony(ctx, s, tx, ceremonyKey{hash, secondFactorStep, user.UserID}, w)
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
		if err := checkNoSecondFactor(ctx, s.store.Queries, user.UserID); err != nil {
			return PendingSignIn{}, err
		}
	}
	return PendingSignIn{User: user, Setup: w.Setup, TOTP: f.TOTP, Passkeys: f.HasPasskey(), key: w}, nil
}

// checkNoSecondFactor refuses to add the first second factor where the user has one by now, here or at
// the provider: they start over with it. It reads from the database or in a transaction.
func checkNoSecondFactor(ctx context.Context, from store.Queries, userID string) error {
	state, err := from.SignInState(ctx, store.LoginLocation{UserID: userID})
	if err == nil && state.SecondFactors+state.StrongLinks > 0 {
		err = errCeremonyExpired()
	}
	return err
}

// FactorResponse is what users provide to prove who they are: a code from their app, a recovery code, or a passkey's
// response. Users who have no second factor provide the first code from a new app, or a new passkey.
type FactorResponse struct {
	Code    string
	Passkey []byte // JSON of navigator.credentials.get, or of create where the passkey is new
	Name    string // of a new passkey, until the user renames it
}

// SecondFactorResult is who has taken the second step.
type SecondFactorResult struct {
	User          access.User
	Proof         access.Proof
	RecoveryCodes []string // of a user who has just enrolled, shown once
}

// BeginSecondFactorPasskey returns the options with which the browser of a pending sign-in uses one of the user's
// passkeys or, if they have no second factor, creates their first.
func (s *Service) BeginSecondFactorPasskey(ctx context.Context, token string) (options []byte, err error) {
	w, err := s.PendingSignIn(ctx, token)
	switch {
	case err != nil:
		return nil, err
	case w.Setup != nil:
		return s.BeginPasskey(ctx, HashToken(token), w.User)
	default:
		return s.BeginPasskeyFactor(ctx, HashToken(token), w.User)
	}
}

// FinishSecondFactor checks what the user gives in the second step. Users who enroll in it receive
// recovery codes.
func (s *Service) FinishSecondFactor(ctx context.Context, token string, given FactorResponse,
	from ClientInfo) (SecondFactorResult, error) {
	w, err := s.PendingSignIn(ctx, token)
	if err != nil {
		return SecondFactorResult{}, err
	}
	wrong, codes, err := s.codeLimits(ctx, w.User, from)
	if err != nil {
		return SecondFactorResult{}, err
	}
	p := SecondFactorResult{User: w.User, Proof: access.ByTOTP}
	limits, code := s.guessLimits(trySecondFactor, from), w.Setup == nil && len(given.Passkey) == 0
	if code {
		limits = append(limits, codes...)
	}
	if err := s.charge(ctx, limits...); err != nil {
		return SecondFactorResult{}, err
	}
	over := func(tx *store.Tx) error { return endCeremony(ctx, tx, HashToken(token), secondFactorStep) }
	switch {
	case w.Setup != nil:
		first := func(tx *store.Tx) error {
			if err := checkNoSecondFactor(ctx, tx.Queries, w.User.UserID); err != nil {
				return err
			}
			return over(tx)
		}
		if len(given.Passkey) == 0 {
			p.RecoveryCodes, err = s.confirmTOTP(ctx, w.User, w.Setup.Secret, given.Code, first)
			break
		}
		p.Proof = access.ByPasskey
		p.RecoveryCodes, err = s.savePasskey(ctx, HashToken(token), w.User,
			CreatedPasskey{Response: given.Passkey, Name: given.Name}, first)
	case code:
		p.Proof, err = s.verifyAnyCode(ctx, w.User, given.Code)
	default:
		p.Proof, err = access.ByPasskey, s.verifyPasskey(ctx, HashToken(token), w.User, given.Passkey)
	}
	switch {
	case fault.Is(err, fault.Invalid) && w.Setup == nil:
		return SecondFactorResult{}, errors.Join(err, s.alertFailedFactor(ctx, w.key, w.User, wrong))
	case fault.Is(err, fault.Unavailable) || code && err != nil && !fault.Is(err, fault.Invalid):
		return SecondFactorResult{}, s.unchecked(ctx, limits, err)
	case err != nil:
		return SecondFactorResult{}, err
	}
	return p, s.store.Write(ctx, func(tx *store.Tx) error {
		if w.Setup == nil {
			if err := tx.CheckUnchanged(ctx, w.User.Actor); err != nil {
				return err
			}
			if err := over(tx); err != nil {
				return err
			}
		}
		if w.key.Link != nil {
			if err := s.linkSSO(ctx, tx, w.User, *w.key.Link); err != nil {
				return err
			}
		}
		return accept(ctx, tx, limits)
	})
}

// secondFactorBackoff is how waiting grows after wrong codes.
func secondFactorBackoff() backoff { return backoff{free: 4, max: 15 * time.Minute} }

// StepUp accepts one code of a person's app, one recovery code, or the answer of a passkey
// that was asked for under a hash, once.
func (s *Service) StepUp(ctx context.Context, hash string, user access.User,
	given FactorResponse) (access.Proof, error) {
	if len(given.Passkey) > 0 {
		return access.ByPasskey, s.verifyPasskey(ctx, hash, user, given.Passkey)
	}
	return s.verifyCode(ctx, user, given.Code)
}

// verifyCode accepts a code of a user who is signed in.
func (s *Service) verifyCode(ctx context.Context, user access.User, code string) (access.Proof, error) {
	limits := []limit{s.newCounter(secondFactorBackoff(), vault.IndexStepUp, user.UserID)}
	if err := s.charge(ctx, limits...); err != nil {
		return "", err
	}
	proof, err := s.verifyAnyCode(ctx, user, code)
	switch {
	case fault.Is(err, fault.Invalid):
		return "", err
	case err != nil:
		return "", s.unchecked(ctx, limits, err)
	}
	return proof, s.accepted(ctx, limits)
}

// codeLimits returns the limits of second-factor codes; one of them counts the wrong codes. Only somebody who knows
// the password gets here. A code is short, so all attempts on the account are counted together. Known devices of the
// account and signed-in users who are asked again are counted separately, so that somebody who has stolen the
// password cannot use up their attempts. All devices together are limited too.
func (s *Service) codeLimits(ctx context.Context, user access.User,
	from ClientInfo) (wrong attemptCounter, limits []limit, err error) {
	if device := s.device(from.Device, user); device != "" {
		all := s.allDevices(trySecondFactor, user.UserID)
		if err := readLimits(ctx, s.store.Queries, []limit{all}); err != nil {
			return wrong, nil, err
		}
		if all.left(s.Now()) <= 0 {
			wrong = s.newCounter(secondFactorBackoff(), vault.IndexSecondFactorDevice, user.UserID, device)
			return wrong, []limit{wrong, all}, nil
		}
	}
	wrong = s.newCounter(secondFactorBackoff(), vault.IndexSecondFactor, user.UserID)
	return wrong, []limit{wrong}, nil
}

// verifyAnyCode accepts a code of the user's app or a recovery code, once. A wrong one is audited, and fault.Invalid.
func (s *Service) verifyAnyCode(ctx context.Context, user access.User, code string) (access.Proof, error) {
	proof, accept := access.ByRecovery, s.consumeRecoveryCode
	if code = foldCode(code); isTOTP(code) {
		proof, accept = access.ByTOTP, s.acceptTOTP
	}
	ok, err := accept(ctx, user, code)
	if err != nil || ok {
		return proof, err
	}
	refused := store.AuditEntry{ActorID: user.UserID, Action: store.ActionSecondFactor, Object: "user:" + user.UserID,
		Outcome: "refused"}
	if err := s.auditRejection(ctx, rejection{refused, true}, ClientInfo{}); err != nil {
		return "", err
	}
	return "", codeError("Incorrect or already used code. Enter the next code from your app.")
}
