package store

import (
	"context"
	"time"
)

// UnsentDraftRetention is how long a draft that has not become a lead is stored after it was last saved or
// transferred.
const UnsentDraftRetention = 60 * 24 * time.Hour

// Corrections of a lead under a legal hold remain with it. A draft whose start has an unknown outcome also
// remains, because a lead that is found later takes its name from the draft.
const unsentSQL = `SELECT id, company FROM drafts WHERE app = '' AND updated_at < ? AND transferred_at < ?
	AND restart NOT IN (` + legalHoldLeads + `)
	AND id NOT IN (SELECT draft_id FROM operations WHERE kind = 'start' AND state IN ('sent', 'unknown'))
	ORDER BY updated_at LIMIT ?`

// DropUnsentDrafts deletes drafts that have not become a lead and that nobody has changed since an instant,
// at most limit of them, and audits the deletion.
func (tx *Tx) DropUnsentDrafts(ctx context.Context, before time.Time, limit int) error {
	unsent, err := list[Draft](ctx, tx.queries, unsentSQL, Millis(before), Millis(before), limit)
	if err != nil {
		return err
	}
	for _, d := range unsent {
		if err := tx.exec(ctx, `DELETE FROM drafts WHERE id = ?`, d.ID); err != nil {
			return err
		}
		if err := tx.Audit(ctx, AuditEntry{ActorID: "system", Company: d.Company, Action: ActionDraftDelete,
			Object: "draft:" + d.ID, Outcome: "done"}); err != nil {
			return err
		}
	}
	return nil
}
