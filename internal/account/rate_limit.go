package account

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// ClientInfo is where an attempt comes from, as far as the request shows.
type ClientInfo struct {
	Address string // the client's IP address; for IPv6 its /64
	Network string // the address cut to a /24 or /48, for display
	Browser string // families such as "Firefox on Windows"
	Device  string `json:"-"` // the browser's device cookie as received; empty for none
}

func (f ClientInfo) location(userID string) store.LoginLocation {
	return store.LoginLocation{UserID: userID, Network: f.Network, Browser: f.Browser}
}

// rateLimitKind is one kind of action that anybody can try before they are signed in.
type rateLimitKind string

// The kinds. Each has its own limit: a user who mistypes a password in an office does not block colleagues
// who use passkeys.
const (
	tryPassword     rateLimitKind = "password"
	trySecondFactor rateLimitKind = "second step"
	tryChallenge    rateLimitKind = "challenge" // a request for a challenge, which every view of the sign-in page makes
	tryPasskey      rateLimitKind = "passkey"
	trySSO          rateLimitKind = "sign-on"
	tryLink         rateLimitKind = "link" // requesting one, opening it, and the set-up after it
)

// The limit of one address for each kind is a leaky bucket. It holds 120 units and loses two per second. An
// attempt costs six units, and a successful one gets five back. So an address can fail twenty times at once
// and then twenty times a minute, or succeed 120 times at once: an office behind one address can sign in at
// nine, and a program that guesses is slowed down. The levels are in the database, shared by all processes
// and kept across restarts. They limit an address across all accounts; backoff.go limits guesses at one
// account across all addresses. An attempt that is rejected there costs nothing here.
const (
	unitsPerAttempt = 1000 // levels are stored in thousandths
	bucketCapacity  = 120 * unitsPerAttempt
	leakPerSecond   = 2 * unitsPerAttempt
	attemptCost     = 6 * unitsPerAttempt
	successRefund   = 5 * unitsPerAttempt
)

// rateLimit charges an address for an attempt before it is processed, so that parallel attempts cannot exceed
// the limit. An attempt over the limit is rejected and costs nothing.
func (s *Service) rateLimit(ctx context.Context, d rateLimitKind, from ClientInfo) error {
	return s.applyRateLimit(ctx, d, from, attemptCost)
}

// chargeRateLimit charges for an action that cannot fail.
func (s *Service) chargeRateLimit(ctx context.Context, d rateLimitKind, from ClientInfo) error {
	return s.applyRateLimit(ctx, d, from, attemptCost-successRefund)
}

// refundRateLimit refunds what only a failure costs.
func (s *Service) refundRateLimit(ctx context.Context, d rateLimitKind, from ClientInfo) error {
	return s.applyRateLimit(ctx, d, from, -successRefund)
}

func (s *Service) applyRateLimit(ctx context.Context, d rateLimitKind, from ClientInfo, units int64) error {
	m := s.bucket(d, from, units)
	if units > 0 {
		_, err := s.countAttempt(ctx, m)
		return err
	}
	err := s.write(ctx, func(tx *store.Tx) error { return m.add(ctx, tx, s.Now(), units) })
	if err != nil {
		return fault.Wrap(fault.Internal, "", err)
	}
	return nil
}

// bucket returns the limit of an address for an attempt that costs a number of units.
func (s *Service) bucket(d rateLimitKind, from ClientInfo, units int64) bucket {
	return bucket{s.vault.Digests("measure", string(d), from.Address), units}
}

type bucket struct {
	keys  []string // under the current digest key, then under older ones
	costs int64
}

func (m bucket) level(ctx context.Context, from reader, now time.Time) (int64, error) {
	found, err := readRateLimit(ctx, from, m.keys)
	return max(0, found.Level-max(0, store.Millis(now)-found.At)*leakPerSecond/1000), err
}

func (m bucket) left(ctx context.Context, from reader, now time.Time) (time.Duration, error) {
	level, err := m.level(ctx, from, now)
	return time.Duration(max(0, level+m.costs-bucketCapacity)) * time.Second / leakPerSecond, err
}

func (m bucket) count(ctx context.Context, tx *store.Tx, now time.Time) (undo, error) {
	return func(ctx context.Context, tx *store.Tx) error { return m.add(ctx, tx, now, -m.costs) }, m.add(ctx, tx, now, m.costs)
}

func (m bucket) add(ctx context.Context, tx *store.Tx, now time.Time, units int64) error {
	found, err := readRateLimit(ctx, tx, m.keys)
	if err != nil {
		return err
	}
	at := max(found.At, store.Millis(now))
	level := max(0, found.Level-(at-found.At)*leakPerSecond/1000)
	return tx.SaveRateLimit(ctx, m.keys[0], store.RateLimit{Level: max(0, level+units), At: at})
}

// readRateLimit reads a level under the current key, or else under an older one.
func readRateLimit(ctx context.Context, from reader, keys []string) (m store.RateLimit, err error) {
	for _, key := range keys {
		if m, err = from.RateLimit(ctx, key); err != nil || m.At != 0 {
			return m, err
		}
	}
	return m, nil
}
