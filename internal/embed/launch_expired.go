package embed

import (
	"context"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/vault"
)

// The cookie of a browser in a frame contains a token and a MAC that binds the token to its
// user. Only the token signs a user in. The MAC outlives the session, so that a form
// submitted after its end can be attributed to the user; it gives no access.

// BoundToken is a token as stored in the browser's cookie.
func (s *Service) BoundToken(key, userID, token string) string {
	return token + "." + s.vault.MAC(vault.MACFrameCookie, key, userID, token)
}

// ParseBoundToken returns the token in a browser's cookie.
func ParseBoundToken(cookie string) string {
	token, _, _ := strings.Cut(cookie, ".")
	return token
}

// ExpiredLaunch finds the launch for a request that arrives after the session's end.
// fault.NotFound if the user cannot be determined or may no longer come from the CRM: the
// CRM user was disconnected, or the account or the client is disabled.
func (s *Service) ExpiredLaunch(ctx context.Context, key, launchID, cookie string) (VerifiedLaunch, error) {
	notFound := fault.New(fault.NotFound, "Page not found.")
	token, mac, bound := strings.Cut(cookie, ".")
	if !bound {
		return VerifiedLaunch{}, notFound
	}
	c, err := s.Client(ctx, key)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	row, err := s.store.Launch(ctx, c.Key, launchID)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	if row.UserID == "" || !s.vault.VerifyMAC(mac, vault.MACFrameCookie, c.Key, row.UserID, token) {
		return VerifiedLaunch{}, notFound
	}
	l, err := s.decryptLaunch(ctx, c, row)
	if err == nil && l.Person.UserID != row.UserID {
		err = notFound
	}
	return l, err
}

// PendingFormNames are the names of what is stored for the record of a launch until its next launch, for every key,
// the current key's first.
func (s *Service) PendingFormNames(l VerifiedLaunch) []string {
	if indexes := s.RecordIndexes(l.Client, l.Record); len(indexes) > 0 {
		return indexes
	}
	return s.vault.Digests(vault.IndexNoRecord, l.Client.Key)
}
