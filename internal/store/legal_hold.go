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

// SetLegalHold keeps a lead from being forgotten, or lifts that with the zero time. It answers
// whether there is such a lead.
func (tx *Tx) SetLegalHold(ctx context.Context, app heloc.AppID, at time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE leads SET held_at = ? WHERE app_uuid = ?`, Millis(at), app)
	return n > 0, err
}

// LegalHolds lists them, the oldest first.
func (q queries) LegalHolds(ctx context.Context) ([]LegalHold, error) {
	var hs []LegalHold
	return hs, q.list(ctx, &hs, `SELECT app_uuid, short_id, held_at FROM leads WHERE held_at > 0 ORDER BY held_at`)
}
