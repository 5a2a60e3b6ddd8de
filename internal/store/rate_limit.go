package store

import (
	"context"
	"time"
)

// RateLimit is how much an address has done of one kind, and when that was written.
type RateLimit struct {
	Level int64 `db:"level"` // thousandths of a unit
	At    int64 `db:"at"`
}

// RateLimit reads one; zero for a key that has none.
func (q queries) RateLimit(ctx context.Context, key string) (RateLimit, error) {
	var rows []RateLimit
	err := q.list(ctx, &rows, `SELECT level, at FROM rate_limits WHERE key = ?`, key)
	if err != nil || len(rows) == 0 {
		return RateLimit{}, err
	}
	return rows[0], nil
}

// SaveRateLimit saves one; a level of zero deletes it.
func (tx *Tx) SaveRateLimit(ctx context.Context, key string, m RateLimit) error {
	if m.Level == 0 {
		_, err := tx.exec(ctx, `DELETE FROM rate_limits WHERE key = ?`, key)
		return err
	}
	_, err := tx.exec(ctx, `INSERT INTO rate_limits (key, level, at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET level = excluded.level, at = excluded.at`,
		key, m.Level, m.At)
	return err
}

// DropRateLimits deletes those that were not written since an instant: they are empty.
func (tx *Tx) DropRateLimits(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM rate_limits WHERE at < ?`, Millis(before))
	return err
}

// RejectedSignIns counts refused sign-ins that follow one in the audit.
type RejectedSignIns struct {
	Subject string      `db:"subject"`
	Action  AuditAction `db:"action"`
	Object  string      `db:"object"`
	Detail  string      `db:"detail"`
	Since   int64       `db:"since"` // when the one in the audit was written
	Count   int64       `db:"count"` // of those that followed
}

const rejectedSignInColumns = `subject, action, object, detail, since, count`

// RejectedSignIns reads the count of a subject; ok is false when there is none.
func (q queries) RejectedSignIns(ctx context.Context, subject string) (r RejectedSignIns, ok bool, err error) {
	var rows []RejectedSignIns
	if err = q.list(ctx, &rows, `SELECT `+rejectedSignInColumns+` FROM refused_sign_ins WHERE subject = ?`, subject); err != nil || len(rows) == 0 {
		return r, false, err
	}
	return rows[0], true, nil
}

// RejectedSignInsBefore reads one that began before an instant, the oldest; ok is false for none.
func (q queries) RejectedSignInsBefore(ctx context.Context, before time.Time) (r RejectedSignIns, ok bool, err error) {
	var rows []RejectedSignIns
	err = q.list(ctx, &rows, `SELECT `+rejectedSignInColumns+` FROM refused_sign_ins WHERE since < ? ORDER BY since LIMIT 1`, Millis(before))
	if err != nil || len(rows) == 0 {
		return r, false, err
	}
	return rows[0], true, nil
}

// CountRejectedSubjects counts them.
func (q queries) CountRejectedSubjects(ctx context.Context) (int, error) {
	var n int
	return n, q.get(ctx, &n, `SELECT count(*) FROM refused_sign_ins`)
}

// SaveRejectedSignIns keeps a count.
func (tx *Tx) SaveRejectedSignIns(ctx context.Context, r RejectedSignIns) error {
	return tx.execNamed(ctx, `INSERT INTO refused_sign_ins (`+rejectedSignInColumns+`) VALUES (:subject, :action, :object, :detail, :since, :count)
		ON CONFLICT (subject) DO UPDATE SET action = excluded.action, object = excluded.object, detail = excluded.detail, since = excluded.since, count = excluded.count`, r)
}

// DropRejectedSignIns forgets a count; false when it was forgotten already.
func (tx *Tx) DropRejectedSignIns(ctx context.Context, subject string) (bool, error) {
	n, err := tx.exec(ctx, `DELETE FROM refused_sign_ins WHERE subject = ?`, subject)
	return n == 1, err
}
