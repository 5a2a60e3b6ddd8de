package renewal

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const draftsAtOnce = 20

// drafts renews the marks of the records that drafts were begun for: the record's id
// stands among the references that are typed there.
func (r *Renewal) drafts(ctx context.Context, tx *store.Tx, at *store.Renewal) (looked int, err error) {
	drafts, err := tx.StaleDrafts(ctx, r.keys(), at.AfterRow, draftsAtOnce)
	for _, d := range drafts {
		at.AfterRow = d.ID
		ids, err := r.typed(d)
		if err != nil {
			return 0, err
		}
		mark, ok := r.reference(store.Reference{Mark: d.Record, Client: d.RecordClient, Type: d.RecordType}, d.Company, ids)
		if !ok {
			continue
		}
		if err := tx.RenewRecord(ctx, d.ID, store.Record{Mark: mark, Under: r.vault.DigestKey()}); err != nil {
			return 0, err
		}
		at.Leads++
	}
	return len(drafts), err
}

// typed are the references that stand in a draft.
func (r *Renewal) typed(d store.Draft) (ids []string, err error) {
	controls, err := vault.UnsealJSON[map[string][]string](r.vault, journal.PlaceOfDraft(d.ID), d.Sealed)
	for _, name := range slices.Sorted(maps.Keys(controls)) {
		if strings.HasPrefix(name, "partnerDataRequest.external") {
			ids = append(ids, controls[name]...)
		}
	}
	return ids, but(err, vault.ErrUnopened)
}
