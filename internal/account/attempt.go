package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// limit limits attempts of one kind. It decides by its tallies as they were last read.
type limit interface {
	tallies() []*tally
	// left is how long an attempt has to wait; zero or less admits it.
	left(now time.Time) time.Duration
	// count counts an attempt in the tallies.
	count(now time.Time)
}

// tally is a stored count of attempts, as one attempt reads and changes it.
type tally struct {
	// keys are digests under the current key, then under older ones. A key rotation therefore resets no count: a
	// count found under an older key continues under the current one.
	keys    []string
	stored  store.SignInAttempts // as it was read; zero when there is none
	charged store.SignInAttempts // as the attempt saved it; without a key when it did not
	refund  int64                // of the level, unless the secret was wrong
	lasts   bool                 // a success leaves it as it is
}

func (s *Service) newTally(kind vault.IndexKind, parts ...string) *tally {
	return &tally{keys: s.vault.Digests(kind, parts...)}
}

func (t *tally) charge(count, level, at int64) {
	t.charged = store.SignInAttempts{Key: t.keys[0], Count: count, Level: level, At: at}
}

// level returns the level now. It falls by a number of units in each period.
func (t *tally) level(now time.Time, units int64, period time.Duration) int64 {
	return max(0, t.stored.Level-max(0, store.Millis(now)-t.stored.At)*units/period.Milliseconds())
}

// takeBack returns the row without this attempt, whose secret was not checked.
func (t *tally) takeBack(present store.SignInAttempts) store.SignInAttempts {
	switch {
	case present.Count == 0:
	case present.Count == t.charged.Count && present.At == t.charged.At:
		present.Count, present.At = t.stored.Count, t.stored.At
	default: // others were counted meanwhile
		present.Count--
	}
	present.Level = max(0, present.Level-t.refund)
	return present
}

func talliesOf(limits []limit) (all []*tally) {
	for _, l := range limits {
		all = append(all, l.tallies()...)
	}
	return all
}

// readLimits reads the tallies of limits, each under the newest key that has a row.
func readLimits(ctx context.Context, from store.Queries, limits []limit) error {
	var keys []string
	for _, t := range talliesOf(limits) {
		keys = append(keys, t.keys...)
	}
	rows, err := from.SignInAttempts(ctx, keys...)
	if err != nil {
		return fmt.Errorf("account: read counts of attempts: %w", err)
	}
	for _, t := range talliesOf(limits) {
		t.stored = store.SignInAttempts{}
		for _, key := range t.keys {
			if row, ok := rows[key]; ok {
				t.stored = row
				break
			}
		}
	}
	return nil
}

// tooSoon refuses an attempt within the longest waiting time of limits that were read.
func (s *Service) tooSoon(limits []limit) error {
	var longest time.Duration
	for _, l := range limits {
		longest = max(longest, l.left(s.Now()))
	}
	if longest > 0 {
		return fault.Wrap(fault.Unavailable, "Too many attempts. Wait a moment, then try again.", &TooSoon{Wait: longest})
	}
	return nil
}

// charge counts an attempt as failed before its secret is checked, so that concurrent attempts are all counted. Within
// the waiting time it refuses the attempt, and does not count it.
func (s *Service) charge(ctx context.Context, limits ...limit) error {
	// Most refusals only read, so that a client that keeps trying does not occupy the one writer.
	if err := readLimits(ctx, s.store.Queries, limits); err != nil {
		return err
	}
	if err := s.tooSoon(limits); err != nil {
		return err
	}
	return s.saveCharge(ctx, limits)
}

func (s *Service) saveCharge(ctx context.Context, limits []limit) error {
	return s.store.Write(ctx, func(tx *store.Tx) error {
		if err := readLimits(ctx, tx.Queries, limits); err != nil {
			return err
		}
		if err := s.tooSoon(limits); err != nil {
			return err
		}
		for _, l := range limits {
			l.count(s.Now())
		}
		var rows []store.SignInAttempts
		for _, t := range talliesOf(limits) {
			if t.charged.Key != "" {
				rows = append(rows, t.charged)
			}
		}
		return tx.SaveSignInAttempts(ctx, rows...)
	})
}

// unchecked undoes the charge of an attempt because the secret was not checked, and returns why. It also does so when
// the client has disconnected.
func (s *Service) unchecked(ctx context.Context, limits []limit, why error) error {
	ctx = context.WithoutCancel(ctx)
	err := s.store.Write(ctx, func(tx *store.Tx) error {
		var keys, empty []string
		var kept []store.SignInAttempts
		for _, t := range talliesOf(limits) {
			keys = append(keys, t.keys[0])
		}
		rows, err := tx.SignInAttempts(ctx, keys...)
		if err != nil {
			return err
		}
		for _, t := range talliesOf(limits) {
			present, ok := rows[t.charged.Key]
			if !ok {
				continue
			}
			if present = t.takeBack(present); present.Count == 0 && present.Level == 0 {
				empty = append(empty, present.Key)
			} else {
				kept = append(kept, present)
			}
		}
		if _, err := tx.DropSignInAttempts(ctx, empty...); err != nil {
			return err
		}
		return tx.SaveSignInAttempts(ctx, kept...)
	})
	if err != nil {
		return fault.Wrap(fault.Internal, "", errors.Join(fmt.Errorf("account: take an attempt back: %w", err), why))
	}
	return why
}

// accept clears the failures after a success, and refunds what only a failure costs.
func accept(ctx context.Context, tx *store.Tx, limits []limit) error {
	var refunds []store.Refund
	for _, t := range talliesOf(limits) {
		if t.charged.Key != "" && !t.lasts {
			refunds = append(refunds, store.Refund{Key: t.charged.Key, Level: t.refund})
		}
	}
	return tx.ClearSignInAttempts(ctx, refunds...)
}

// accepted calls accept in its own transaction.
func (s *Service) accepted(ctx context.Context, limits []limit) error {
	return s.store.Write(ctx, func(tx *store.Tx) error { return accept(ctx, tx, limits) })
}
