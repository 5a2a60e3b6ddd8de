package store

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Quote is a set of offers that was requested. Sealed contains the request and the offers, SealedRequest only the
// request.
type Quote struct {
	ID            string      `db:"id"`
	App           heloc.AppID `db:"app"`
	ActorID       string      `db:"actor_id"`
	RequestUUID   string      `db:"request_uuid"`
	SealedRequest []byte      `db:"sealed_request"`
	Sealed        []byte      `db:"sealed"`
	At            int64       `db:"at"`
}

// AddQuote stores a quote, and deletes the oldest quotes of its lead beyond limit, unless the lead is under a
// legal hold.
func (tx *Tx) AddQuote(ctx context.Context, quote Quote, limit int) error {
	if err := tx.insert(ctx, "quotes", `id, app, actor_id, request_uuid, sealed_request, sealed, at`, quote); err != nil {
		return err
	}
	return tx.exec(ctx, quotesBeyondSQL, quote.App, quote.App, limit)
}

const quotesBeyondSQL = `DELETE FROM quotes WHERE app = ? AND id IN (
	SELECT id FROM quotes WHERE app = ? ORDER BY at DESC, id DESC LIMIT 1000 OFFSET ?)
	AND app NOT IN (` + legalHoldLeads + `)`

// Quotes lists the quotes of a lead that the caller has opened, newest first, without their offers.
func (q queries) Quotes(ctx context.Context, app heloc.AppID, limit int) ([]Quote, error) {
	return list[Quote](ctx, q, `SELECT id, app, actor_id, request_uuid, sealed_request, at
		FROM quotes WHERE app = ? ORDER BY at DESC, id DESC`+limited(limit), app)
}

// Quote reads one quote of a lead that the caller has opened.
func (q queries) Quote(ctx context.Context, app heloc.AppID, id string) (Quote, error) {
	quote, ok, err := find[Quote](ctx, q, `SELECT id, app, actor_id, request_uuid, sealed_request, sealed, at FROM quotes
		WHERE app = ? AND id = ?`, app, id)
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "This quote is no longer stored. See the lead for current offers.")
	}
	return quote, err
}

// DropQuotes deletes the quotes that were made before an instant.
func (tx *Tx) DropQuotes(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM quotes WHERE at < ? AND app NOT IN (`+legalHoldLeads+`)`, Millis(before))
}
