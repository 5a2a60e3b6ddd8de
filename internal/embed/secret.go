package embed

import (
	"context"
	"slices"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// secretIndex is a blind index of a secret; launches that it signed are stored under it. A
// retired secret is never accepted again: its launches are forgotten and could be replayed.
func (s *Service) secretIndex(key string, secret []byte) string {
	return s.vault.MAC(vault.MACSecret, key, string(secret))
}

// matchesSecretIndex reports whether an index is that of a secret, for any key.
func (s *Service) matchesSecretIndex(index, key string, secret []byte) bool {
	return s.vault.VerifyMAC(index, vault.MACSecret, key, string(secret))
}

// wasRetired reports whether the entered secret was used and retired before.
func (s *Service) wasRetired(was signingKeys, e Setup) bool {
	return slices.ContainsFunc(was.RetiredSecrets, func(index string) bool {
		return s.matchesSecretIndex(index, e.Key, []byte(e.Secret))
	})
}

// dropConsumedUnder deletes the replay keys of launches that a retired secret signed.
func (s *Service) dropConsumedUnder(ctx context.Context, tx *store.Tx, key string, secret []byte) error {
	indexes, err := tx.ConsumedSecretIndexes(ctx, key)
	for _, index := range indexes {
		if err == nil && s.matchesSecretIndex(index, key, secret) {
			err = tx.DropConsumedLaunches(ctx, key, index)
		}
	}
	return err
}
