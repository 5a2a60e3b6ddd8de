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
	"hearthline/internal/vault"
)

// TooSoon is the answer to an attempt within the waiting time. It is the same
// for addresses that have no account.
type TooSoon struct{ Wait time.Duration }

func (e *TooSoon) Error() string { return fmt.Sprintf("sign in again after %v", e.Wait) }

// RetryAfter returns how long to wait.
func (e *TooSoon) RetryAfter() time.Duration { return e.Wait }

// Limits on guessing a password
//
// Anybody may try a password for any account, from as many networks as they can rent. So three
// kinds of attempt are limited apart from each other:
//
//   - An attempt with the device cookie of the account (device.go) is counted for that device
//     alone. Nobody else can use up its limit, so the owner signs in at once on a browser that
//     they have used before, whatever unknownDevices do. All devices of an account together fail at
//     most thirty times at once and thirty times an hour; then a device is limited like any
//     other browser. The cookies of before a change of the password count for nothing.
//   - Any other attempt is counted for the account and the address that it comes from (of an
//     IPv6 address its /64): after four failures the address waits, longer each time, up to
//     fifteen minutes. Other addresses of the same network do not wait.
//   - While an account is under attack, which is when unknownDevices have had thirty wrong passwords
//     checked in about the last hour, each network (a /24, or a /48 of IPv6) has two checks, the
//     second after ten seconds.
//     Every later check waits for its network, up to fifteen minutes, and for the account: one in
//     twenty seconds, for the network with the fewest failures first.
//
// The owner can therefore sign in from a network that has not tried before, at once and with one
// typo. An attacker has at most two passwords checked for each of their networks in a day, and
// 180 an hour beside that. One limit for the whole account that all share would be lower, and
// would let the attacker, who is always first, keep the owner out.
//
// One owner remains whom an attacker can keep out: the owner who uses a password in a browser
// without the device cookie, at an address from which the attacker also sends, or in a network
// where the attacker has several addresses. They share the checks of that address or network.
//
// Only a password that was checked counts. An attempt is counted before the check, so that many
// at once are all counted, and the count is undone when there was no check:
// refusals, and "too many people are signing in", lengthen nobody's wait. Only the address and the
// network that send keep a sixth of the charge, so that nobody makes the portal write and take
// back without limit. Passkeys and mailed
// links are not limited by account, so they stay open. A row is kept for each account and
// address, and for each account and network, with a checked password, for a day: hash.go bounds how many can be checked.

// backoff is how waiting grows: nothing for the first free failures, then a second,
// doubled with each failure up to longest.
type backoff struct {
	free int
	max  time.Duration
}

// failuresExpireAfter is when old failures no longer count.
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
	// left is how long an attempt has to wait; zero or less admits it.
	left(ctx context.Context, from reader, now time.Time) (time.Duration, error)
	// count notes an attempt, and returns what takes it back.
	count(ctx context.Context, tx *store.Tx, now time.Time) (undo, error)
}

type undo func(ctx context.Context, tx *store.Tx) error

// charge is what an attempt was counted for before its secret was checked.
type charge []undo

// countAttempt counts an attempt as failed before its secret is checked, or refuses it within the
// waiting time, which counts for nothing.
func (s *Service) countAttempt(ctx context.Context, limits ...limit) (charge, error) {
	// Most refusals only read, so that a client that keeps trying does not occupy the one writer.
	if err := s.refusedBy(ctx, s.store, limits); err != nil {
		return nil, err
	}
	return s.saveAttempt(ctx, limits)
}

// countInQueue counts an attempt that has to be hashed, and reserves its place in the queue. The
// place comes first: while the queue is full, attempts write nothing.
func (s *Service) countInQueue(ctx context.Context, from queue, limits []limit) (place, charge, error) {
	if err := s.refusedBy(ctx, s.store, limits); err != nil {
		return place{}, nil, err
	}
	p, err := s.hasher.reserve(from)
	if err != nil {
		return place{}, nil, err
	}
	c, err := s.saveAttempt(ctx, limits)
	if err != nil {
		p.leave()
	}
	return p, c, err
}

