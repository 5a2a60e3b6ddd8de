package account

import (
	"cmp"
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Passwords are a user's current password and the new one.
type Passwords struct {
	Current pii.Secret[string] // not required of a user without a password
	New     pii.Secret[string]
}

// ChangePassword replaces a user's password, and ends everything that the user has in progress and every
// session except the one whose hash is keep. A wrong current password counts like a failed sign-in.
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

// passwordChange is a password that is about to be replaced.
type passwordChange struct {
	current, next string // hashes
	keepSession   string // hash of the session that continues
}

// endAccess ends a user's sessions, except the one whose hash is keep, and everything that they have in progress.
func endAccess(ctx context.Context, tx *store.Tx, userID, keep string) error {
	if _, err := tx.EndSessionsOf(ctx, userID, keep); err != nil {
		return err
	}
	return tx.EndPending(ctx, userID, keep)
}

// setPassword replaces the password, provided that it is still the current one.
func (s *Service) setPassword(ctx context.Context, tx *store.Tx, user access.User, c passwordChange) error {
	if now, err := tx.PasswordHash(ctx, user.UserID); err != nil {
		return err
	} else if now != c.current {
		return fault.New(fault.Conflict, "Your password was changed in the meantime. Enter your current password.")
	}
	return cmp.Or(
		tx.SetPassword(ctx, user.UserID, c.next),
		endAccess(ctx, tx, user.UserID, c.keepSession),
		s.record(ctx, tx, user, change{"Your password was changed", store.ActionPasswordChange, ""}),
	)
}

func (s *Service) checkCurrentPassword(ctx context.Context, user access.User, hash, typed string) error {
	limits := []limit{s.newCounter(secondFactorBackoff(), vault.IndexPresentPassword, user.UserID)}
	if err := s.charge(ctx, limits...); err != nil {
		return err
	}
	if len(typed) > maxBytes {
		typed = ""
	}
	match, err := s.hasher.check(ctx, known, typed, hash)
	if err != nil {
		return s.unchecked(ctx, limits, err)
	}
	if !match {
		refused := store.AuditEntry{ActorID: user.UserID, Action: store.ActionPasswordChange, Object: "user:" + user.UserID,
			Outcome: "refused"}
		if err := s.auditRejection(ctx, rejection{refused, true}, ClientInfo{}); err != nil {
			return err
		}
		return fault.InvalidFields(fault.Field{Name: "password.present", Message: "Incorrect current password"})
	}
	return s.accepted(ctx, limits)
}
