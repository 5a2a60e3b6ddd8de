package reencrypt

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hearthline/internal/embed"
	"hearthline/internal/fault"
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

// updateStarts replaces the duplicate indexes of starts whose outcome is unknown, all at once, because there are few
// of them. Their drafts are stored until the outcome is known.
func (r *Runner) updateStarts(ctx context.Context, tx *store.Tx, at *store.Reencryption) error {
	ops, err := tx.StaleStarts(ctx, r.keys())
	if err != nil {
		return err
	}
	for _, op := range ops {
		draft, err := tx.DraftOfOperation(ctx, op.DraftID)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		var w plaintexts
		if err := w.addDraft(r.vault, draft); err != nil {
			return err
		}
		index, ok := r.duplicateKeyIndex(op.DuplicateKey, w.duplicateKeys)
		if !ok {
			continue
		}
		if err := tx.UpdateStartDuplicateKey(ctx, op.ID, index, r.vault.DigestKey()); err != nil {
			return err
		}
		at.Leads++
	}
	return nil
}

const linksPerBatch = 20

// updateLinks replaces the blind indexes that identify linked CRM sign-ins.
func (r *Runner) updateLinks(ctx context.Context, tx *store.Tx, at *store.Reencryption) (looked int, err error) {
	links, err := tx.StaleEmbedLinks(ctx, r.keys(), at.AfterRow, linksPerBatch)
	for _, link := range links {
		at.AfterRow = link.Subject
		renewed, err := embed.UpdateLinkIndex(ctx, tx, r.vault, link)
		if ignoreError(err, vault.ErrUndecryptable) != nil {
			return 0, err
		}
		if renewed {
			at.Leads++
		}
	}
	return len(links), err
}
