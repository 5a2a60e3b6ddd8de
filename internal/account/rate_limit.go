package account

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// ClientInfo is where an attempt comes from, as far as a request tells.
type ClientInfo struct {
	Address string // the client's; of an IPv6 address its /64
	Network string // the same cut to a /24 or /48, to be shown
	Browser string // families such as "Firefox on Windows"
	Device  string `json:"-"` // the browser's device cookie, as it came; empty for none
}

func (f ClientInfo) location(userID string) store.LoginLocation {
	return store.LoginLocation{UserID: userID, Network: f.Network, Browser: f.Browser}
}

// rateLimitKind is one kind of thing that anybody may try before they are signed in.
type rateLimitKind string

// The kinds of attempts. Each has its own limit, so a mistyped password in an office delays nobody's
// passkey there.
const (
	tryPassword     rateLimitKind = "password"
	tryKnownDevice  rateLimitKind = "password device" // with a device cookie of the account: nobody without one can use it up
	trySecondFactor rateLimitKind = "second step"
	tryChallenge    rateLimitKind = "challenge" // sent to every sign-in page that is opened
	tryPasskey      rateLimitKind = "passkey"
	trySSO          rateLimitKind = "sign-on"
	tryLink         rateLimitKind = "link" // asked for, opened, and what it leads to
)

// What one address may do of each kind. Its leaky bucket holds 120 units and loses two a second.
// An attempt costs six, and five are refunded if it succeeds. So an address may fail twenty times
// at once and then twenty times a minute, and succeed 120 times: a whole office behind one address
// can sign in at nine, and a program that guesses cannot continue. Buckets are in the database, for
// all processes and across restarts. They limit an address whatever accounts it tries; backoff.go
// slows down guesses at one account, wherever they come from. An attempt that is refused there
// costs nothing here.
const (
	unitsPerAttempt = 1000 // levels are kept in thousandths
	bucketCapacity  = 120 * unitsPerAttempt
	leakPerSecond   = 2 * unitsPerAttempt // a second
	attemptCost     = 6 * unitsPerAttempt
	successRefund   = 5 * unitsPerAttempt
)

// rateLimit charges an address for an attempt before checking it, so that many at once are all
// counted. An attempt that the bucket cannot hold is refused, which costs nothing.
func (s *Service) rateLimit(ctx context.Context, d rateLimitKind, from ClientInfo) error {
	return s.applyRateLimit(ctx, d, from, attemptCost)
}

// chargeRateLimit charges for an attempt that cannot fail.
func (s *Service) chargeRateLimit(ctx context.Context, d rateLimitKind, from ClientInfo) error {
	return s.applyRateLimit(ctx, d, from, attemptCost-successRefund)
}

// refundRateLimit refunds what only a failure costs.
func (s *Service) refundRateLimit(ctx context.Context, d rateLimitKind, from ClientInfo) error {
	return s.applyRateLimit(ctx, d, from, -successRefund)
}

func (s *Service) applyRateLimit(ctx context.Context, d rateLimitKind, from ClientInfo, units int64) error {
	if units > 0 {
		_, err := s.countAttempt(ctx, asLimits(s.buckets(d, from, units))...)
		return err
	}
	err := s.write(ctx, func(tx *store.Tx) error { return s.charge(ctx, tx, d, from, units) })
	if err != nil {
		return fault.Wrap(fault.Internal, "", err)
	}
	return nil
}

// bucket returns the limit of an address for an attempt that costs so many units.
func (s *Service) bucket(d rateLimitKind, from ClientInfo, units int64) bucket {
	return bucket{
		keys: s.vault.Digests(vault.IndexRateLimit, string(d), from.Address), costs: units, refund: min(units, successRefund),
		capacity: bucketCapacity, leaks: leakPerSecond,
	}
}

// addressesPerNetwork is how many addresses of a network may use their whole limit at the same
// time. An attacker with a network has more addresses than that.
const addressesPerNetwork = 8

// buckets returns the limit of an address and, for attempts that can guess a secret, that of its
// network. A passkey cannot be guessed, so its owner does not depend on what others in the network do.
func (s *Service) buckets(d rateLimitKind, from ClientInfo, units int64) []bucket {
	address := s.bucket(d, from, units)
	switch d {
	case tryPassword, tryKnownDevice, trySecondFactor:
		network := address
		network.keys = s.vault.Digests(vault.IndexRateLimit, string(d)+" network", from.Network)
		network.capacity *= addressesPerNetwork
		network.leaks *= addressesPerNetwork
		return []bucket{address, network}
	default:
		return []bucket{address}
	}
}

func asLimits(all []bucket) []limit {
	limits := make([]limit, len(all))
	for i, m := range all {
		limits[i] = m
	}
	return limits
}

// rateLimits limit one attempt.
func (s *Service) rateLimits(d rateLimitKind, from ClientInfo) []limit {
	return asLimits(s.buckets(d, from, attemptCost))
}

// charge adds units to the buckets of an address and its network, or removes them.
func (s *Service) charge(ctx context.Context, tx *store.Tx, d rateLimitKind, from ClientInfo, units int64) error {
	for _, m := range s.buckets(d, from, units) {
		if err := m.charge(ctx, tx, s.Now(), units); err != nil {
			return err
		}
	}
	return nil
}

type bucket struct {
	keys     []string // by the current key of digests, then by older ones
	costs    int64
	refund   int64 // for an attempt that was not checked
	capacity int64
	leaks    int64 // units a second
}

// read returns the bucket. One that was written before the clock was set back would not lose units,
// and counts as empty.
func (m bucket) read(ctx context.Context, from reader, now time.Time) (store.RateLimit, error) {
	found, err := readRateLimit(ctx, from, m.keys)
	if found.At-store.Millis(now) > maxClockSkew.Milliseconds() {
		return store.RateLimit{}, err
	}
	return found, err
}

func (m bucket) level(ctx context.Context, from reader, now time.Time) (int64, error) {
	found, err := m.read(ctx, from, now)
	return max(0, found.Level-max(0, store.Millis(now)-found.At)*m.leaks/1000), err
}

func (m bucket) left(ctx context.Context, from reader, now time.Time) (time.Duration, error) {
	level, err := m.level(ctx, from, now)
	return time.Duration(max(0, level+m.costs-m.capacity)) * time.Second / time.Duration(m.leaks), err
}

func (m bucket) count(ctx context.Context, tx *store.Tx, now time.Time) (undo, error) {
	return func(ctx context.Context, tx *store.Tx) error { return m.charge(ctx, tx, now, -m.refund) }, m.charge(ctx, tx, now, m.costs)
}

func (m bucket) charge(ctx context.Context, tx *store.Tx, now time.Time, units int64) error {
	found, err := m.read(ctx, tx, now)
	if err != nil {
		return err
	}
	at := max(found.At, store.Millis(now))
	level := max(0, found.Level-(at-found.At)*m.leaks/1000)
	return tx.SaveRateLimit(ctx, m.keys[0], store.RateLimit{Level: max(0, level+units), At: at})
}

// readRateLimit reads a bucket by the current key, or by an older one.
func readRateLimit(ctx context.Context, from reader, keys []string) (m store.RateLimit, err error) {
	for _, key := range keys {
		if m, err = from.RateLimit(ctx, key); err != nil || m.At != 0 {
			return m, err
		}
	}
	return m, nil
}
