package embed

import (
	"context"
	"slices"

	"hearthline/internal/store"
)

// markOf is the mark of a secret, by which what it signed is remembered. One that holds no
// more is never taken again: its envelopes are forgotten, and would be new.
func (s *Service) markOf(key string, secret []byte) string {
	return s.vault.MAC("embed secret", key, string(secret))
}

// marked says whether a mark is that of a secret, by whichever key it was made.
func (s *Service) marked(mark, key string, secret []byte) bool {
	return s.vault.VerifyMAC(mark, "embed secret", key, string(secret))
}

// ended says whether the secret that is entered was in use before.
func (s *Service) ended(was signing, e Setup) bool {
	return slices.ContainsFunc(was.Ended, func(mark string) bool { return s.marked(mark, e.Key, []byte(e.Secret)) })
}

// forget forgets what was signed under a secret that holds no more.
func (s *Service) forget(ctx context.Context, tx *store.Tx, key string, secret []byte) error {
	marks, err := tx.SpentMarks(ctx, key)
	for _, mark := range marks {
		if err == nil && s.marked(mark, key, secret) {
			err = tx.ForgetSpent(ctx, key, mark)
		}
	}
	return err
}
