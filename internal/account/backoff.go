package account

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// TooSoon is the answer to an attempt within the waiting time. It is the same
// for addresses that have no account.
type TooSoon struct{ Wait time.Duration }

func (t *TooSoon) Error() string { return fmt.Sprintf("sign in again after %v", t.Wait) }

// RetryAfter returns how long to wait.
func (t *TooSoon) RetryAfter() time.Duration { return t.Wait }

// Limits on guessing a password
//
// Anybody may try a password for any account, from as many networks as they can rent. So three
// kinds of attempt are limited apart from each other:
//
//   - An attempt with the device cookie of the account (see below) is counted for that device
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
// 180 an hour in addition, and never more than the daily limits allow (rate_limit.go). One lower limit for the
// whole account, shared by everyone, would let the attacker, who is always first, keep the owner out.
//
// One owner remains whom an attacker can keep out: the owner who uses a password in a browser
// without the device cookie, at an address from which the attacker also sends, in a network
// where the attacker has several addresses, or when a daily limit is used up. They share the checks allowed for that
// address, network or day.
//
// Only a password that was checked counts. An attempt is counted before the check, so that many at once are all
// counted, and the count is undone when there was no check: refusals, and "too many people are signing in", lengthen
// nobody's wait. Only the address and the network that send keep a sixth of the charge, so that nobody makes the
// portal write and take back without limit. Passkeys and mailed links are not limited by account, so they stay open.
// A row is kept for each account and address, and for each account and network, with a checked password, for a day:
// hash.go bounds how many can be checked.

// backoff is how waiting grows: nothing for the first free failures, then a second,
// doubled with each failure up to longest.
type backoff struct {
	free int
	max  time.Duration
}

// failuresExpireAfter is when old failures no longer count.
const failuresExpireAfter = 24 * time.Hour

func (b backoff) delay(count int) time.Duration {
	if count <= b.free {
		return 0
	}
	return doubled(time.Second, count-b.free-1, b.max)
}

// doubled doubles a wait several times, up to the longest.
func doubled(wait time.Duration, times int, longest time.Duration) time.Duration {
	for range times {
		if wait *= 2; wait >= longest {
			return longest
		}
	}
	return wait
}

// attemptCounter counts failures. How many they are decides how long the next attempt waits.
type attemptCounter struct {
	*tally
	backoff backoff
}

func (s *Service) newCounter(p backoff, kind vault.IndexKind, parts ...string) attemptCounter {
	return attemptCounter{s.newTally(kind, parts...), p}
}

// failures returns the failures that still count.
func (c attemptCounter) failures(now time.Time) store.SignInAttempts {
	if now.Sub(store.Instant(c.stored.At)) > failuresExpireAfter {
		return store.SignInAttempts{}
	}
	return c.stored
}

func (c attemptCounter) tallies() []*tally { return []*tally{c.tally} }

func (c attemptCounter) left(now time.Time) time.Duration {
	failed := c.failures(now)
	return since(failed.At, c.backoff.delay(int(failed.Count)), now)
}

func (c attemptCounter) count(now time.Time) { c.charge(c.failures(now).Count+1, 0, store.Millis(now)) }

// maxClockSkew is how far apart the clocks of two processes may be. An instant that lies further in
// the future was written before a clock was set back.
const maxClockSkew = time.Minute

// since is what is left of a wait that began at an instant. It is never longer than the wait. When
// the clock was set back, nobody knows how much is left: one attempt is free, and writes the
// instant again.
func since(millis int64, wait time.Duration, now time.Time) time.Duration {
	began := store.Instant(millis)
	if wait <= 0 || began.Sub(now) > maxClockSkew {
		return 0
	}
	return min(wait, began.Add(wait).Sub(now))
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
	attack  *tally         // the level of wrong passwords
}

func (s *Service) unknownDevices(email string, from ClientInfo) unknownDevices {
	l := unknownDevices{
		address: s.newCounter(passwordBackoff(), vault.IndexSignInAddress, email, from.Address),
		network: s.newCounter(never(), vault.IndexSignInNetwork, email, from.Network),
		turns:   s.newCounter(never(), vault.IndexSignInTurn, email),
		attack:  s.newTally(vault.IndexRateLimit, "attack", email),
	}
	l.turns.lasts = true
	return l
}

// level is how many wrong passwords are remembered, in thousandths.
func (u unknownDevices) level(now time.Time) int64 {
	return u.attack.level(now, unitsPerAttempt, attackDecay)
}

func (u unknownDevices) tallies() []*tally {
	return []*tally{u.address.tally, u.network.tally, u.turns.tally, u.attack}
}

