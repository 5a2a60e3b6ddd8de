package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
)

// Webhook is a webhook as it came in, kept sealed for seven days.
type Webhook struct {
	Digest     string      `db:"digest"`
	App        heloc.AppID `db:"app_uuid"`
	Sealed     []byte      `db:"sealed"`
	ReceivedAt int64       `db:"received_at"`
	OldDigests []string    `db:"-"` // what older keys make of the digest, when it comes in
}

// How many webhooks are kept, of one application and in all: a flood of them takes no
// more room than this, and what each of them is about is asked for all the same.
const (
	MaxWebhooksPerApp = 100
	MaxWebhooks       = 20_000
)

// AddWebhook keeps a webhook once, while there is room; fresh is false when the same one
// came before.
func (tx *Tx) AddWebhook(ctx context.Context, h Webhook) (fresh bool, err error) {
	var same int
	if err := tx.get(ctx, &same, `SELECT count(*) FROM webhook_inbox WHERE digest IN `+placeholders(1+len(h.OldDigests)), append([]any{h.Digest}, toAny(h.OldDigests)...)...); err != nil || same > 0 {
		return false, err
	}
	_, err = tx.exec(ctx, `INSERT INTO webhook_inbox (digest, app_uuid, sealed, received_at) SELECT ?, ?, ?, ?
		WHERE (SELECT count(*) FROM webhook_inbox WHERE app_uuid = ?) < ? AND (SELECT count(*) FROM webhook_inbox) < ?`,
		h.Digest, h.App, h.Sealed, h.ReceivedAt, h.App, MaxWebhooksPerApp, MaxWebhooks)
	return true, err
}

// DropWebhooks deletes the webhooks that came before an instant, but those of leads under a
// legal hold.
func (tx *Tx) DropWebhooks(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, oldWebhooksSQL, Millis(before))
	return err
}

const oldWebhooksSQL = `DELETE FROM webhook_inbox WHERE received_at < ? AND app_uuid NOT IN (` + legalHoldLeads + `)`

// UnknownApplicationLimit bounds how many unknown applications are remembered, so that a flood
// of made-up ids costs nothing.
const UnknownApplicationLimit = 500

// AddUnknownApplication remembers an application that no lead stands for.
func (tx *Tx) AddUnknownApplication(ctx context.Context, app heloc.AppID, now time.Time) error {
	n, err := tx.exec(ctx, `UPDATE strangers SET try_at = ? WHERE app_uuid = ?`, Millis(now), app)
	if err != nil || n > 0 {
		return err
	}
	_, err = tx.exec(ctx, `INSERT INTO strangers (app_uuid, first_at, try_at) SELECT ?, ?, ?
		WHERE (SELECT count(*) FROM strangers) < ?`, app, Millis(now), Millis(now), UnknownApplicationLimit)
	return err
}

// UnknownApplication is an application that no lead stands for.
type UnknownApplication struct {
	App     heloc.AppID `db:"app_uuid"`
	FirstAt int64       `db:"first_at"`
	Tries   int         `db:"tries"` // looks that failed
}

// UnknownApplicationsDue lists unknown applications whose next look has come.
func (q queries) UnknownApplicationsDue(ctx context.Context, now time.Time, limit int) ([]UnknownApplication, error) {
	var found []UnknownApplication
	return found, q.list(ctx, &found, `SELECT app_uuid, first_at, tries FROM strangers WHERE try_at <= ? ORDER BY try_at LIMIT ?`, Millis(now), limit)
}

// RetryUnknownApplication counts a look that failed and says when the next one is due.
func (tx *Tx) RetryUnknownApplication(ctx context.Context, app heloc.AppID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE strangers SET tries = tries + 1, try_at = ? WHERE app_uuid = ?`, Millis(at), app)
	return err
}

// PostponeUnknownApplication says when the next look is due, without counting one.
func (tx *Tx) PostponeUnknownApplication(ctx context.Context, app heloc.AppID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE strangers SET try_at = ? WHERE app_uuid = ?`, Millis(at), app)
	return err
}

// DropUnknownApplications forgets the applications that were first named before an instant.
func (tx *Tx) DropUnknownApplications(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM strangers WHERE first_at < ?`, Millis(before))
	return err
}

// DropUnknownApplication forgets an application.
func (tx *Tx) DropUnknownApplication(ctx context.Context, app heloc.AppID) error {
	_, err := tx.exec(ctx, `DELETE FROM strangers WHERE app_uuid = ?`, app)
	return err
}
