package renewal

import (
	"context"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Look is what came of opening every sealed value there is.
type Look struct {
	Looked int      // values
	Values int      // of them, those that do not open
	Places []string // where the first of those lie, by column and row
}

// placesNamed bounds the places that are named.
const placesNamed = 10

// Unopened opens every sealed value, and tells of those that do not open: they were changed,
// moved from where they were sealed for, or their key is gone.
func (r *Renewal) Unopened(ctx context.Context) (Look, error) {
	var look Look
	for _, c := range store.SealedColumns() {
		for after := (store.Sealed{}); ; {
			page, err := r.store.SealedPage(ctx, c, after, valuesAtOnce)
			if err != nil {
				return look, err
			}
			for _, value := range page {
				look.take(r.vault, c, value)
			}
			if len(page) < valuesAtOnce {
				break
			}
			after = page[len(page)-1]
		}
	}
	return look, nil
}

func (l *Look) take(v *vault.Vault, c store.SealedColumn, value store.Sealed) {
	l.Looked++
	if _, err := v.Unseal(placeOf(c, value), value.Value); err == nil {
		return
	}
	l.Values++
	if len(l.Places) < placesNamed {
		l.Places = append(l.Places, c.Name()+" of "+value.Row)
	}
}
