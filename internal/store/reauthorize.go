package store

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// CheckUnchanged checks, in the transaction that writes, what was read about a user before the work began:
// the account is still open, and nobody has ended what the user had in progress. Hashing a password, waiting
// for a provider's answer or a concurrent request takes time between the read and the write; a user who was
// locked, disabled or signed out meanwhile cannot finish. fault.Conflict.
func (tx *Tx) CheckUnchanged(ctx context.Context, who access.Actor) error {
	_, same, err := tx.currentUser(ctx, who)
	if err == nil && !same {
		err = fault.New(fault.Conflict, "Your account changed in the meantime. Nothing was done. Sign in and start again.")
	}
	return err
}

// Reauthorize also checks whether a user may still do what they are about to do, and returns the user's
// current record. Every change to other users' rights calls it in the transaction that writes, so that when
// two users remove a right from each other, only the first one succeeds. fault.Denied.
func (tx *Tx) Reauthorize(ctx context.Context, by access.By) (access.User, error) {
	if by.IsOperator() {
		return access.User{Actor: by.Actor}, nil
	}
	now, same, err := tx.currentUser(ctx, by.Actor)
	if err == nil && (!same || !now.Can(by.Permission)) {
		err = fault.New(fault.Denied, "Your account changed after you opened this page. Sign in again.")
	}
	return now, err
}

func (tx *Tx) currentUser(ctx context.Context, who access.Actor) (now access.User, same bool, err error) {
	now, err = tx.User(ctx, who.UserID)
	if fault.Is(err, fault.NotFound) {
		return now, false, nil
	}
	return now, !now.Disabled && now.SessionEpoch == who.SessionEpoch, err
}

// WriteBy runs f in one transaction, after checking there that the acting user may still do it.
func (s *Store) WriteBy(ctx context.Context, by access.By, f func(tx *Tx) error) error {
	return s.Write(ctx, func(tx *Tx) error {
		if _, err := tx.Reauthorize(ctx, by); err != nil {
			return err
		}
		return f(tx)
	})
}
