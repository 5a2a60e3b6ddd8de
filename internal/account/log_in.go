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

// LogIn finds the person with this e-mail and password. from is the client's
// network, and only separates counters. A refusal is fault.Invalid, an attempt
// within the waiting time fault.Unavailable with a *TooSoon in its chain. Known
// or not, every address is answered with the same words after the same work.
func (s *Service) LogIn(ctx context.Context, email, password, from string) (access.User, error) {
	email = FoldEmail(email)
	if email == "" || password == "" || len(email) > maxEmail || len(password) > maxBytes {
		return access.User{}, refused()
	}
	counters := s.counters(email, from)
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
		return access.User{}, s.noteRefusal(ctx, email, user.UserID)
	}
	if err := s.forgive(ctx, counters); err != nil {
		return access.User{}, err
	}
	if stale {
		if err := s.rehash(ctx, user.UserID, password); err != nil {
			return access.User{}, err
		}
	}
	return user, nil
}

// rehash keeps the password at today's cost. The log-in is the only moment when
// it is known.
func (s *Service) rehash(ctx context.Context, userID, password string) error {
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	if err := s.store.RefreshPasswordHash(ctx, userID, hash); err != nil {
		return fmt.Errorf("account: keep the new hash: %w", err)
	}
	return nil
}

// noteRefusal audits a refused log-in, and is the refusal. An address without an account
// is told by its keyed digest, with as much work.
func (s *Service) noteRefusal(ctx context.Context, email, userID string) error {
	object := "user:" + userID
	if userID == "" {
		object = "address:" + s.vault.Digest("address", email)
	}
	err := s.write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, store.Audited{ActorID: "nobody", Action: store.ActLogIn, Object: object, Outcome: "refused"})
	})
	if err != nil {
		return err
	}
	return refused()
}
