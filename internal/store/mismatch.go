package store

import (
	"context"

	"hearthline/internal/lead"
)

// Mismatches lists the mismatches, oldest first.
func (q queries) Mismatches(ctx context.Context) ([]lead.Mismatch, error) {
	return list[lead.Mismatch](ctx, q, `SELECT app, named, reason, at FROM originator_mismatches ORDER BY at, app`)
}

// NoteMismatch stores a mismatch with the time of its first occurrence; fresh reports whether it is new. A
// mismatch without a reason deletes what was stored for the lead.
func (tx *Tx) NoteMismatch(ctx context.Context, m lead.Mismatch) (fresh bool, err error) {
	if m.Reason == "" {
		err := tx.exec(ctx, `DELETE FROM originator_mismatches WHERE app = ?`, m.App)
		return false, err
	}
	n, err := tx.execNamedRows(ctx, `INSERT INTO originator_mismatches (app, named, reason, at)
		VALUES (:app, :named, :reason, :at)
		ON CONFLICT (app) DO UPDATE SET named = excluded.named, reason = excluded.reason, at = excluded.at
		WHERE originator_mismatches.named <> excluded.named OR originator_mismatches.reason <> excluded.reason`, m)
	return n > 0, err
}

// Explained lists the leads whose named originator is now in the directory.
func (q queries) Explained(ctx context.Context) ([]DueLead, error) {
	return list[DueLead](ctx, q, `SELECT m.app, l.company FROM originator_mismatches m
		JOIN originators o ON o.uuid = m.named JOIN leads l ON l.app = m.app ORDER BY m.at`)
}
