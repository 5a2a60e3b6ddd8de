package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
)

// LegalHold is a lead under a legal hold.
type LegalHold struct {
	App     heloc.AppID `db:"app_uuid"`
	ShortID string      `db:"short_id"`
	At      int64       `db:"held_at"`
}

// SetLegalHold prevents a lead from being deleted, or removes the hold when at is the zero time. It reports
// whether the lead exists.
func (tx *Tx) SetLegalHold(ctx context.Context, app heloc.AppID, at time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE leads SET held_at = ? WHERE app_uuid = ?`, Millis(at), app)
	return n > 0, err
}

// LegalHolds lists the leads under a legal hold, oldest hold first.
func (q queries) LegalHolds(ctx context.Context) ([]LegalHold, error) {
	var hs []LegalHold
	return hs, q.list(ctx, &hs, `SELECT app_uuid, short_id, held_at FROM leads WHERE held_at > 0 ORDER BY held_at`)
}
