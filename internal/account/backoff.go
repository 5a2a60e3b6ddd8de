package account

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// TooSoon is the error for an attempt within the waiting time. It is the same for email addresses without an
// account.
type TooSoon struct{ Wait time.Duration }

func (e *TooSoon) Error() string { return fmt.Sprintf("log-in again after %v", e.Wait) }

// Limits on guessing a password
//
// Anybody can try a password for any account, from as many networks as they can rent. So three
// kinds of attempt have separate limits:
//
//   - An attempt with the account's device cookie (device.go) is counted only for that device.
//     Nobody else can use up its limit, so the owner signs in at once with a browser that they
//     have used before, whatever attackers do.
//   - Any other attempt is counted for the account and the network that it comes from: after
//     four failures the network waits, longer each time, up to fifteen minutes.
//   - An account is under attack when unknown devices have had thirty wrong passwords checked in
//     about the last hour. Then each network has two checks, the second after ten seconds. Every
//     later check waits for its network, up to fifteen minutes, and for the account: one in
//     twenty seconds, for the network with the fewest failures first.
//
// So the owner can sign in from a network that has not tried before, at once and with one typing
// error. An attacker has at most two passwords checked per network and day, plus 180 per hour. A
// single limit for the whole account would be lower, but an attacker who is always first would
// lock the owner out.
//
// Only a password that was checked counts. An attempt is counted before the check, so that
// parallel attempts cannot exceed the limit, and the count is reversed when there was no check:
// rejections, and "too many people are signing in", do not extend anybody's wait. Passkeys and
// emailed links have no limit per account, so they always work. The store has one row for each
// account and network with a checked password, for a day; hash.go limits how many can be checked.

// backoff defines how the waiting time grows: none for the first free failures, then one second, doubled with
// each further failure up to max.
type backoff struct {
	free int
	max  time.Duration
}

// failuresExpireAfter is the age at which failures no longer count.
const failuresExpireAfter = 24 * time.Hour

func (p backoff) delay(count int) time.Duration {
	if count <= p.free {
		return 0
	}
	wait := time.Second
	for range count - p.free - 1 {
		if wait *= 2; wait >= p.max {
			return p.max
		}
	}
	return wait
}

// reader reads counters: the store, or a transaction.
type reader interface {
	SignInFailures(ctx context.Context, key string) (access.Failures, error)
	RateLimit(ctx context.Context, key string) (store.RateLimit, error)
}

// limit bounds attempts of one kind.
type limit interface {
	// left returns how long an attempt has to wait; zero or less allows it.
	left(ctx context.Context, from reader, now time.Time) (time.Duration, error)
	// count records an attempt and returns a function that reverses this.
	count(ctx context.Context, tx *store.Tx, now time.Time) (undo, error)
}

type undo func(ctx context.Context, tx *store.Tx) error

// charge reverses everything that was counted for an attempt.
type charge []undo

// countAttempt counts an attempt as failed before its secret is checked. Within the waiting time it returns
// an error and counts nothing.
func (s *Service) countAttempt(ctx context.Context, limits ...limit) (charge, error) {
	// Check with reads first, so that a flood of rejected attempts does not occupy the one writer.
	if err := s.refusedBy(ctx, s.store, limits); err != nil {
		return nil, err
	}
	var c charge
	err := s.write(ctx, func(tx *store.Tx) error {
		c = nil
		if err := s.refusedBy(ctx, tx, limits); err != nil {
			return err
		}
		now := s.Now()
		for _, l := range limits {
			u, err := l.count(ctx, tx, now)
			if err != nil {
				return fmt.Errorf("account: count an attempt: %w", err)
			}
			c = append(c, u)
		}
		return nil
	})
	return c, err
}

func (s *Service) refusedBy(ctx context.Context, from reader, limits []limit) error {
	var longest time.Duration
	now := s.Now()
	for _, l := range limits {
		left, err := l.left(ctx, from, now)
		if err != nil {
			return fmt.Errorf("account: read counts of attempts: %w", err)
		}
		longest = max(longest, left)
	}
	if longest > 0 {
		return errTooSoon(longest)
	}
	return nil
}

