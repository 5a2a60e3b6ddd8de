package account

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/vault"
)

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

// allDevices limits the failures of all devices of an account. Only who has a cookie of the
// account can use it up.
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

// deviceOf decodes a mark, and says whether it was made for this account.
func (s *Service) deviceOf(mark, userID string) (made []byte, own bool) {
	body, mac, _ := strings.Cut(mark, ".")
	made, err := base64.RawURLEncoding.DecodeString(body)
	return made, err == nil && len(made) == deviceBytes && s.vault.VerifyMAC(mac, vault.MACDevice, userID, body)
}
