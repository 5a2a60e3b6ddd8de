package embed

import (
	"context"
	"strings"

	"hearthline/internal/fault"
)

// A browser in a frame keeps a token, and behind it a mark that says for whom it was made.
// The token alone lets somebody in. The mark outlives the session, so that what was typed
// too late is known to be theirs; it opens nothing.

// BoundToken is a token as a browser keeps it.
func (s *Service) BoundToken(key, userID, token string) string {
	return token + "." + s.vault.MAC("embed cookie", key, userID, token)
}

// ParseBoundToken is the token in what a browser keeps.
func ParseBoundToken(kept string) string {
	token, _, _ := strings.Cut(kept, ".")
	return token
}

// ExpiredLaunch finds whose frame it was from which something comes after its end. fault.NotFound when
// that cannot be told, and when they may not come this way again: their log-in was cut,
// their account is closed, or the client is.
func (s *Service) ExpiredLaunch(ctx context.Context, key, launchID, kept string) (VerifiedLaunch, error) {
	nobody := fault.New(fault.NotFound, "There is nothing at this address.")
	token, mark, marked := strings.Cut(kept, ".")
	if !marked {
		return VerifiedLaunch{}, nobody
	}
	c, err := s.Client(ctx, key)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	row, err := s.store.Launch(ctx, c.Key, launchID)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	if row.UserID == "" || !s.vault.VerifyMAC(mark, "embed cookie", c.Key, row.UserID, token) {
		return VerifiedLaunch{}, nobody
	}
	l, err := s.decryptLaunch(ctx, c, row)
	if err == nil && l.Person.UserID != row.UserID {
		err = nobody
	}
	return l, err
}

// PendingFormNames name what is kept beside the record of a launch until its next one, by every key,
// the present one's first.
func (s *Service) PendingFormNames(l VerifiedLaunch) []string {
	if marks := s.RecordIndexes(l.Client, l.Record); len(marks) > 0 {
		return marks
	}
	return s.vault.Digests("embed no record", l.Client.Key)
}
