package reencrypt

import (
	"context"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// DecryptCheck is what came of opening every sealed value there is.
type DecryptCheck struct {
	Checked   int      // values
	Failed    int      // of them, those that do not open
	Locations []string // where the first of those lie, by column and row
}

// maxLocations bounds the places that are named.
const maxLocations = 10

// CheckDecryption opens every sealed value, and tells of those that do not open: they were changed,
// moved from where they were sealed for, or their key is gone.
func (r *Runner) CheckDecryption(ctx context.Context) (DecryptCheck, error) {
	var look DecryptCheck
	for _, c := range store.SealedColumns() {
		for after := (store.Sealed{}); ; {
			page, err := r.store.SealedPage(ctx, c, after, valuesPerBatch)
			if err != nil {
				return look, err
			}
			for _, value := range page {
				look.add(r.vault, c, value)
			}
			if len(page) < valuesPerBatch {
				break
			}
			after = page[len(page)-1]
		}
	}
	return look, nil
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
