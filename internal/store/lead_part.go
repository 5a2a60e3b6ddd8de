package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// SealedPart is one part with the time it was read.
type SealedPart struct {
	App       heloc.AppID `db:"app"`
	Part      lead.Part   `db:"part"`
	Version   int         `db:"version"`
	Sealed    []byte      `db:"sealed"`
	FetchedAt int64       `db:"fetched_at"`
}

// Parts reads the parts of a lead that the caller has opened.
func (q queries) Parts(ctx context.Context, app heloc.AppID) (map[lead.Part]SealedPart, error) {
	rows, err := list[SealedPart](ctx, q, `SELECT app, part, version, sealed, fetched_at FROM lead_parts
		WHERE app = ?`, app)
	return byKey(rows, func(p SealedPart) lead.Part { return p.Part }), err
}

// Part reads one part of a lead that the caller has opened; nil when there is none.
func (q queries) Part(ctx context.Context, app heloc.AppID, part lead.Part) (*SealedPart, error) {
	p, ok, err := find[SealedPart](ctx, q, `SELECT app, part, version, sealed, fetched_at FROM lead_parts
		WHERE app = ? AND part = ?`, app, part)
	if err != nil || !ok {
		return nil, err
	}
	return &p, nil
}

// SavePart writes one part.
func (tx *Tx) SavePart(ctx context.Context, p SealedPart) error {
	return tx.upsert(ctx, "lead_parts", `app, part`, `app, part, version, sealed, fetched_at`, p)
}

// LastViewOf reads a user's last view; zero when there was none.
func (q queries) LastViewOf(ctx context.Context, userID string, app heloc.AppID) (lead.LastView, error) {
	found, _, err := find[lead.LastView](ctx, q, `SELECT viewed_at, documents_at FROM lead_views
		WHERE user_id = ? AND app = ?`, userID, app)
	return found, err
}

// SaveLastView records that a user has seen a lead as it was at an instant, and its documents when documents is true.
// A later view remains.
func (tx *Tx) SaveLastView(ctx context.Context, userID string, app heloc.AppID, seen time.Time, documents bool) error {
	at := Millis(seen)
	if documents {
		return tx.exec(ctx, `INSERT INTO lead_views (user_id, app, viewed_at, documents_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (user_id, app) DO UPDATE SET documents_at = excluded.documents_at
			WHERE lead_views.documents_at < excluded.documents_at`, userID, app, at, at)
	}
	return tx.exec(ctx, `INSERT INTO lead_views (user_id, app, viewed_at) VALUES (?, ?, ?)
		ON CONFLICT (user_id, app) DO UPDATE SET viewed_at = excluded.viewed_at
		WHERE lead_views.viewed_at < excluded.viewed_at`, userID, app, at)
}
