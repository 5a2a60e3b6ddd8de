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
	if err := s.try(ctx, givePassword, from); err != nil {
		return access.User{}, err
	}
	counters := s.counters(email, from.Network)
	if err := s.admit(ctx, counters); err != nil {
		return access.User{}, err
	}
	user, hash, err := s.store.UserByEmail(ctx, email)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return access.User{}, fmt.Errorf("account: find user: %w", err)
	}
	match, stale, err := s.hasher.check(ctx, password, hash)
	if err != nil {
		return access.User{}, err
	}
	if !match || user.Disabled {
		return access.User{}, s.refuse(ctx, email, user.UserID, from)
	}
	_, wrong, err := s.failures(ctx, counters[1])
	if err != nil {
		return access.User{}, err
	}
	if err := errors.Join(s.forgive(ctx, counters), s.succeeded(ctx, givePassword, from), s.guessed(ctx, user, wrong.Count, from)); err != nil {
		return access.User{}, err
	}
	if stale {
		if err := s.rehash(ctx, user, hash, password); err != nil {
			return access.User{}, err
		}
	}
	return user, nil
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
