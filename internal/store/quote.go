package store

import (
	"context"

	"hearthline/internal/heloc"
)

// Quote is offers that were asked for, sealed with their inputs.
type Quote struct {
	ID          string      `db:"id"`
	App         heloc.AppID `db:"app_uuid"`
	ActorID     string      `db:"actor_id"`
	RequestUUID string      `db:"request_uuid"`
	Sealed      []byte      `db:"sealed"`
	At          int64       `db:"at"`
}

// AddQuote keeps a quote.
func (tx *Tx) AddQuote(ctx context.Context, quote Quote) error {
	return tx.named(ctx, `INSERT INTO quotes (id, app_uuid, actor_id, request_uuid, sealed, at) VALUES (:id, :app_uuid, :actor_id, :request_uuid, :sealed, :at)`, quote)
}

// Quotes lists the quotes of a lead that has been opened already, newest first.
func (q queries) Quotes(ctx context.Context, app heloc.AppID, limit int) ([]Quote, error) {
	var qs []Quote
	return qs, q.list(ctx, &qs, `SELECT id, app_uuid, actor_id, request_uuid, sealed, at FROM quotes WHERE app_uuid = ? ORDER BY at DESC, id DESC LIMIT ?`, app, limit)
}
