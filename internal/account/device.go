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
// A browser that has signed in stores a device token for the account, as in OWASP's "Device cookies". The
// token does not sign anybody in: an attempt at the account's password that comes with it has its own limit,
// separate from attempts by unknown devices. A token consists of a time, a random number that identifies the
// device to our counters, and a MAC over both and the account. It does not reveal the account, which is known
// from the email that the user types. A browser that several users share stores one token for each.
const (
	deviceLife  = 180 * 24 * time.Hour
	maxDevices  = 5 // tokens in one browser; the oldest is dropped
	maxCookie   = 1024
	deviceBytes = 8 + 16
)

// RememberDevice returns the cookie for a browser in which a user has just signed in; cookie is its current
// one.
func (s *Service) RememberDevice(userID, cookie string) string {
	decoded := make([]byte, deviceBytes)
	binary.BigEndian.PutUint64(decoded, uint64(max(0, s.Now().Unix())))
	_, _ = rand.Read(decoded[8:])
	body := base64.RawURLEncoding.EncodeToString(decoded)
	all := []string{body + "." + s.vault.MAC("device", userID, body)}
	for _, token := range deviceTokens(cookie) {
		if _, own := s.deviceOf(token, userID); !own && len(all) < maxDevices {
			all = append(all, token)
		}
	}
	return strings.Join(all, "~")
}

// device identifies the account's device that a cookie proves; empty for none.
func (s *Service) device(cookie, userID string) string {
	if userID == "" {
		return ""
	}
	for _, token := range deviceTokens(cookie) {
		decoded, own := s.deviceOf(token, userID)
		if !own {
			continue
		}
		age := s.Now().Sub(time.Unix(int64(min(binary.BigEndian.Uint64(decoded), 1<<40)), 0))
		if age >= 0 && age < deviceLife {
			return base64.RawURLEncoding.EncodeToString(decoded)
		}
	}
	return ""
}

// deviceTokens returns the tokens of a cookie that have the right format. It does not verify them.
func deviceTokens(cookie string) []string {
	if cookie == "" || len(cookie) > maxCookie {
		return nil
	}
	var all []string
	for token := range strings.SplitSeq(cookie, "~") {
		body, mac, _ := strings.Cut(token, ".")
		if decoded, err := base64.RawURLEncoding.DecodeString(body); err == nil && len(decoded) == deviceBytes && mac != "" && len(all) < maxDevices {
			all = append(all, token)
		}
	}
	return all
}

// deviceOf decodes a token, and reports whether it was made for this account.
func (s *Service) deviceOf(token, userID string) (decoded []byte, own bool) {
	body, mac, _ := strings.Cut(token, ".")
	decoded, err := base64.RawURLEncoding.DecodeString(body)
	return decoded, err == nil && len(decoded) == deviceBytes && s.vault.VerifyMAC(mac, "device", userID, body)
}
