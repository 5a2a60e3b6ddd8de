package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
)

// LegalHold is a lead under a legal hold.
type LegalHold struct {
	App     heloc.AppID `db:"app"`
	ShortID string      `db:"short_id"`
	At      int64       `db:"at"`
}

// SetLegalHold prevents a lead from being deleted, or removes the hold when at is the zero time. It reports
// whether the lead exists.
func (tx *Tx) SetLegalHold(ctx context.Context, app heloc.AppID, at time.Time) (bool, error) {
	return tx.changed(ctx, `UPDATE leads SET legal_hold_at = ? WHERE app = ?`, Millis(at), app)
}

// LegalHolds lists the leads under a legal hold, oldest hold first.
func (q queries) LegalHolds(ctx context.Context) ([]LegalHold, error) {
	return list[LegalHold](ctx, q, `SELECT app, short_id, legal_hold_at AS at FROM leads WHERE legal_hold_at > 0
		ORDER BY legal_hold_at`)
}