func (s *Service) saveAttempt(ctx context.Context, limits []limit) (charge, error) {
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

// unchecked takes a charge back because the secret was not checked, and returns why. It also
// does so for a client that has gone away.
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

// attemptCounter is one counter of failures, and how long they make the next attempt wait.
type attemptCounter struct {
	keys    []string // by the present key of digests, then by older ones
	backoff backoff
}

// newCounter is the counter of what the parts name. A renewal of keys makes nobody's
// failures forgotten: what was counted by an older key goes on by the new one.
func (s *Service) newCounter(p backoff, kind vault.IndexKind, parts ...string) attemptCounter {
	return attemptCounter{s.vault.Digests(kind, parts...), p}
}

func (c attemptCounter) left(ctx context.Context, from reader, now time.Time) (time.Duration, error) {
	failed, err := c.read(ctx, from, now)
	return since(failed.Last, c.backoff.delay(failed.Count), now), err
}

// maxClockSkew is how far apart the clocks of two processes may be. An instant that lies further in
// the future was written before a clock was set back.
const maxClockSkew = time.Minute

// since is what is left of a wait that began at an instant. It is never longer than the wait. When
// the clock was set back, nobody knows how much is left: one attempt is free, and writes the
// instant again.
func since(last time.Time, wait time.Duration, now time.Time) time.Duration {
	if wait <= 0 || last.Sub(now) > maxClockSkew {
		return 0
	}
	return min(wait, last.Add(wait).Sub(now))
}

// read returns the counter by the newest key that knows it; zero when it is too old.
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
		default: // others were counted meanwhile
			present.Count--
			return tx.SaveSignInFailures(ctx, c.keys[0], present)
		}
	}, tx.SaveSignInFailures(ctx, c.keys[0], counted)
}

// never is the pace of a counter that is only read.
func never() backoff { return backoff{free: math.MaxInt} }

// wrongPasswords counts the wrong passwords for an address since the last right one: their
// number is told to the owner, and makes nobody wait.
func (s *Service) wrongPasswords(email string) attemptCounter {
	return s.newCounter(never(), vault.IndexSignIn, email)
}

func passwordBackoff() backoff { return backoff{free: 4, max: 15 * time.Minute} }

// An account is under attack while the level of wrong passwords from unknownDevices is at
// attackThreshold. It loses one every two minutes, and is never so high that an attack is
// remembered for more than an hour after its end.
const (
	attackThreshold = 30 * unitsPerAttempt
	attackMax       = 60 * unitsPerAttempt
	attackDecay     = 2 * time.Minute // for one unit
)

// freeInAttack is how many checks a network has before it depends on the account's turns.
const freeInAttack = 2

// attackWait is how long a network waits after so many failures while the account is attacked.
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

// turnWait is how long the account's last turn must be ago for a network with so many failures.
// The fewer they are, the sooner the network may go, so it is first.
func turnWait(failures int) time.Duration {
	return 20*time.Second + 10*time.Second*time.Duration(min(failures-freeInAttack, 4))
}

// unknownDevices limits the attempts at one account that come without its device cookie.
type unknownDevices struct {
	address attemptCounter // of the account, from this address
	network attemptCounter // of the account, from this network: read during an attack
	turns   attemptCounter // when the account's last turn was
	attack  []string       // keys of the level of wrong passwords
}

func (s *Service) unknownDevices(email string, from ClientInfo) unknownDevices {
	return unknownDevices{
		address: s.newCounter(passwordBackoff(), vault.IndexSignInAddress, email, from.Address),
		network: s.newCounter(never(), vault.IndexSignInNetwork, email, from.Network),
		turns:   s.newCounter(never(), vault.IndexSignInTurn, email),
		attack:  s.vault.Digests(vault.IndexRateLimit, "attack", email),
	}
}

// level is how many wrong passwords are remembered, in thousandths.
func (l unknownDevices) level(ctx context.Context, from reader, now time.Time) (int64, error) {
	m, err := readRateLimit(ctx, from, l.attack)
	ebbed := max(0, store.Millis(now)-m.At) * unitsPerAttempt / attackDecay.Milliseconds()
	return max(0, m.Level-ebbed), err
}

func (l unknownDevices) left(ctx context.Context, from reader, now time.Time) (time.Duration, error) {
	level, err := l.level(ctx, from, now)
	if err != nil || level < attackThreshold {
		if err == nil {
			return l.address.left(ctx, from, now)
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
	address, err := l.address.count(ctx, tx, now)
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
		if err := errors.Join(address(ctx, tx), network(ctx, tx), turn(ctx, tx)); err != nil {
			return err
		}
		return l.lowerAttack(ctx, tx, added)
	}, nil
}

// lowerAttack takes back from the level of wrong passwords what was no wrong password.
func (l unknownDevices) lowerAttack(ctx context.Context, tx *store.Tx, by int64) error {
	m, err := tx.RateLimit(ctx, l.attack[0])
	if err != nil || m.Level == 0 {
		return err
	}
	m.Level = max(0, m.Level-by)
	return tx.SaveRateLimit(ctx, l.attack[0], m)
}

func errTooSoon(wait time.Duration) error {
	return fault.Wrap(fault.Unavailable, "Too many attempts. Wait a moment, then try again.", &TooSoon{Wait: wait})
}

// clearFailures forgets the failures after a success.
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
