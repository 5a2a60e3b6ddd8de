package renewal

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// Bound counts what would be lost if the older keys were retired now.
func (r *Renewal) Bound(ctx context.Context) (store.Bound, error) {
	if !r.vault.Older() {
		return store.Bound{}, nil
	}
	now := r.now()
	since := store.Millis(now)
	at, err := r.store.Renewal(ctx, r.vault.Present())
	if err == nil {
		since = at.BegunAt
	} else if fault.KindOf(err) != fault.NotFound {
		return store.Bound{}, err
	}
	keys := r.keys()
	keys.Since = since
	return r.store.Bound(ctx, keys, now)
}

// LetGo deletes what only the older keys could compare, in the transaction that says so.
func (r *Renewal) LetGo(ctx context.Context, tx *store.Tx) error {
	if err := tx.LetGo(ctx, r.keys()); err != nil {
		return err
	}
	return tx.DropRenewals(ctx, r.vault.Present())
}

func (r *Renewal) keys() store.Keys {
	return store.Keys{Tokens: r.vault.TokenKeys(), Digests: r.vault.DigestKeys()}
}
