package store

import (
	"context"
	"time"
)

// Measure is how much an address has done of one kind, and when that was written.
type Measure struct {
	Level int64 `db:"level"` // thousandths of a drop
	At    int64 `db:"at"`
}

// Measure reads one; the zero Measure for a key never seen.
func (q queries) Measure(ctx context.Context, key string) (Measure, error) {
	var rows []Measure
	err := q.list(ctx, &rows, `SELECT level, at FROM measures WHERE key = ?`, key)
	if err != nil || len(rows) == 0 {
		return Measure{}, err
	}
	return rows[0], nil
}

// SaveMeasure keeps one.
func (tx *Tx) SaveMeasure(ctx context.Context, key string, m Measure) error {
	_, err := tx.exec(ctx, `INSERT INTO measures (key, level, at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET level = excluded.level, at = excluded.at`,
		key, m.Level, m.At)
	return err
}

// DropMeasures forgets those that were not written since an instant: they have run dry.
func (tx *Tx) DropMeasures(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM measures WHERE at < ?`, Millis(before))
	return err
}

// Refused counts refused log-ins that follow one in the audit.
type Refused struct {
	Subject string `db:"subject"`
	Action  Act    `db:"action"`
	Object  string `db:"object"`
	Detail  string `db:"detail"`
	Since   int64  `db:"since"` // when the one in the audit was written
	Count   int64  `db:"count"` // of those that followed
}

const refusedColumns = `subject, action, object, detail, since, count`

// Refused reads the count of a subject; ok is false when there is none.
func (q queries) Refused(ctx context.Context, subject string) (r Refused, ok bool, err error) {
	var rows []Refused
	if err = q.list(ctx, &rows, `SELECT `+refusedColumns+` FROM refused_log_ins WHERE subject = ?`, subject); err != nil || len(rows) == 0 {
		return r, false, err
	}
	return rows[0], true, nil
}

// RefusedBefore reads one that began before an instant, the oldest; ok is false for none.
func (q queries) RefusedBefore(ctx context.Context, before time.Time) (r Refused, ok bool, err error) {
	var rows []Refused
	err = q.list(ctx, &rows, `SELECT `+refusedColumns+` FROM refused_log_ins WHERE since < ? ORDER BY since LIMIT 1`, Millis(before))
	if err != nil || len(rows) == 0 {
		return r, false, err
	}
	return rows[0], true, nil
}

// RefusedSubjects counts them.
func (q queries) RefusedSubjects(ctx context.Context) (int, error) {
	var n int
	return n, q.get(ctx, &n, `SELECT count(*) FROM refused_log_ins`)
}

// SaveRefused keeps a count.
func (tx *Tx) SaveRefused(ctx context.Context, r Refused) error {
	return tx.named(ctx, `INSERT INTO refused_log_ins (`+refusedColumns+`) VALUES (:subject, :action, :object, :detail, :since, :count)
		ON CONFLICT (subject) DO UPDATE SET action = excluded.action, object = excluded.object, detail = excluded.detail, since = excluded.since, count = excluded.count`, r)
}

// DropRefused forgets a count; false when it was forgotten already.
func (tx *Tx) DropRefused(ctx context.Context, subject string) (bool, error) {
	n, err := tx.exec(ctx, `DELETE FROM refused_log_ins WHERE subject = ?`, subject)
	return n == 1, err
}
