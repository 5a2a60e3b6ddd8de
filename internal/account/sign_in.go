package account

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// errNoMatch is the cause of every refused sign-in, for the log.
var errNoMatch = errors.New("account: no such person and password")

// errWrongCredentials is the one answer to a wrong password, an unknown address and a
// disabled account, so that nobody learns which addresses have accounts.
func errWrongCredentials() error {
	return fault.Wrap(fault.Invalid, "The email or password is incorrect.", errNoMatch)
}

// SignIn signs in the user with this email and password, or starts the second step where one is needed. A refusal is
// fault.Invalid, an attempt within the waiting time fault.Unavailable with a *TooSoon in its chain. Known
// or not, every address is answered with the same words after the same work.
//
// One transaction charges the attempt before the password is checked, and another one stores the result.
func (s *Service) SignIn(ctx context.Context, email, password string, from ClientInfo) (SignInResult, error) {
	var result SignInResult
	by, user, err := s.checkPassword(ctx, typedEmail(email), password, from)
	if err != nil {
		return result, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		if err := accept(ctx, tx, by.limits); err != nil {
			return err
		}
		if err := s.alertGuessed(ctx, tx, user, by.wrong.charged.Count, from); err != nil {
			return err
		}
		result, err = s.continueSignIn(ctx, tx, user, Authentication{Proof: access.ByPassword}, from)
		return err
	})
	return result, result.outcome(err)
}

// checkPassword charges an attempt, and finds the user with this email and password.
func (s *Service) checkPassword(ctx context.Context, email, password string,
	from ClientInfo) (by passwordTry, user access.User, err error) {
	if email == "" || password == "" || len(email) > maxEmail || len(password) > maxBytes {
		return by, user, errWrongCredentials()
	}
	user, hash, err := s.store.UserByEmail(ctx, email)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return by, user, fmt.Errorf("account: find user: %w", err)
	}
	if by, err = s.tryPassword(ctx, email, user, from); err != nil {
		return by, user, err
	}
	// Reserve a place in the queue first: while it is full, attempts write nothing.
	place, err := s.hasher.reserve(by.queue)
	if err != nil {
		return by, user, err
	}
	if err := s.saveCharge(ctx, by.limits); err != nil {
		place.leave()
		return by, user, err
	}
	match, stale, err := place.check(ctx, password, hash)
	switch {
	case err != nil:
		return by, user, s.unchecked(ctx, by.limits, err)
	case !match || user.Disabled:
		return by, user, s.rejectSignIn(ctx, email, user.UserID, from)
	case stale:
		err = s.rehash(ctx, user, hash, password)
	}
	return by, user, err
}

// passwordTry is what limits one attempt at a password.
type passwordTry struct {
	queue  queue
	limits []limit
	wrong  attemptCounter
}

// tryPassword returns the limits of a device of the account, which unknown browsers cannot use up, or
// those of an unknown browser; an error within their waiting time.
func (s *Service) tryPassword(ctx context.Context, email string, user access.User,
	from ClientInfo) (passwordTry, error) {
	wrong := s.wrongPasswords(email)
	by := passwordTry{unknown, slices.Concat(s.guessLimits(tryPassword, from), s.dailyLimits(email, from),
		[]limit{s.unknownDevices(email, from), wrong}), wrong}
	device := s.device(from.Device, user)
	if device == "" {
		if err := readLimits(ctx, s.store.Queries, by.limits); err != nil {
			return by, err
		}
		return by, s.tooSoon(by.limits)
	}
	all, own := s.allDevices(tryPassword, user.UserID),
		s.newCounter(passwordBackoff(), vault.IndexSignInDevice, user.UserID, device)
	byDevice := passwordTry{known, append(s.guessLimits(tryKnownDevice, from), own, all, wrong), wrong}
	if err := readLimits(ctx, s.store.Queries, slices.Concat(by.limits, byDevice.limits)); err != nil {
		return by, err
	}
	if all.left(s.Now()) <= 0 {
		by = byDevice
	}
	return by, s.tooSoon(by.limits)
}

// rehash keeps the password at today's cost, unless it was changed meanwhile. The sign-in is
// the only moment when it is known. While too many wait for a hash, it stays as it is until the
// next sign-in.
func (s *Service) rehash(ctx context.Context, user access.User, before, password string) error {
	hash, err := s.hasher.hash(ctx, password)
	if fault.Is(err, fault.Unavailable) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.store.RefreshPassword(ctx, user.UserID, before, hash); err != nil {
		return fmt.Errorf("account: keep the new hash: %w", err)
	}
	return nil
}

// rejectSignIn audits a refused sign-in and returns the refusal. An address without an account is
// recorded as a keyed digest, with as much work.
func (s *Service) rejectSignIn(ctx context.Context, email, userID string, from ClientInfo) error {
	r := rejectedSignIn(userID, "")
	if !r.known {
		r.Object = "address:" + s.vault.Digest(vault.IndexAddress, email)
	}
	if err := s.auditRejection(ctx, r, from); err != nil {
		return err
	}
	return errWrongCredentials()
}

// needAfter returns what is still to be done after one factor.
func (s *Service) needAfter(state store.SignInState) Need {
	switch {
	case state.SecondFactors > 0:
		return NeedSecondFactor
	case s.SecondFactorRequired && state.StrongLinks > 0:
		return NeedProvider
	case s.SecondFactorRequired:
		return NeedEnrollment
	default:
		return NeedNothing
	}
}