func (u unknownDevices) left(now time.Time) time.Duration {
	if u.level(now) < attackThreshold {
		return u.address.left(now)
	}
	failed, turn := u.network.failures(now), u.turns.failures(now)
	left := since(failed.At, attackWait(int(failed.Count)), now)
	if failed.Count >= freeInAttack && turn.Count > 0 {
		left = max(left, since(turn.At, turnWait(int(failed.Count)), now))
	}
	return left
}

func (u unknownDevices) count(now time.Time) {
	level := u.level(now)
	u.address.count(now)
	u.network.count(now)
	if level >= attackThreshold && u.network.failures(now).Count >= freeInAttack {
		u.turns.count(now)
	}
	u.attack.refund = min(unitsPerAttempt, attackMax-level)
	u.attack.charge(0, level+u.attack.refund, store.Millis(now))
}

// Device cookies
//
// A browser that has signed in keeps a mark of the account, as in OWASP's "Device cookies". It
// signs nobody in: an attempt at the account's password that comes with it is limited apart from
// the attempts of unknownDevices. A mark is a time, a random number that names the device to our
// counters, the account's session epoch, and a MAC over these and the account. It says nothing
// about whose it is: the account is known from the email that is typed. A browser that several
// people share keeps one mark each.
//
// The session epoch rises when the password or the email changes, when the account is reset,
// closed or moved to another role or company, and when somebody ends its sessions. Earlier marks
// are then invalid, so that an attacker who signed in with a stolen password cannot use theirs.
// The owner's browsers get new marks with their next sign-ins.
const (
	deviceLife  = 180 * 24 * time.Hour
	mostDevices = 5 // marks in one browser; the oldest goes
	mostCookie  = 1024
	deviceBytes = 8 + 16 + 8
)

// All devices of one account together may fail thirty times at once, and then thirty times an
// hour. Beyond that their attempts are limited like those of unknown browsers: many stolen cookies are
// worth no more than one, and the owner still signs in.
const (
	unitsPerDeviceFailure = 120 * unitsPerAttempt // the limit loses a unit a second
	devicesCapacity       = 30 * unitsPerDeviceFailure
)

// allDevices limits failures across all devices of an account. Only someone with a cookie for the account can use it
// up.
func (s *Service) allDevices(d rateLimitKind, userID string) bucket {
	b := bucket{s.newTally(vault.IndexRateLimit, "devices", string(d), userID), unitsPerDeviceFailure, devicesCapacity,
		unitsPerAttempt}
	b.refund = b.costs
	return b
}

// RememberDevice returns what a browser keeps once somebody has signed in with it; cookie is
// what it has kept so far.
func (s *Service) RememberDevice(user access.User, cookie string) string {
	made := make([]byte, deviceBytes)
	binary.BigEndian.PutUint64(made, uint64(max(0, s.Now().Unix())))
	_, _ = rand.Read(made[8:24])
	binary.BigEndian.PutUint64(made[24:], uint64(max(0, user.SessionEpoch)))
	body := base64.RawURLEncoding.EncodeToString(made)
	all := []string{body + "." + s.vault.MAC(vault.MACDevice, user.UserID, body)}
	for _, mark := range marksIn(cookie) {
		if _, own := s.deviceOf(mark, user.UserID); !own && len(all) < mostDevices {
			all = append(all, mark)
		}
	}
	return strings.Join(all, "~")
}

// device names the device of an account that a cookie proves; empty for none.
func (s *Service) device(cookie string, user access.User) string {
	if user.UserID == "" {
		return ""
	}
	for _, mark := range marksIn(cookie) {
		made, own := s.deviceOf(mark, user.UserID)
		if !own || binary.BigEndian.Uint64(made[24:]) != uint64(max(0, user.SessionEpoch)) {
			continue
		}
		age := s.Now().Sub(time.Unix(int64(min(binary.BigEndian.Uint64(made), 1<<40)), 0))
		if age >= 0 && age < deviceLife {
			return base64.RawURLEncoding.EncodeToString(made)
		}
	}
	return ""
}

// marksIn returns the marks of a cookie that have the right shape. Their signatures are not checked.
func marksIn(cookie string) []string {
	if cookie == "" || len(cookie) > mostCookie {
		return nil
	}
	var all []string
	for mark := range strings.SplitSeq(cookie, "~") {
		body, mac, _ := strings.Cut(mark, ".")
		if made, err := base64.RawURLEncoding.DecodeString(body); err == nil && len(made) == deviceBytes && mac != "" &&
			len(all) < mostDevices {
			all = append(all, mark)
		}
	}
	return all
}

// deviceOf decodes a mark and reports whether it was made for this account.
func (s *Service) deviceOf(mark, userID string) (made []byte, own bool) {
	body, mac, _ := strings.Cut(mark, ".")
	made, err := base64.RawURLEncoding.DecodeString(body)
	return made, err == nil && len(made) == deviceBytes && s.vault.VerifyMAC(mac, vault.MACDevice, userID, body)
}
