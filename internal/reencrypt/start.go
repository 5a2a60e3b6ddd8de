package reencrypt

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/store"
)

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
