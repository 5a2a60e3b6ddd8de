package reencrypt

import (
	"context"
	"errors"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// valuesPerBatch is how many values are read in one transaction, because each transaction blocks the writer.
const valuesPerBatch = 50

// resealValues encrypts some values of a column again.
func (r *Runner) resealValues(ctx context.Context, tx *store.Tx, at *store.Reencryption,
	c store.SealedColumn) (looked int, err error) {
	page, err := tx.SealedPage(ctx, c, store.Sealed{Row: at.AfterRow, AADName: at.AfterAAD}, valuesPerBatch)
	for _, old := range page {
		at.AfterRow, at.AfterAAD = old.Row, old.AADName
		if !r.vault.Stale(old.Value) {
			continue
		}
		value, err := r.reseal(aadOf(c, old), old.Value)
		if errors.Is(err, vault.ErrUndecryptable) { // nobody can decrypt it, and it must not block the others
			at.Undecryptable++
			continue
		}
		if err != nil {
			return 0, err
		}
		if err := tx.ReplaceSealed(ctx, old, value); err != nil {
			return 0, err
		}
		at.SealedValues++
	}
	return len(page), err
}

// aadOf returns the associated data of a value.
func aadOf(c store.SealedColumn, value store.Sealed) vault.AAD {
	if c.AADColumn != "" {
		return vault.StoredAAD(c.Table, value.Row, value.AADName)
	}
	return vault.StoredAAD(c.Table, value.Row, c.Column)
}

// reseal encrypts the same value again under the current key.
func (r *Runner) reseal(aad vault.AAD, sealed []byte) ([]byte, error) {
	plain, err := r.vault.Unseal(aad, sealed)
	if err != nil {
		return nil, err
	}
	return r.vault.Seal(aad, plain)
}

// DecryptCheck is the result of decrypting every encrypted value.
type DecryptCheck struct {
	Checked   int      // number of values
	Failed    int      // number of values that cannot be decrypted
	Locations []string // column and row of the first failed ones
}

// maxLocations limits how many locations are listed.
const maxLocations = 10

// valuesPerPage is how many values are read together. They are read only, so nobody waits for them.
const valuesPerPage = 1000

// CheckDecryption decrypts every encrypted value and reports those that fail: they were changed, moved from their row, or
// their key is gone.
func (r *Runner) CheckDecryption(ctx context.Context) (check DecryptCheck, err error) {
	for _, c := range store.SealedColumns() {
		after := store.Sealed{}
		for more := true; more; {
			page, err := r.store.SealedPage(ctx, c, after, valuesPerPage)
			if err != nil {
				return check, err
			}
			for _, value := range page {
				check.add(r.vault, c, value)
				after = value
			}
			more = len(page) > 0
		}
	}
	return check, nil
}

func (d *DecryptCheck) add(v *vault.Vault, c store.SealedColumn, value store.Sealed) {
	d.Checked++
	if _, err := v.Unseal(aadOf(c, value), value.Value); err == nil {
		return
	}
	d.Failed++
	if len(d.Locations) < maxLocations {
		d.Locations = append(d.Locations, c.Name()+" of "+value.Row)
	}
}
