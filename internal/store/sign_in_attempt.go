package store

import (
	"context"
	"strings"
	"time"
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
func (q queries) SignInAttempts(ctx context.Context, keys ...string) (map[string]SignInAttempts, error) {
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
func (q queries) RejectedSignInsBefore(ctx context.Context, before time.Time) (r SignInAttempts, ok bool, err error) {
	return find[SignInAttempts](ctx, q, `SELECT `+signInAttemptColumns+` FROM sign_in_attempts
		WHERE action <> '' AND at < ? ORDER BY at LIMIT 1`, Millis(before))
}

// CountRejectedSubjects counts the rows of rejections.
func (q queries) CountRejectedSubjects(ctx context.Context) (int, error) {
	return get[int](ctx, q, `SELECT count(*) FROM sign_in_attempts WHERE action <> ''`)
}
