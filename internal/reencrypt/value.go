package reencrypt

import (
	"context"
	"errors"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// valuesPerBatch are looked at in one transaction: each holds the writer.
const valuesPerBatch = 50

// resealValues seals some values of a column anew.
func (r *Runner) resealValues(ctx context.Context, tx *store.Tx, at *store.Reencryption, c store.SealedColumn) (looked int, err error) {
	page, err := tx.SealedPage(ctx, c, store.Sealed{Row: at.AfterRow, AADName: at.AfterAAD}, valuesPerBatch)
	for _, old := range page {
		at.AfterRow, at.AfterAAD = old.Row, old.AADName
		if !r.vault.Stale(old.Value) {
			continue
		}
		value, err := r.reseal(aadOf(c, old), old.Value)
		if errors.Is(err, vault.ErrUndecryptable) { // nobody can read it, and the rest is not to wait for it
			at.Undecryptable++
			continue
		}
		if err != nil {
			return 0, err
		}
		if err := tx.ReplaceSealed(ctx, old, value); err != nil {
			return 0, err
		}
		at.Values++
	}
	return len(page), err
}

// aadOf is where a value lies.
func aadOf(c store.SealedColumn, value store.Sealed) vault.AAD {
	if c.AADColumn != "" {
		return vault.AAD{Table: c.Table, Row: value.Row, Column: value.AADName}
	}
	return vault.AAD{Table: c.Table, Row: value.Row, Column: c.Column}
}

// reseal is another sealing of the same value, by the present key.
func (r *Runner) reseal(place vault.AAD, sealed []byte) ([]byte, error) {
	plain, err := r.vault.Unseal(place, sealed)
	if err != nil {
		return nil, err
	}
	return r.vault.Seal(place, plain)
}
