package store

import (
	"cmp"
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
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
	return cmp.Or(tx.insert(ctx, "quotes", `id, app, actor_id, request_uuid, sealed_request, sealed, at`, quote),
		tx.exec(ctx, quotesBeyondSQL, quote.App, quote.App, limit))
}

const quotesBeyondSQL = `DELETE FROM quotes WHERE app = ? AND id IN (
	SELECT id FROM quotes WHERE app = ? ORDER BY at DESC, id DESC LIMIT 1000 OFFSET ?)
	AND app NOT IN (` + legalHoldLeads + `)`

// Quotes lists the quotes of a lead that the caller has opened, newest first, without their offers.
func (q Queries) Quotes(ctx context.Context, app heloc.AppID, limit int) ([]Quote, error) {
	return list[Quote](ctx, q, `SELECT id, app, actor_id, request_uuid, sealed_request, at
		FROM quotes WHERE app = ? ORDER BY at DESC, id DESC`+limited(limit), app)
}

// Quote reads one quote of a lead that the caller has opened.
func (q Queries) Quote(ctx context.Context, app heloc.AppID, id string) (Quote, error) {
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

// Choice is the sealed selection that was sent with an operation.
type Choice struct {
	OpID   string          `db:"op_id"`
	App    heloc.AppID     `db:"app"`
	Kind   heloc.Operation `db:"kind"`
	Sealed []byte          `db:"sealed"`
	At     int64           `db:"at"`
}

// AddChoice stores a selection that is about to be sent.
func (tx *Tx) AddChoice(ctx context.Context, c Choice) error {
	return tx.insert(ctx, "choices", `op_id, app, kind, sealed, at`, c)
}

// LastChoice returns the latest selection of a kind that the lender accepted, or nil when there is none. The
// operation's outcome decides, not that it was sent. The caller must have opened the lead.
func (q Queries) LastChoice(ctx context.Context, app heloc.AppID, kind heloc.Operation) (*Choice, error) {
	return findPointer[Choice](ctx, q, `SELECT c.op_id, c.app, c.kind, c.sealed, c.at FROM choices c
		JOIN operations o ON o.id = c.op_id
		WHERE c.app = ? AND c.kind = ? AND o.state IN (?, ?) ORDER BY c.at DESC, c.op_id DESC LIMIT 1`,
		app, kind, lead.OpSucceeded, lead.OpConfirmed)
}

// ChoiceOf returns the selection that was sent with one operation, or nil when none was stored.
func (q Queries) ChoiceOf(ctx context.Context, opID string) (*Choice, error) {
	return findPointer[Choice](ctx, q, `SELECT op_id, app, kind, sealed, at FROM choices WHERE op_id = ?`, opID)
}

// SharedQuote is a quote that was shared with a borrower by a link.
type SharedQuote struct {
	ID            string      `db:"id"`
	App           heloc.AppID `db:"app"`
	TokenDigest   string      `db:"token_digest"`
	Token         []byte      `db:"token"`  // sealed
	Sealed        []byte      `db:"sealed"` // lead.BorrowerQuote
	Language      string      `db:"language"`
	ActorID       string      `db:"actor_id"`
	ActorName     string      `db:"actor_name"`
	CreatedAt     int64       `db:"created_at"`
	ExpiresAt     int64       `db:"expires_at"`
	RevokedAt     int64       `db:"revoked_at"`
	RevokedBy     string      `db:"revoked_by"` // a name
	Opened        int         `db:"opened"`
	FirstOpenedAt int64       `db:"first_opened_at"`
	LastOpenedAt  int64       `db:"last_opened_at"`
}

// Active reports whether the link shows the quote.
func (s SharedQuote) Active(now time.Time) bool {
	return s.RevokedAt == 0 && s.ExpiresAt > Millis(now)
}

const sharedQuoteColumns = `id, app, token_digest, token, sealed, language, actor_id, actor_name, created_at, ` +
	`expires_at, revoked_at, revoked_by, opened, first_opened_at, last_opened_at`

// AddSharedQuote stores a shared quote.
func (tx *Tx) AddSharedQuote(ctx context.Context, s SharedQuote) error {
	return tx.insert(ctx, "shared_quotes", sharedQuoteColumns, s)
}

// SharedQuotes lists the shared quotes of a lead that the caller has opened: the active ones first, then newest first.
func (q Queries) SharedQuotes(ctx context.Context, app heloc.AppID, now time.Time, limit int) ([]SharedQuote, error) {
	return list[SharedQuote](ctx, q, `SELECT `+sharedQuoteColumns+` FROM shared_quotes WHERE app = ?
		ORDER BY CASE WHEN revoked_at = 0 AND expires_at > ? THEN 0 ELSE 1 END, created_at DESC, id DESC`+limited(limit), app,
		Millis(now))
}

// CountActiveShares counts the links of a lead that show their quote.
func (q Queries) CountActiveShares(ctx context.Context, app heloc.AppID, now time.Time) (int, error) {
	return get[int](ctx, q, `SELECT count(*) FROM shared_quotes WHERE app = ? AND revoked_at = 0 AND expires_at > ?`,
		app, Millis(now))
}

// SharedQuoteByToken reads a shared quote by the digest of its token; fault.NotFound when there is none.
func (q Queries) SharedQuoteByToken(ctx context.Context, digest string) (SharedQuote, error) {
	return get[SharedQuote](ctx, q, `SELECT `+sharedQuoteColumns+` FROM shared_quotes WHERE token_digest = ?`, digest)
}

// RevokeSharedQuote revokes a link of the lead; false when the lead has no such link, or it was already revoked.
func (tx *Tx) RevokeSharedQuote(ctx context.Context, s SharedQuote) (bool, error) {
	return tx.changed(ctx, `UPDATE shared_quotes SET revoked_at = ?, revoked_by = ?
		WHERE id = ? AND app = ? AND revoked_at = 0`, s.RevokedAt, s.RevokedBy, s.ID, s.App)
}

// CountOpening counts an opening of an active link and returns the row afterwards. It counts nothing when the link was
// revoked or has expired in the meantime.
func (tx *Tx) CountOpening(ctx context.Context, digest string, at time.Time) (SharedQuote, bool, error) {
	counted, err := tx.changed(ctx, `UPDATE shared_quotes SET opened = opened + 1,
		first_opened_at = CASE WHEN opened = 0 THEN ? ELSE first_opened_at END,
		last_opened_at = CASE WHEN last_opened_at < ? THEN ? ELSE last_opened_at END WHERE token_digest = ? AND revoked_at = 0
		AND expires_at > ?`, Millis(at), Millis(at), Millis(at), digest, Millis(at))
	if err != nil || !counted {
		return SharedQuote{}, false, err
	}
	s, err := tx.SharedQuoteByToken(ctx, digest)
	return s, err == nil, err
}
