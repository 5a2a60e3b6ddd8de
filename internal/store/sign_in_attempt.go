package store

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
)

// SignInAttempts are the counts under one key: failures since the last success, the level of a leaky bucket, or
// rejected sign-ins after one that was audited.
type SignInAttempts struct {
	Key    string      `db:"key"`
	Count  int64       `db:"count"`
	Level  int64       `db:"level"`  // thousandths of a unit
	At     int64       `db:"at"`     // of the latest attempt, or of the rejection in the audit
	Action AuditAction `db:"action"` // of the rejection in the audit; "" for everything else
	Object string      `db:"object"`
	Detail string      `db:"detail"`
}

const signInAttemptColumns = `key, count, level, at, action, object, detail`

// SignInAttempts reads the rows of several keys; those without one are missing.
func (q Queries) SignInAttempts(ctx context.Context, keys ...string) (map[string]SignInAttempts, error) {
	rows, err := list[SignInAttempts](ctx, q, `SELECT `+signInAttemptColumns+` FROM sign_in_attempts
		WHERE key IN `+placeholders(len(keys)), toAny(keys)...)
	return byKey(rows, func(a SignInAttempts) string { return a.Key }), err
}

// SaveSignInAttempts saves rows, which have different keys.
func (tx *Tx) SaveSignInAttempts(ctx context.Context, rows ...SignInAttempts) error {
	if len(rows) == 0 {
		return nil
	}
	var args []any
	for _, r := range rows {
		args = append(args, r.Key, r.Count, r.Level, r.At, r.Action, r.Object, r.Detail)
	}
	return tx.exec(ctx, `INSERT INTO sign_in_attempts (`+signInAttemptColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?)`+
		strings.Repeat(`, (?, ?, ?, ?, ?, ?, ?)`, len(rows)-1)+` ON CONFLICT (key) DO UPDATE SET count = excluded.count,
		level = excluded.level, at = excluded.at, action = excluded.action, object = excluded.object,
		detail = excluded.detail`, args...)
}

// Refund is the part of a charge that a success returns.
type Refund struct {
	Key   string
	Level int64
}

// ClearSignInAttempts clears the failures after a success, and applies the refunds.
func (tx *Tx) ClearSignInAttempts(ctx context.Context, refunds ...Refund) error {
	if len(refunds) == 0 {
		return nil
	}
	var args []any
	for _, r := range refunds {
		args = append(args, r.Key, r.Level)
	}
	const row = `(CAST(? AS TEXT), CAST(? AS BIGINT))`
	return tx.exec(ctx, `WITH refunds (key, refund) AS (VALUES `+row+strings.Repeat(`, `+row, len(refunds)-1)+`)
		UPDATE sign_in_attempts SET count = 0, level = CASE WHEN level > refund THEN level - refund ELSE 0 END
		FROM refunds WHERE sign_in_attempts.key = refunds.key`, args...)
}

// DropSignInAttempts deletes the rows of keys, and returns how many there were.
func (tx *Tx) DropSignInAttempts(ctx context.Context, keys ...string) (int64, error) {
	return tx.execRows(ctx, `DELETE FROM sign_in_attempts WHERE key IN `+placeholders(len(keys)), toAny(keys)...)
}

// ForgetSignInAttempts deletes rows whose last attempt was before an instant, except rejections, which are summed up
// first.
func (tx *Tx) ForgetSignInAttempts(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM sign_in_attempts WHERE at < ? AND action = ''`, Millis(before))
}

// RejectedSignInsBefore reads the oldest rejections whose first was audited before an instant; ok is false if there
// are none.
func (q Queries) RejectedSignInsBefore(ctx context.Context, before time.Time) (r SignInAttempts, ok bool, err error) {
	return find[SignInAttempts](ctx, q, `SELECT `+signInAttemptColumns+` FROM sign_in_attempts
		WHERE action <> '' AND at < ? ORDER BY at LIMIT 1`, Millis(before))
}

// CountRejectedSubjects counts the rows of rejections.
func (q Queries) CountRejectedSubjects(ctx context.Context) (int, error) {
	return get[int](ctx, q, `SELECT count(*) FROM sign_in_attempts WHERE action <> ''`)
}

// Alert is a security notice to a user about a sign-in or a sign-in attempt. Alerts with the same content
// within a day are one row.
type Alert struct {
	ID      string `db:"id"`
	UserID  string `db:"user_id"`
	Kind    string `db:"kind"`
	Network string `db:"network"` // cut to a /24 or /48; of the first occurrence
	Browser string `db:"browser"`
	At      int64  `db:"at"`
	LastAt  int64  `db:"last_at"`
	Count   int64  `db:"count"`
}

