package reencrypt

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const draftsPerBatch = 20

// updateDrafts replaces the blind indexes of the CRM records that drafts were begun for: the record's id is among the
// references that were typed in the draft.
func (r *Runner) updateDrafts(ctx context.Context, tx *store.Tx, at *store.Reencryption) (looked int, err error) {
	drafts, err := tx.StaleDrafts(ctx, r.keys(), at.AfterRow, draftsPerBatch)
	for _, d := range drafts {
		at.AfterRow = d.ID
		ids, err := r.draftReferences(d)
		if err != nil {
			return 0, err
		}
		index, ok := r.referenceIndex(store.Reference{BlindIndex: d.RecordIndex, Client: d.RecordClient, Type: d.RecordType},
			d.Company, ids)
		if !ok {
			continue
		}
		if err := tx.UpdateDraftRecordIndex(ctx, d.ID,
			store.RecordIndex{BlindIndex: index, KeyID: r.vault.DigestKey()}); err != nil {
			return 0, err
		}
		at.Leads++
	}
	return len(drafts), err
}

// draftReferences returns the references in a draft.
func (r *Runner) draftReferences(d store.Draft) (ids []string, err error) {
	controls, err := vault.UnsealJSON[map[string][]string](r.vault, vault.DraftAAD(d.ID), d.Sealed)
	for _, name := range slices.Sorted(maps.Keys(controls)) {
		if strings.HasPrefix(name, "partnerDataRequest.external") {
			ids = append(ids, controls[name]...)
		}
	}
	return ids, ignoreError(err, vault.ErrUndecryptable)
}
