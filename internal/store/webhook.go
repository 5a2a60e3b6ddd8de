package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
)

// Webhook is a webhook as it was received, stored sealed for seven days.
type Webhook struct {
	Digest     string      `db:"digest"`
	App        heloc.AppID `db:"app"`
	Sealed     []byte      `db:"sealed"`
	ReceivedAt int64       `db:"received_at"`
	OldDigests []string    `db:"-"` // the digests under older keys, when it is received
}

// Limits on stored webhooks, per application and in total. A flood of webhooks needs no more storage than
// this; each webhook still causes a refresh of its application.
const (
	MaxWebhooksPerApp = 100
	MaxWebhooks       = 20_000
)

// AddWebhook stores a webhook once, while the limits allow; fresh is false when the same one was received
// before.
func (tx *Tx) AddWebhook(ctx context.Context, h Webhook) (fresh bool, err error) {
	same, err := get[int](ctx, tx.queries, `SELECT count(*) FROM webhook_inbox
		WHERE digest IN `+placeholders(1+len(h.OldDigests)), append([]any{h.Digest}, toAny(h.OldDigests)...)...)
	if err != nil || same > 0 {
		return false, err
	}
	err = tx.exec(ctx, `INSERT INTO webhook_inbox (digest, app, sealed, received_at) SELECT ?, ?, ?, ?
		WHERE (SELECT count(*) FROM webhook_inbox WHERE app = ?) < ? AND (SELECT count(*) FROM webhook_inbox) < ?`,
		h.Digest, h.App, h.Sealed, h.ReceivedAt, h.App, MaxWebhooksPerApp, MaxWebhooks)
	return true, err
}

// DropWebhooks deletes the webhooks that were received before an instant, except those of leads under a legal
// hold.
func (tx *Tx) DropWebhooks(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM webhook_inbox WHERE received_at < ? AND app NOT IN (`+legalHoldLeads+`)`,
		Millis(before))
}

// UnknownApplicationLimit bounds the number of stored unknown applications, so that a flood of made-up ids
// has no effect.
const UnknownApplicationLimit = 500

// AddUnknownApplication stores an application that has no lead.
func (tx *Tx) AddUnknownApplication(ctx context.Context, app heloc.AppID, now time.Time) error {
	n, err := tx.execRows(ctx, `UPDATE unknown_applications SET try_at = ? WHERE app = ?`, Millis(now), app)
	if err != nil || n > 0 {
		return err
	}
	return tx.exec(ctx, `INSERT INTO unknown_applications (app, first_at, try_at) SELECT ?, ?, ?
		WHERE (SELECT count(*) FROM unknown_applications) < ?`, app, Millis(now), Millis(now), UnknownApplicationLimit)
}

// UnknownApplication is an application that has no lead.
type UnknownApplication struct {
	App     heloc.AppID `db:"app"`
	FirstAt int64       `db:"first_at"`
	Tries   int         `db:"tries"` // failed lookups
}

// UnknownApplicationsDue lists unknown applications whose next lookup is due.
func (q queries) UnknownApplicationsDue(ctx context.Context, now time.Time, limit int) ([]UnknownApplication, error) {
	return list[UnknownApplication](ctx, q, `SELECT app, first_at, tries FROM unknown_applications WHERE try_at <= ?
		ORDER BY try_at LIMIT ?`, Millis(now), limit)
}

// RetryUnknownApplication counts a failed lookup and schedules the next one.
func (tx *Tx) RetryUnknownApplication(ctx context.Context, app heloc.AppID, at time.Time) error {
	return tx.exec(ctx, `UPDATE unknown_applications SET tries = tries + 1, try_at = ? WHERE app = ?`, Millis(at), app)
}

// PostponeUnknownApplication schedules the next lookup without counting a failure.
func (tx *Tx) PostponeUnknownApplication(ctx context.Context, app heloc.AppID, at time.Time) error {
	return tx.exec(ctx, `UPDATE unknown_applications SET try_at = ? WHERE app = ?`, Millis(at), app)
}

// DropUnknownApplications deletes the applications that were first named before an instant.
func (tx *Tx) DropUnknownApplications(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM unknown_applications WHERE first_at < ?`, Millis(before))
}

// DropUnknownApplication deletes an application.
func (tx *Tx) DropUnknownApplication(ctx context.Context, app heloc.AppID) error {
	return tx.exec(ctx, `DELETE FROM unknown_applications WHERE app = ?`, app)
}
