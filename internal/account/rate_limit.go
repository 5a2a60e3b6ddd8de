package account

import (
	"net/netip"
	"time"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// ClientInfo is where an attempt comes from, as far as a request tells.
type ClientInfo struct {
	Address string // the client's; of an IPv6 address its /64
	Network string // the same cut to a /24 or /48, to be shown
	Browser string // families such as "Firefox on Windows"
	Device  string `json:"-"` // the browser's device cookie, as it came; empty for none
	Session string `json:"-"` // hash of the browser's session, which a new one replaces; empty for none
}

func (c ClientInfo) location(userID string) store.LoginLocation {
	return store.LoginLocation{UserID: userID, Network: c.Network, Browser: c.Browser}
}

// rateLimitKind is one kind of thing that anybody may try before they are signed in.
type rateLimitKind string

// The kinds of attempts. Each has its own limit, so a mistyped password in an office delays nobody's
// passkey there.
const (
	tryPassword rateLimitKind = "password"
	// with a device cookie of the account: nobody without one can use it up
	tryKnownDevice  rateLimitKind = "password device"
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

// bucket is a limit that counts with a leaky bucket.
type bucket struct {
	*tally
	costs    int64
	capacity int64
	leaks    int64 // units a second
}

// newBucket returns the bucket of an address, or of whatever the parts name.
func (s *Service) newBucket(units int64, parts ...string) bucket {
	b := bucket{s.newTally(vault.IndexRateLimit, parts...), units, bucketCapacity, leakPerSecond}
	b.refund = min(units, successRefund)
	return b
}

// addressLimit limits an address for attempts that cannot guess a secret. Attempts that cannot fail cost successCost.
func (s *Service) addressLimit(d rateLimitKind, from ClientInfo, units int64) bucket {
	return s.newBucket(units, string(d), from.Address)
}

// successCost is the cost of an attempt that cannot fail.
const successCost = attemptCost - successRefund

// addressesPerNetwork is how many addresses of a network may use their whole limit at the same
// time. An attacker with a network has more addresses than that.
const addressesPerNetwork = 8

// guessLimits are the limits of an address and of its network for attempts that can guess a secret. A passkey cannot be
// guessed, so others in the network cannot lock out its owner.
func (s *Service) guessLimits(d rateLimitKind, from ClientInfo) []limit {
	network := s.newBucket(attemptCost, string(d)+" network", from.Network)
	network.capacity *= addressesPerNetwork
	network.leaks *= addressesPerNetwork
	return []limit{s.addressLimit(d, from, attemptCost), network}
}

// Over a day, failures of unknown browsers are also limited per account and per address range: an attacker
// may rent many networks of one provider, or of many. Known devices and passkeys are not affected, and a success costs
// nothing.
const (
	dailyOfAccount  = 2400 // of an account, from anywhere
	dailyOfRange    = 1000 // of a range, whatever accounts it tries
	dailyFromRange  = 60   // of an account, from one range
	secondsInOneDay = int64(24 * time.Hour / time.Second)
)

// dailyLimits are the limits of an account and of the client's address range for a day. Each allows its number of
// failures at once and as many again during the day.
func (s *Service) dailyLimits(email string, from ClientInfo) []limit {
	daily := func(failures int64, parts ...string) bucket {
		costs := secondsInOneDay / failures * unitsPerAttempt
		b := bucket{s.newTally(vault.IndexRateLimit, parts...), costs, failures * costs, unitsPerAttempt}
		b.refund = costs
		return b
	}
	wide := addressRange(from.Network)
	return []limit{daily(dailyOfAccount, "account day", email), daily(dailyOfRange, "range day", wide),
		daily(dailyFromRange, "account range day", email, wide)}
}

// addressRange widens a network to the /16 or, for IPv6, the /32 that contains it.
func addressRange(network string) string {
	p, err := netip.ParsePrefix(network)
	if err != nil {
		return network
	}
	bits := 32
	if p.Addr().Is4() {
		bits = 16
	}
	return netip.PrefixFrom(p.Addr(), min(bits, p.Bits())).Masked().String()
}

// level returns the level of the bucket. If the clock has been set back since it was written, the bucket would not
// leak, so it counts as empty.
func (b bucket) level(now time.Time) int64 {
	if b.stored.At-store.Millis(now) > maxClockSkew.Milliseconds() {
		return 0
	}
	return b.tally.level(now, b.leaks, time.Second)
}

func (b bucket) tallies() []*tally { return []*tally{b.tally} }

func (b bucket) left(now time.Time) time.Duration {
	return time.Duration(max(0, b.level(now)+b.costs-b.capacity)) * time.Second / time.Duration(b.leaks)
}

func (b bucket) count(now time.Time) {
	at := store.Millis(now)
	if ahead := b.stored.At - at; ahead > 0 && ahead <= maxClockSkew.Milliseconds() {
		at = b.stored.At
	}
	b.charge(0, b.level(now)+b.costs, at)
}
