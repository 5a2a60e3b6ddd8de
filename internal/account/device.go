package account

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"
)

// Device cookies
//
// A browser that has signed in keeps a mark of the account, as in OWASP's "Device cookies". It
// signs nobody in: an attempt at the account's password that comes with it is limited apart from
// the attempts of strangers. A mark is a time, a random number that names the device to our
// counters, and a MAC over both and the account. It says nothing about whose it is: the account
// is known from the email that is typed. A browser that several people share keeps one mark each.
const (
	deviceLife  = 180 * 24 * time.Hour
	mostDevices = 5 // marks in one browser; the oldest goes
	mostCookie  = 1024
	deviceBytes = 8 + 16
)

// RememberDevice returns what a browser keeps once somebody has signed in with it; cookie is
// what it has kept so far.
func (s *Service) RememberDevice(userID, cookie string) string {
	made := make([]byte, deviceBytes)
	binary.BigEndian.PutUint64(made, uint64(max(0, s.Now().Unix())))
	_, _ = rand.Read(made[8:])
	body := base64.RawURLEncoding.EncodeToString(made)
	all := []string{body + "." + s.vault.MAC("device", userID, body)}
	for _, mark := range marksIn(cookie) {
		if _, own := s.deviceOf(mark, userID); !own && len(all) < mostDevices {
			all = append(all, mark)
		}
	}
	return strings.Join(all, "~")
}

// device names the device of an account that a cookie proves; empty for none.
func (s *Service) device(cookie, userID string) string {
	if userID == "" {
		return ""
	}
	for _, mark := range marksIn(cookie) {
		made, own := s.deviceOf(mark, userID)
		if !own {
			continue
		}
		age := s.Now().Sub(time.Unix(int64(min(binary.BigEndian.Uint64(made), 1<<40)), 0))
		if age >= 0 && age < deviceLife {
			return base64.RawURLEncoding.EncodeToString(made)
		}
	}
	return ""
}

// marksIn are the marks of a cookie that have the right shape, whoever made them.
func marksIn(cookie string) []string {
	if cookie == "" || len(cookie) > mostCookie {
		return nil
	}
	var all []string
	for mark := range strings.SplitSeq(cookie, "~") {
		body, mac, _ := strings.Cut(mark, ".")
		if made, err := base64.RawURLEncoding.DecodeString(body); err == nil && len(made) == deviceBytes && mac != "" && len(all) < mostDevices {
			all = append(all, mark)
		}
	}
	return all
}

// deviceOf decodes a mark, and says whether it was made for this account.
func (s *Service) deviceOf(mark, userID string) (made []byte, own bool) {
	body, mac, _ := strings.Cut(mark, ".")
	made, err := base64.RawURLEncoding.DecodeString(body)
	return made, err == nil && len(made) == deviceBytes && s.vault.VerifyMAC(mac, "device", userID, body)
}
