package store

import (
	"context"
	"strconv"
	"strings"
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
	same, err := get[int](ctx, tx.Queries, `SELECT count(*) FROM webhook_inbox
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

// MaxUnknownApplicationRetry is the longest pause before an unknown application is looked up again.
const MaxUnknownApplicationRetry = 30 * time.Minute

// AddUnknownApplication stores an application that has no lead. An application that is already due keeps its position
// among the others.
func (tx *Tx) AddUnknownApplication(ctx context.Context, app heloc.AppID, now time.Time) error {
	return tx.exec(ctx, `INSERT INTO unknown_applications (app, first_at, try_at) VALUES (?, ?, ?)
		ON CONFLICT (app) DO UPDATE SET try_at = CASE WHEN unknown_applications.try_at < excluded.try_at
			THEN unknown_applications.try_at ELSE excluded.try_at END`, app, Millis(now), Millis(now))
}

// UnknownApplication is an application that has no lead.
type UnknownApplication struct {
	App     heloc.AppID `db:"app"`
	FirstAt int64       `db:"first_at"`
	Tries   int         `db:"tries"` // failed lookups
}

// For each of the newest lostStarts starts with an unknown outcome, the first afterStart applications that
// were named after it was sent have priority.
const (
	lostStarts = 20
	afterStart = 2
)

// UnknownApplicationsDue lists unknown applications whose next lookup is due: first those that the lender named
// soonest after a start with an unknown outcome was sent, because one of them is probably that start; then the oldest
// and the newest of all, up to each of both. So a lost start is looked up soon and every application is looked up
// eventually, however many there are.
func (q Queries) UnknownApplicationsDue(ctx context.Context, now time.Time, each int) ([]UnknownApplication, error) {
	starts, err := list[int64](ctx, q, lostStartsSQL)
	if err != nil {
		return nil, err
	}
	query, args := unknownApplicationsSQL(starts, now, each)
	return list[UnknownApplication](ctx, q, query, args...)
}

var lostStartsSQL = `SELECT sent_at FROM operations WHERE app = '' AND state = 'unknown' AND kind = 'start'
	ORDER BY created_at DESC` + limited(lostStarts)

// LostStartBefore reports whether a start that was sent before an instant has an unknown outcome, or may have one.
func (q Queries) LostStartBefore(ctx context.Context, at time.Time) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM operations WHERE app = '' AND state IN ('sent', 'unknown') AND kind = 'start'
		AND sent_at <= ?`, Millis(at))
}

func unknownApplicationsSQL(starts []int64, now time.Time, each int) (query string, args []any) {
	var sources []string
	source := func(n int, where string, values ...any) {
		sources = append(sources, `SELECT * FROM (SELECT app, first_at, tries FROM unknown_applications
			WHERE `+where+limited(n)+`) s`+strconv.Itoa(len(sources)))
		args = append(args, values...)
	}
	for _, sent := range starts {
		source(afterStart, `try_at >= ? AND try_at <= ? ORDER BY try_at`, sent, Millis(now))
	}
	source(each, `try_at <= ? ORDER BY try_at`, Millis(now))
	source(each, `try_at <= ? ORDER BY try_at DESC`, Millis(now))
	// No lookup is put off for longer: the clock has been set back.
	source(each, `try_at > ? ORDER BY try_at`, Millis(now.Add(MaxUnknownApplicationRetry+maxClockSkew)))
	return strings.Join(sources, ` UNION `) + ` ORDER BY app`, args
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
