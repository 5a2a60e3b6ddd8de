package store

import (
	"context"
)

// PushSubscription is one browser in which a user receives notifications.
type PushSubscription struct {
	ID             string `db:"id"`
	UserID         string `db:"user_id"`
	EndpointDigest string `db:"endpoint_digest"` // of its address at the browser's push service
	Sealed         []byte `db:"sealed"`          // the address and the keys
	Browser        string `db:"browser"`         // "Chrome on Windows"
	CreatedAt      int64  `db:"created_at"`
}

// MaxPushSubscriptions is how many browsers of a user receive notifications. The oldest one is replaced.
const MaxPushSubscriptions = 10

const pushSubscriptionColumns = `id, user_id, endpoint_digest, sealed, browser, created_at`

// AddPushSubscription stores a browser. A browser belongs to the user who turned notifications on last.
func (tx *Tx) AddPushSubscription(ctx context.Context, p PushSubscription) error {
	if err := tx.exec(ctx, `DELETE FROM push_subscriptions WHERE endpoint_digest = ?`, p.EndpointDigest); err != nil {
		return err
	}
	if err := tx.exec(ctx, `DELETE FROM push_subscriptions WHERE user_id = ? AND id NOT IN (SELECT id FROM (
		SELECT id FROM push_subscriptions WHERE user_id = ? ORDER BY created_at DESC, id DESC LIMIT ?) x)`, p.UserID,
		p.UserID, MaxPushSubscriptions-1); err != nil {
		return err
	}
	return tx.insert(ctx, "push_subscriptions", pushSubscriptionColumns, p)
}

// PushSubscriptions lists the browsers of a user, newest first.
func (q Queries) PushSubscriptions(ctx context.Context, userID string) ([]PushSubscription, error) {
	return list[PushSubscription](ctx, q, `SELECT `+pushSubscriptionColumns+` FROM push_subscriptions WHERE user_id = ?
		ORDER BY created_at DESC, id DESC`, userID)
}

// PushSubscription reads one browser; fault.NotFound when it is gone.
func (q Queries) PushSubscription(ctx context.Context, id string) (PushSubscription, error) {
	return get[PushSubscription](ctx, q, `SELECT `+pushSubscriptionColumns+` FROM push_subscriptions WHERE id = ?`, id)
}

// DropPushSubscription deletes one browser of a user; false when there is none.
func (tx *Tx) DropPushSubscription(ctx context.Context, userID, endpointDigest string) (bool, error) {
	return tx.changed(ctx, `DELETE FROM push_subscriptions WHERE user_id = ? AND endpoint_digest = ?`, userID,
		endpointDigest)
}

// DropPushSubscriptions deletes all browsers of a user.
func (tx *Tx) DropPushSubscriptions(ctx context.Context, userID string) error {
	return tx.exec(ctx, `DELETE FROM push_subscriptions WHERE user_id = ?`, userID)
}