// AlertTooManySessions reports a session that ended because the user started a sixth one. Package account
// defines the other kinds.
const AlertTooManySessions = "crowded"

const alertColumns = `id, user_id, kind, network, browser, at, last_at, count`

// AddAlert stores an alert, or adds to the count of the last one of its kind when that one is less than a day
// old; first reports whether it was stored.
func (tx *Tx) AddAlert(ctx context.Context, a Alert) (first bool, err error) {
	n, err := tx.execRows(ctx, `UPDATE alerts SET count = count + 1, last_at = ? WHERE id IN
		(SELECT id FROM alerts WHERE user_id = ? AND at > ? AND kind = ? ORDER BY at DESC LIMIT 1)`,
		a.At, a.UserID, a.At-(24*time.Hour).Milliseconds(), a.Kind)
	if err != nil || n == 1 {
		return false, err
	}
	a.ID, a.LastAt, a.Count = uuid.Must(uuid.NewV7()).String(), a.At, 1
	return true, tx.insert(ctx, "alerts", alertColumns, a)
}

// Alerts lists the user's alerts, newest first.
func (q Queries) Alerts(ctx context.Context, userID string, limit int) ([]Alert, error) {
	return list[Alert](ctx, q, `SELECT `+alertColumns+` FROM alerts WHERE user_id = ? ORDER BY at DESC, id DESC LIMIT ?`,
		userID, limit)
}

// DropAlerts deletes the alerts from before an instant.
func (tx *Tx) DropAlerts(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM alerts WHERE at < ?`, Millis(before))
}

// LoginLocation is a combination of browser and network from which a user has signed in.
type LoginLocation struct{ UserID, Network, Browser string }

// SignInState is what decides how a user's sign-in continues.
type SignInState struct {
	SecondFactors int `db:"second_factors"`
	StrongLinks   int `db:"strong_links"` // to providers that have vouched for the user with two factors
	// KnownLocation reports whether the user has recently signed in from this location.
	KnownLocation bool `db:"known_location"`
	FirstSignIn   bool `db:"first_sign_in"` // whether the user has never signed in
}

// SignInState reads the state of a user who signs in from a location.
func (q Queries) SignInState(ctx context.Context, p LoginLocation) (SignInState, error) {
	return get[SignInState](ctx, q, `SELECT (SELECT count(*) FROM credentials WHERE user_id = ?) AS second_factors,
		(SELECT count(*) FROM identities WHERE user_id = ? AND strong_at <> 0) AS strong_links,
		(SELECT count(*) FROM sign_in_locations WHERE user_id = ? AND network = ? AND browser = ?) AS known_location,
		(SELECT count(*) FROM users WHERE id = ? AND signed_in_at = 0) AS first_sign_in`,
		p.UserID, p.UserID, p.UserID, p.Network, p.Browser, p.UserID)
}

// maxLoginLocations limits how many locations are stored per user; the one unused for longest is deleted
// first.
const maxLoginLocations = 50

// SaveLoginLocation records that a user has signed in from this location.
func (tx *Tx) SaveLoginLocation(ctx context.Context, p LoginLocation, at time.Time) error {
	err := tx.exec(ctx, `INSERT INTO sign_in_locations (user_id, network, browser, seen_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (user_id, network, browser) DO UPDATE SET seen_at = excluded.seen_at`,
		p.UserID, p.Network, p.Browser, Millis(at))
	if err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE users SET signed_in_at = ? WHERE id = ?`, Millis(at), p.UserID)
}

// TrimLoginLocations deletes a user's oldest locations beyond the limit after a new one was stored.
func (tx *Tx) TrimLoginLocations(ctx context.Context, userID string) error {
	return tx.exec(ctx, `DELETE FROM sign_in_locations WHERE user_id = ?
		AND seen_at < coalesce((SELECT seen_at FROM sign_in_locations WHERE user_id = ?
		ORDER BY seen_at DESC LIMIT 1 OFFSET ?), 0)`, userID, userID, maxLoginLocations-1)
}

// DropLoginLocations deletes the locations that nobody has signed in from since an instant.
func (tx *Tx) DropLoginLocations(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM sign_in_locations WHERE seen_at < ?`, Millis(before))
}
