package watch

import (
	"context"
	"time"

	"hearthline/internal/store"
)

// auditYears is how long the audit is kept. It is no setting: whoever reads the audit must
// know how far back it goes without asking what somebody once chose.
const auditYears = 6

// Rows that go at once hold the writer for a moment; what one cleaning drops is bounded.
const (
	auditPiece  = 1000
	auditPieces = 20
)

// cutAudit drops what the audit has kept for six years, a day at a time.
func (w *Watch) cutAudit(ctx context.Context, now time.Time) error {
	before := now.UTC().AddDate(-auditYears, 0, 0).Truncate(24 * time.Hour)
	for range auditPieces {
		var dropped int64
		err := w.Store.Write(ctx, func(tx *store.Tx) (err error) {
			dropped, err = tx.CutAudit(ctx, before, auditPiece)
			return err
		})
		if err != nil || dropped == 0 {
			return err
		}
	}
	return nil
}

// tellHead writes the end of the audit's chain into the log, when it has moved: logs are
// shipped elsewhere, and a chain cannot tell by itself that its end was cut off.
func (w *Watch) tellHead(ctx context.Context) error {
	head, err := w.Store.AuditHead(ctx)
	if err != nil || head.Seq == w.told {
		return err
	}
	w.told = head.Seq
	w.Log.Info("audit head", "row", head.Seq, "mark", head.MAC)
	return nil
}
