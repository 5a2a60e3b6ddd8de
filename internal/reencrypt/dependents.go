package reencrypt

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// OldKeyDependents counts what would be lost if the older keys were retired now.
func (r *Runner) OldKeyDependents(ctx context.Context) (store.OldKeyDependents, error) {
	if !r.vault.HasOlderKeys() {
		return store.OldKeyDependents{}, nil
	}
	now := r.now()
	since := store.Millis(now)
	at, err := r.store.Reencryption(ctx, r.vault.CurrentKey())
	if err == nil {
		since = at.BegunAt
	} else if !fault.Is(err, fault.NotFound) {
		return store.OldKeyDependents{}, err
	}
	keys := r.keys()
	keys.Since = since
	return r.store.OldKeyDependents(ctx, keys, now)
}

// DropOldKeyIndexes deletes the indexes that only the older keys could compare, in the caller's transaction, which
// also records it.
func (r *Runner) DropOldKeyIndexes(ctx context.Context, tx *store.Tx) error {
	if err := tx.DropOldKeyIndexes(ctx, r.keys()); err != nil {
		return err
	}
	return tx.DropOtherReencryptions(ctx, r.vault.CurrentKey())
}

func (r *Runner) keys() store.Keys {
	return store.Keys{Tokens: []int64{r.vault.TokenKey()}, Digests: []int64{r.vault.DigestKey()}}
}
