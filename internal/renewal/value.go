package renewal

import (
	"context"
	"errors"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// valuesAtOnce are looked at in one transaction: each holds the writer.
const valuesAtOnce = 50

// values seals some values of a column anew.
func (r *Renewal) values(ctx context.Context, tx *store.Tx, at *store.Renewal, c store.SealedColumn) (looked int, err error) {
	page, err := tx.SealedPage(ctx, c, store.Sealed{Row: at.AfterRow, Named: at.AfterNamed}, valuesAtOnce)
	for _, old := range page {
		at.AfterRow, at.AfterNamed = old.Row, old.Named
		if !r.vault.Stale(old.Value) {
			continue
		}
		value, err := r.again(placeOf(c, old), old.Value)
		if errors.Is(err, vault.ErrUnopened) { // nobody can read it, and the rest is not to wait for it
			at.Unopened++
			continue
		}
		if err != nil {
			return 0, err
		}
		if err := tx.Reseal(ctx, old, value); err != nil {
			return 0, err
		}
		at.Sealings++
	}
	return len(page), err
}

// placeOf is where a value lies.
func placeOf(c store.SealedColumn, value store.Sealed) vault.Place {
	if c.Named != "" {
		return vault.Place{Table: c.Table, Row: value.Row, Column: value.Named}
	}
	return vault.Place{Table: c.Table, Row: value.Row, Column: c.Column}
}

// again is another sealing of the same value, by the present key.
func (r *Renewal) again(place vault.Place, sealed []byte) ([]byte, error) {
	plain, err := r.vault.Unseal(place, sealed)
	if err != nil {
		return nil, err
	}
	return r.vault.Seal(place, plain)
}
