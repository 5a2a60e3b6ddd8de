package store

import (
	"context"
	"time"
)

// RateLimit is the level of a leaky bucket for one key, and when it was written.
type RateLimit struct {
	Level int64 `db:"level"` // thousandths of one request
	At    int64 `db:"at"`
}

// RateLimit reads a level; the zero value for an unknown key.
func (q queries) RateLimit(ctx context.Context, key string) (RateLimit, error) {
	var rows []RateLimit
	err := q.list(ctx, &rows, `SELECT level, at FROM measures WHERE key = ?`, key)
	if err != nil || len(rows) == 0 {
		return RateLimit{}, err
	}
	return rows[0], nil
}

// SaveRateLimit stores a level.
func (tx *Tx) SaveRateLimit(ctx context.Context, key string, m RateLimit) error {
	_, err := tx.exec(ctx, `INSERT INTO measures (key, level, at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET level = excluded.level, at = excluded.at`,
		key, m.Level, m.At)
	return err
}

// DropRateLimits deletes the levels that were not written since an instant: their buckets are empty by now.
func (tx *Tx) DropRateLimits(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM measures WHERE at < ?`, Millis(before))
	return err
}

// RejectedSignIns counts the rejected sign-ins that follow an audited one.
type RejectedSignIns struct {
	Subject string      `db:"subject"`
	Action  AuditAction `db:"action"`
	Object  string      `db:"object"`
	Detail  string      `db:"detail"`
	Since   int64       `db:"since"` // when the audited one was written
	Count   int64       `db:"count"` // how many followed it
}

const rejectedSignInColumns = `subject, action, object, detail, since, count`

// RejectedSignIns reads the count of a subject; ok is false when there is none.
func (q queries) RejectedSignIns(ctx context.Context, subject string) (r RejectedSignIns, ok bool, err error) {
	var rows []RejectedSignIns
	if err = q.list(ctx, &rows, `SELECT `+rejectedSignInColumns+` FROM refused_log_ins WHERE subject = ?`, subject); err != nil || len(rows) == 0 {
		return r, false, err
	}
	return rows[0], true, nil
}

// RejectedSignInsBefore reads the oldest count that began before an instant; ok is false when there is none.
func (q queries) RejectedSignInsBefore(ctx context.Context, before time.Time) (r RejectedSignIns, ok bool, err error) {
	var rows []RejectedSignIns
	err = q.list(ctx, &rows, `SELECT `+rejectedSignInColumns+` FROM refused_log_ins WHERE since < ? ORDER BY since LIMIT 1`, Millis(before))
	if err != nil || len(rows) == 0 {
		return r, false, err
	}
	return rows[0], true, nil
}

// CountRejectedSubjects returns the number of subjects with a count.
func (q queries) CountRejectedSubjects(ctx context.Context) (int, error) {
	var n int
	return n, q.get(ctx, &n, `SELECT count(*) FROM refused_log_ins`)
}

// SaveRejectedSignIns stores a count.
func (tx *Tx) SaveRejectedSignIns(ctx context.Context, r RejectedSignIns) error {
	return tx.execNamed(ctx, `INSERT INTO refused_log_ins (`+rejectedSignInColumns+`) VALUES (:subject, :action, :object, :detail, :since, :count)
		ON CONFLICT (subject) DO UPDATE SET action = excluded.action, object = excluded.object, detail = excluded.detail, since = excluded.since, count = excluded.count`, r)
}

// DropRejectedSignIns deletes a count; false when it was already deleted.
func (tx *Tx) DropRejectedSignIns(ctx context.Context, subject string) (bool, error) {
	n, err := tx.exec(ctx, `DELETE FROM refused_log_ins WHERE subject = ?`, subject)
	return n == 1, err
}
