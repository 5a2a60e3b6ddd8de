package account

import (
	"context"
	"errors"
	"fmt"

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

// SignIn finds the user with this email and password. A refusal is fault.Invalid, an attempt
// within the waiting time fault.Unavailable with a *TooSoon in its chain. Known
// or not, every address is answered with the same words after the same work.
func (s *Service) SignIn(ctx context.Context, email, password string, from ClientInfo) (access.User, error) {
	email = typedEmail(email)
	if email == "" || password == "" || len(email) > maxEmail || len(password) > maxBytes {
		return access.User{}, errWrongCredentials()
	}
	user, hash, err := s.store.UserByEmail(ctx, email)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return access.User{}, fmt.Errorf("account: find user: %w", err)
	}
	by, err := s.tryPassword(ctx, email, user, from)
	if err != nil {
		return access.User{}, err
	}
	queued, charged, err := s.countInQueue(ctx, by.queue, by.limits)
	if err != nil {
		return access.User{}, err
	}
	match, stale, err := queued.check(ctx, password, hash)
	if err != nil {
		return access.User{}, s.unchecked(ctx, charged, err)
	}
	if !match || user.Disabled {
		return access.User{}, s.rejectSignIn(ctx, email, user.UserID, from)
	}
	wrong, err := by.wrong.read(ctx, s.store, s.Now())
	if err != nil {
		return access.User{}, err
	}
	if err := errors.Join(s.clearFailures(ctx, append(by.own, by.wrong)...), s.write(ctx, func(tx *store.Tx) error { return by.giveBack(ctx, tx) }), s.alertGuessed(ctx, user, wrong.Count, from)); err != nil {
		return access.User{}, err
	}
	if stale {
		if err := s.rehash(ctx, user, hash, password); err != nil {
			return access.User{}, err
		}
	}
	return user, nil
}

// passwordTry is what limits one attempt at a password.
type passwordTry struct {
	queue  queue
	limits []limit
	own    []attemptCounter // of this device, or of this address and this network
	wrong  attemptCounter

	giveBack undo // after a success
}

// tryPassword returns the limits of a device of the account, which unknown browsers cannot use up, or
// those of an unknown browser.
func (s *Service) tryPassword(ctx context.Context, email string, user access.User, from ClientInfo) (passwordTry, error) {
	wrong := s.wrongPasswords(email)
	device, all, err := s.limitedDevice(ctx, tryPassword, user, from.Device)
	if err != nil {
		return passwordTry{}, err
	}
	if device != "" {
		own := s.newCounter(passwordBackoff(), vault.IndexSignInDevice, user.UserID, device)
		limits := append(s.rateLimits(tryKnownDevice, from), own, all, wrong)
		return passwordTry{known, limits, []attemptCounter{own}, wrong, func(ctx context.Context, tx *store.Tx) error {
			return errors.Join(all.charge(ctx, tx, s.Now(), -all.costs), s.charge(ctx, tx, tryKnownDevice, from, -successRefund))
		}}, nil
	}
	own := s.unknownDevices(email, from)
	return passwordTry{unknown, append(s.rateLimits(tryPassword, from), own, wrong), []attemptCounter{own.address, own.network}, wrong, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(own.lowerAttack(ctx, tx, unitsPerAttempt), s.charge(ctx, tx, tryPassword, from, -successRefund))
	}}, nil
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
	r := rejection{AuditEntry: store.AuditEntry{ActorID: "nobody", Action: store.ActionSignIn, Object: "user:" + userID, Outcome: "refused"}, known: userID != ""}
	if !r.known {
		r.Object = "address:" + s.vault.Digest(vault.IndexAddress, email)
	}
	if err := s.auditRejection(ctx, r, from); err != nil {
		return err
	}
	return errWrongCredentials()
}
