package account

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

// Passwords are the one that a person has and the one they want.
type Passwords struct {
	Current pii.Secret[string] // not asked of who has none
	New     pii.Secret[string]
}

// ChangePassword replaces a person's password, and ends every session of theirs, and what
// is under way, but in the one with the hash keep. A wrong present password is counted like a failed log-in.
func (s *Service) ChangePassword(ctx context.Context, user access.User, keep string, p Passwords) error {
	present, err := s.store.PasswordHash(ctx, user.UserID)
	if err != nil {
		return err
	}
	if present != "" {
		if err := s.checkCurrentPassword(ctx, user, present, p.Current.Reveal()); err != nil {
			return err
		}
	}
	if err := CheckPassword(p.New.Reveal(), personalWords(user)...); err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, p.New.Reveal())
	if err != nil {
		return err
	}
	return s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		return s.setPassword(ctx, tx, user, passwordChange{current: present, next: hash, keepSession: keep})
	})
}

// passwordChange is a password about to be replaced.
type passwordChange struct {
	current, next string // hashes
	keepSession   string // hash of the session that goes on
}

// setPassword replaces the password that was known, and no other.
func (s *Service) setPassword(ctx context.Context, tx *store.Tx, user access.User, c passwordChange) error {
	if now, err := tx.PasswordHash(ctx, user.UserID); err != nil {
		return err
	} else if now != c.current {
		return fault.New(fault.Conflict, "Your password was changed meanwhile. Type the one that holds now.")
	}
	if err := tx.SetPassword(ctx, user.UserID, c.next); err != nil {
		return err
	}
	if _, err := tx.EndSessionsOf(ctx, user.UserID, c.keepSession); err != nil {
		return err
	}
	if err := tx.EndPending(ctx, user.UserID, c.keepSession); err != nil {
		return err
	}
	if err := s.NotifyChange(ctx, tx, user, "Your password was changed"); err != nil {
		return err
	}
	return tx.AuditOwn(ctx, user.UserID, store.ActionPasswordChange, "")
}

func (s *Service) checkCurrentPassword(ctx context.Context, user access.User, hash, typed string) error {
	counter := s.newCounter(secondFactorBackoff(), "present password", user.UserID)
	charged, err := s.countAttempt(ctx, counter)
	if err != nil {
		return err
	}
	if len(typed) > maxBytes {
		typed = ""
	}
	match, err := s.hasher.check(ctx, known, typed, hash)
	if err != nil {
		return s.unchecked(ctx, charged, err)
	}
	if !match {
		return fault.InvalidFields(fault.Field{Name: "password.present", Message: "This is not your present password"})
	}
	return s.clearFailures(ctx, counter)
}
