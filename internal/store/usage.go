package store

import (
	"context"
	"time"
)

// Uses are counted in windows of usageWindow, for UsagePeriod: a use counts for that long, or up to a window less.
const (
	UsagePeriod = time.Hour
	usageWindow = 5 * time.Minute
)

// Usage is something that is limited by the hour, and who does it.
type Usage struct {
	Subject string // a company, or "user:" and the id of a user
	Kind    string
}

// UsedUpUntil returns when a use will be within the limit again; the zero time when it is now.
func (q queries) UsedUpUntil(ctx context.Context, u Usage, limit int, now time.Time) (time.Time, error) {
	type window struct {
		WindowAt int64 `db:"window_at"`
		N        int   `db:"n"`
	}
	// A window far in the future was written before the clock was set back, and would never end.
	rows, err := list[window](ctx, q, `SELECT window_at, n FROM usage_windows WHERE subject = ? AND kind = ?
		AND window_at > ? AND window_at <= ? ORDER BY window_at`,
		u.Subject, u.Kind, Millis(now.Add(-UsagePeriod)), Millis(now.Add(usageWindow)))
	sum := 0
	for _, r := range rows {
		sum += r.N
	}
	for _, r := range rows {
		if err != nil || sum < limit {
			break
		}
		if sum -= r.N; sum < limit {
			return Instant(r.WindowAt).Add(UsagePeriod), nil
		}
	}
	return time.Time{}, err
}

// AddUse counts one use.
func (tx *Tx) AddUse(ctx context.Context, u Usage, now time.Time) error {
	return tx.exec(ctx, `INSERT INTO usage_windows (subject, kind, window_at, n) VALUES (?, ?, ?, 1)
		ON CONFLICT (subject, kind, window_at) DO UPDATE SET n = usage_windows.n + 1`,
		u.Subject, u.Kind, Millis(now.Truncate(usageWindow)))
}

// RefusedUse reports whether a use was refused in this window, and has been recorded.
func (q queries) RefusedUse(ctx context.Context, u Usage, now time.Time) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM usage_windows WHERE subject = ? AND kind = ? AND window_at = ?
		AND refused <> 0`, u.Subject, u.Kind, Millis(now.Truncate(usageWindow)))
}

// SaveRefusedUse records that a use was refused; false when another one was recorded in this window.
func (tx *Tx) SaveRefusedUse(ctx context.Context, u Usage, now time.Time) (first bool, err error) {
	return tx.changed(ctx, `INSERT INTO usage_windows (subject, kind, window_at, refused) VALUES (?, ?, ?, 1)
		ON CONFLICT (subject, kind, window_at) DO UPDATE SET refused = 1 WHERE usage_windows.refused = 0`,
		u.Subject, u.Kind, Millis(now.Truncate(usageWindow)))
}

// DropUses deletes the counts of windows before an instant.
func (tx *Tx) DropUses(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM usage_windows WHERE window_at < ?`, Millis(before))
}
