package store

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// CheckUnchanged asks, in the transaction that writes, what was read of a person before they began:
// their account is open, and nobody has ended what they had under way. Between looking and
// writing lie a password's hash, a provider's answer, or a request that came a moment earlier;
// who was shut out, closed or signed out meanwhile finishes nothing. fault.Conflict.
func (tx *Tx) CheckUnchanged(ctx context.Context, who access.Actor) error {
	_, same, err := tx.currentUser(ctx, who)
	if err == nil && !same {
		err = fault.New(fault.Conflict, "Your account has changed meanwhile, and nothing was done. Sign in and begin once more.")
	}
	return err
}

// Reauthorize asks besides whether a person may still do what they do, and gives them as they are
// now. Every deed on other people's rights asks it where it writes, so that of two who take
// a right from each other one comes first. fault.Denied.
func (tx *Tx) Reauthorize(ctx context.Context, by access.By) (access.User, error) {
	if by.IsOperator() {
		return access.User{Actor: by.Actor}, nil
	}
	now, same, err := tx.currentUser(ctx, by.Actor)
	if err == nil && (!same || !now.Can(by.Permission)) {
		err = fault.New(fault.Denied, "Your account has changed since this page was shown. Sign in again.")
	}
	return now, err
}

func (tx *Tx) currentUser(ctx context.Context, who access.Actor) (now access.User, same bool, err error) {
	now, err = tx.User(ctx, who.UserID)
	if fault.KindOf(err) == fault.NotFound && err != nil {
		return now, false, nil
	}
	return now, !now.Disabled && now.SessionEpoch == who.SessionEpoch, err
}

// WriteBy runs f in one transaction, once it has asked there whether who acts still may.
func (s *Store) WriteBy(ctx context.Context, by access.By, f func(tx *Tx) error) error {
	return s.Write(ctx, func(tx *Tx) error {
		if _, err := tx.Reauthorize(ctx, by); err != nil {
			return err
		}
		return f(tx)
	})
}
