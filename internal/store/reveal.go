package store

import (
	"context"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// AddReveal stores a reveal.
func (tx *Tx) AddReveal(ctx context.Context, r lead.Reveal) error {
	return tx.insert(ctx, "reveals", `id, app, user_id, user_name, fields, reason, sealed_reason, at`, r)
}

// RevealBefore returns when a user made the reveal that so many newer ones follow, across all leads; 0 when there is
// none.
func (q queries) RevealBefore(ctx context.Context, userID string, newer int) (int64, error) {
	found, _, err := find[int64](ctx, q, `SELECT at FROM reveals WHERE user_id = ? ORDER BY at DESC LIMIT 1 OFFSET ?`,
		userID, newer)
	return found, err
}

// HasRevealed reports whether a user has revealed something of a lead for this reason.
func (q queries) HasRevealed(ctx context.Context, app heloc.AppID, userID, reason string) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM reveals WHERE app = ? AND user_id = ? AND reason = ?`, app, userID, reason)
}

// Reveals lists the reveals of a lead that the caller has opened, newest first.
func (q queries) Reveals(ctx context.Context, app heloc.AppID, limit int) ([]lead.Reveal, error) {
	return list[lead.Reveal](ctx, q, `SELECT id, app, user_id, user_name, fields, reason, sealed_reason, at FROM reveals
		WHERE app = ? ORDER BY at DESC, id DESC`+limited(limit), app)
}

// LeadViewers lists who has viewed a lead that the caller has opened, latest view first.
func (q queries) LeadViewers(ctx context.Context, app heloc.AppID) ([]lead.Viewer, error) {
	return list[lead.Viewer](ctx, q, `SELECT k.user_id, u.name, k.viewed_at FROM lead_views k
		JOIN users u ON u.id = k.user_id
		WHERE k.app = ? ORDER BY k.viewed_at DESC, k.user_id LIMIT 50`, app)
}
