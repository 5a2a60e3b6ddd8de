package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
)

// Reveal is one look at a borrower's details: who, which fields by name, and why. What
// stood there is never kept. Typed is the sealed reason of who gave one in own words.
type Reveal struct {
	ID           string      `db:"id"`
	App          heloc.AppID `db:"app_uuid"`
	UserID       string      `db:"user_id"`
	UserName     string      `db:"user_name"`
	Fields       string      `db:"fields"`
	Reason       string      `db:"reason"`
	SealedReason []byte      `db:"typed"`
	At           int64       `db:"at"`
}

// AddReveal keeps a look.
func (tx *Tx) AddReveal(ctx context.Context, r Reveal) error {
	return tx.execNamed(ctx, `INSERT INTO reveals (id, app_uuid, user_id, user_name, fields, reason, typed, at)
		VALUES (:id, :app_uuid, :user_id, :user_name, :fields, :reason, :typed, :at)`, r)
}

// RevealsBy counts the looks of a person since an instant, at whatever lead.
func (q queries) RevealsBy(ctx context.Context, userID string, since time.Time) (int, error) {
	var n int
	err := q.get(ctx, &n, `SELECT count(*) FROM reveals WHERE user_id = ? AND at > ?`, userID, Millis(since))
	return n, err
}

// Reveals lists the looks at a lead that has been opened already, newest first.
func (q queries) Reveals(ctx context.Context, app heloc.AppID, limit int) ([]Reveal, error) {
	var rs []Reveal
	return rs, q.list(ctx, &rs, `SELECT id, app_uuid, user_id, user_name, fields, reason, typed, at FROM reveals
		WHERE app_uuid = ? ORDER BY at DESC, id DESC LIMIT ?`, app, limit)
}

// LeadViewer is a person who opened a lead's page, and when last.
type LeadViewer struct {
	UserID   string `db:"user_id"`
	Name     string `db:"name"`
	ViewedAt int64  `db:"looked_at"`
}

// LeadViewers lists who opened a lead that has been opened already, the last look first.
func (q queries) LeadViewers(ctx context.Context, app heloc.AppID) ([]LeadViewer, error) {
	var os []LeadViewer
	return os, q.list(ctx, &os, `SELECT k.user_id, u.name, k.looked_at FROM lead_looks k JOIN users u ON u.id = k.user_id
		WHERE k.app_uuid = ? ORDER BY k.looked_at DESC, k.user_id LIMIT 50`, app)
}
