package account

import (
	"context"
	"errors"
	"fmt"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// errNoMatch is the cause of every refused log-in, for the log.
var errNoMatch = errors.New("account: no such person and password")

// refused is the one answer to a wrong password, an unknown address and a
// disabled account, so that nobody learns which addresses have accounts.
func refused() error {
	return fault.Wrap(fault.Invalid, "That e-mail and password do not belong together.", errNoMatch)
}

// LogIn finds the person with this e-mail and password. A refusal is fault.Invalid, an attempt
// within the waiting time fault.Unavailable with a *TooSoon in its chain. Known
// or not, every address is answered with the same words after the same work.
func (s *Service) LogIn(ctx context.Context, email, password string, from From) (access.User, error) {
	email = FoldEmail(email)
	if email == "" || password == "" || len(email) > maxEmail || len(password) > maxBytes {
		return access.User{}, refused()
	}
	user, hash, err := s.store.UserByEmail(ctx, email)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return access.User{}, fmt.Errorf("account: find user: %w", err)
	}
	by := s.tryPassword(email, user.UserID, from)
	charged, err := s.admit(ctx, by.limits...)
	if err != nil {
		return access.User{}, err
	}
	match, stale, err := s.hasher.check(ctx, by.queue, password, hash)
	if err != nil {
		return access.User{}, s.unchecked(ctx, charged, err)
	}
	if !match || user.Disabled {
		return access.User{}, s.refuse(ctx, email, user.UserID, from)
	}
	wrong, err := by.wrong.read(ctx, s.store, s.Now())
	if err != nil {
		return access.User{}, err
	}
	if err := errors.Join(s.forgive(ctx, by.own, by.wrong), by.giveBack(ctx), s.guessed(ctx, user, wrong.Count, from)); err != nil {
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
	own    throttled // counts for this device, or for this network
	wrong  throttled

	giveBack func(ctx context.Context) error // after a success
}

// tryPassword is one for a device of the account, which strangers cannot use up, or else one
// of a stranger.
func (s *Service) tryPassword(email, userID string, from From) passwordTry {
	wrong := s.wrongPasswords(email)
	if device := s.device(from.Device, userID); device != "" {
		own := s.throttle(networkPace(), "log-in device", userID, device)
		return passwordTry{known, []limit{own, wrong}, own, wrong, func(context.Context) error { return nil }}
	}
	limits := s.strangers(email, from.Network)
	return passwordTry{unknown, []limit{s.measure(givePassword, from, tryCosts), limits, wrong}, limits.network, wrong, func(ctx context.Context) error {
		return s.succeeded(ctx, givePassword, from)
	}}
}

// rehash keeps the password at today's cost, unless it was changed meanwhile. The log-in is
// the only moment when it is known.
func (s *Service) rehash(ctx context.Context, user access.User, before, password string) error {
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	if err := s.store.RefreshPassword(ctx, user.UserID, before, hash); err != nil {
		return fmt.Errorf("account: keep the new hash: %w", err)
	}
	return nil
}

// refuse audits a refused log-in, and is the refusal. An address without an account is told
// by its keyed digest, with as much work.
func (s *Service) refuse(ctx context.Context, email, userID string, from From) error {
	r := refusal{Audited: store.Audited{ActorID: "nobody", Action: store.ActLogIn, Object: "user:" + userID, Outcome: "refused"}, known: userID != ""}
	if !r.known {
		r.Object = "address:" + s.vault.Digest("address", email)
	}
	if err := s.noteRefusal(ctx, r, from); err != nil {
		return err
	}
	return refused()
}
