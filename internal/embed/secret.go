package embed

import (
	"context"
	"slices"

	"hearthline/internal/store"
)

// secretIndex is the mark of a secret, by which what it signed is remembered. One that holds no
// more is never taken again: its envelopes are forgotten, and would be new.
func (s *Service) secretIndex(key string, secret []byte) string {
	return s.vault.MAC("embed secret", key, string(secret))
}

// matchesSecretIndex says whether a mark is that of a secret, by whichever key it was made.
func (s *Service) matchesSecretIndex(mark, key string, secret []byte) bool {
	return s.vault.VerifyMAC(mark, "embed secret", key, string(secret))
}

// wasRetired says whether the secret that is entered was in use before.
func (s *Service) wasRetired(was signingKeys, e Setup) bool {
	return slices.ContainsFunc(was.RetiredSecrets, func(mark string) bool { return s.matchesSecretIndex(mark, e.Key, []byte(e.Secret)) })
}

// dropConsumedUnder forgets what was signed under a secret that holds no more.
func (s *Service) dropConsumedUnder(ctx context.Context, tx *store.Tx, key string, secret []byte) error {
	marks, err := tx.ConsumedSecretIndexes(ctx, key)
	for _, mark := range marks {
		if err == nil && s.matchesSecretIndex(mark, key, secret) {
			err = tx.DropConsumedLaunches(ctx, key, mark)
		}
	}
	return err
}