// unchecked reverses a charge because the secret was not checked, and returns why. It works even when the
// client has disconnected.
func (s *Service) unchecked(ctx context.Context, c charge, why error) error {
	ctx = context.WithoutCancel(ctx)
	err := s.write(ctx, func(tx *store.Tx) error {
		for _, u := range c {
			if err := u(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fault.Wrap(fault.Internal, "", errors.Join(fmt.Errorf("account: take an attempt back: %w", err), why))
	}
	return why
}

// attemptCounter is one counter of failures, with the backoff that they cause.
type attemptCounter struct {
	keys    []string // under the current digest key, then under older ones
	backoff backoff
}

// newCounter returns the counter that the parts identify. Failures survive a key rotation: a count under an
// older key continues under the new one.
func (s *Service) newCounter(p backoff, parts ...string) attemptCounter {
	return attemptCounter{s.vault.Digests(parts...), p}
}

func (c attemptCounter) left(ctx context.Context, from reader, now time.Time) (time.Duration, error) {
	failed, err := c.read(ctx, from, now)
	return since(failed.Last, c.backoff.delay(failed.Count), now), err
}

// since returns the rest of a waiting time that began at an instant.
func since(last time.Time, wait time.Duration, now time.Time) time.Duration {
	if wait <= 0 {
		return 0
	}
	return last.Add(wait).Sub(now)
}

// read returns the counter under the newest key that has one; zero when its last failure is too old.
func (c attemptCounter) read(ctx context.Context, from reader, now time.Time) (access.Failures, error) {
	for _, key := range c.keys {
		found, err := from.SignInFailures(ctx, key)
		if err != nil {
			return access.Failures{}, err
		}
		if found.Count > 0 {
			if now.Sub(found.Last) > failuresExpireAfter {
				return access.Failures{}, nil
			}
			return found, nil
		}
	}
	return access.Failures{}, nil
}

func (c attemptCounter) count(ctx context.Context, tx *store.Tx, now time.Time) (undo, error) {
	before, err := c.read(ctx, tx, now)
	if err != nil {
		return nil, err
	}
	counted := access.Failures{Count: before.Count + 1, Last: now}
	return func(ctx context.Context, tx *store.Tx) error {
		present, err := tx.SignInFailures(ctx, c.keys[0])
		switch {
		case err != nil || present.Count == 0:
			return err
		case present.Count == counted.Count && store.Millis(present.Last) == store.Millis(counted.Last):
			return tx.SaveSignInFailures(ctx, c.keys[0], before)
		default: // other attempts were counted meanwhile
			present.Count--
			return tx.SaveSignInFailures(ctx, c.keys[0], present)
		}
	}, tx.SaveSignInFailures(ctx, c.keys[0], counted)
}

// never is the backoff of a counter that is only read.
func never() backoff { return backoff{free: math.MaxInt} }

// wrongPasswords counts the wrong passwords for an email address since the last right one. The count appears
// in the owner's alert; it makes nobody wait.
func (s *Service) wrongPasswords(email string) attemptCounter {
	return s.newCounter(never(), "log-in", email)
}

func networkBackoff() backoff { return backoff{free: 4, max: 15 * time.Minute} }

// An account is under attack while the level of wrong passwords from unknown devices is at least
// attackThreshold. The level falls by one every two minutes. Its maximum ensures that an attack is remembered
// for at most one hour after its end.
const (
	attackThreshold = 30 * unitsPerAttempt
	attackMax       = 60 * unitsPerAttempt
	attackDecay     = 2 * time.Minute // for one attempt
)

// freeInAttack is how many checks a network has before it must wait for the account's turns.
const freeInAttack = 2

// attackWait returns how long a network waits after a number of failures while the account is under attack.
func attackWait(failures int) time.Duration {
	switch {
	case failures == 0:
		return 0
	case failures < freeInAttack:
		return 10 * time.Second
	default:
		return min(15*time.Minute, 30*time.Second<<min(failures-freeInAttack, 6))
	}
}

// turnWait returns how long ago the account's last turn must be for a network with a number of failures. A
// network with fewer failures may go sooner, so it comes first.
func turnWait(failures int) time.Duration {
	return 20*time.Second + 10*time.Second*time.Duration(min(failures-freeInAttack, 4))
}

// unknownDevices limits the attempts at one account that come without its device cookie.
type unknownDevices struct {
	network attemptCounter // of the account, from this network
	turns   attemptCounter // time of the account's last turn
	attack  []string       // keys of the level of wrong passwords
}

func (s *Service) unknownDevices(email, network string) unknownDevices {
	return unknownDevices{
		network: s.newCounter(networkBackoff(), "log-in from", email, network),
		turns:   s.newCounter(never(), "log-in turn", email),
		attack:  s.vault.Digests("measure", "attack", email),
	}
}

// level returns the current level of wrong passwords, in thousandths.
func (l unknownDevices) level(ctx context.Context, from reader, now time.Time) (int64, error) {
	m, err := readRateLimit(ctx, from, l.attack)
	decayed := max(0, store.Millis(now)-m.At) * unitsPerAttempt / attackDecay.Milliseconds()
	return max(0, m.Level-decayed), err
}

func (l unknownDevices) left(ctx context.Context, from reader, now time.Time) (time.Duration, error) {
	level, err := l.level(ctx, from, now)
	if err != nil || level < attackThreshold {
		if err == nil {
			return l.network.left(ctx, from, now)
		}
		return 0, err
	}
	failed, err := l.network.read(ctx, from, now)
	if err != nil {
		return 0, err
	}
	left := since(failed.Last, attackWait(failed.Count), now)
	if failed.Count < freeInAttack {
		return left, nil
	}
	turn, err := l.turns.read(ctx, from, now)
	if turn.Count > 0 {
		left = max(left, since(turn.Last, turnWait(failed.Count), now))
	}
	return left, err
}

func (l unknownDevices) count(ctx context.Context, tx *store.Tx, now time.Time) (undo, error) {
	level, err := l.level(ctx, tx, now)
	if err != nil {
		return nil, err
	}
	failed, err := l.network.read(ctx, tx, now)
	if err != nil {
		return nil, err
	}
	network, err := l.network.count(ctx, tx, now)
	if err != nil {
		return nil, err
	}
	turn := func(context.Context, *store.Tx) error { return nil }
	if level >= attackThreshold && failed.Count >= freeInAttack {
		if turn, err = l.turns.count(ctx, tx, now); err != nil {
			return nil, err
		}
	}
	added := min(unitsPerAttempt, attackMax-level)
	if err := tx.SaveRateLimit(ctx, l.attack[0], store.RateLimit{Level: level + added, At: store.Millis(now)}); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) error {
		if err := errors.Join(network(ctx, tx), turn(ctx, tx)); err != nil {
			return err
		}
		m, err := tx.RateLimit(ctx, l.attack[0])
		if err != nil {
			return err
		}
		m.Level = max(0, m.Level-added)
		return tx.SaveRateLimit(ctx, l.attack[0], m)
	}, nil
}

func errTooSoon(wait time.Duration) error {
	return fault.Wrap(fault.Unavailable, "Too many attempts. Wait a moment, then try again.", &TooSoon{Wait: wait})
}

// clearFailures deletes the failures after a success.
func (s *Service) clearFailures(ctx context.Context, counters ...attemptCounter) error {
	for _, c := range counters {
		for _, key := range c.keys {
			if err := s.store.ClearSignInFailures(ctx, key); err != nil {
				return fmt.Errorf("account: clear failures: %w", err)
			}
		}
	}
	return nil
}
