package reencrypt

import (
	"context"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// DecryptCheck is the result of decrypting every encrypted value.
type DecryptCheck struct {
	Checked   int      // number of values
	Failed    int      // number of values that cannot be decrypted
	Locations []string // column and row of the first failed ones
}

// maxLocations limits how many locations are listed.
const maxLocations = 10

// CheckDecryption decrypts every encrypted value and reports those that fail: they were changed, moved from their
// row, or their key is gone.
func (r *Runner) CheckDecryption(ctx context.Context) (DecryptCheck, error) {
	var check DecryptCheck
	for _, c := range store.SealedColumns() {
		for after := (store.Sealed{}); ; {
			page, err := r.store.SealedPage(ctx, c, after, valuesPerBatch)
			if err != nil {
				return check, err
			}
			for _, value := range page {
				check.add(r.vault, c, value)
			}
			if len(page) < valuesPerBatch {
				break
			}
			after = page[len(page)-1]
		}
	}
	return check, nil
}

func (l *DecryptCheck) add(v *vault.Vault, c store.SealedColumn, value store.Sealed) {
	l.Checked++
	if _, err := v.Unseal(aadOf(c, value), value.Value); err == nil {
		return
	}
	l.Failed++
	if len(l.Locations) < maxLocations {
		l.Locations = append(l.Locations, c.Name()+" of "+value.Row)
	}
}
