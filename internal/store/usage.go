package store

import (
	"context"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
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
func (q Queries) UsedUpUntil(ctx context.Context, u Usage, limit int, now time.Time) (time.Time, error) {
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
func (q Queries) RefusedUse(ctx context.Context, u Usage, now time.Time) (bool, error) {
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

// AddReveal stores a reveal.
func (tx *Tx) AddReveal(ctx context.Context, r lead.Reveal) error {
	return tx.insert(ctx, "reveals", `id, app, user_id, user_name, fields, reason, sealed_reason, at`, r)
}

// RevealBefore returns when a user made the reveal that so many newer ones follow, across all leads; 0 when there is
// none.
func (q Queries) RevealBefore(ctx context.Context, userID string, newer int) (int64, error) {
	return findOrZero[int64](ctx, q, `SELECT at FROM reveals WHERE user_id = ? ORDER BY at DESC LIMIT 1 OFFSET ?`,
		userID, newer)
}

// HasRevealed reports whether a user has revealed something of a lead for this reason.
func (q Queries) HasRevealed(ctx context.Context, app heloc.AppID, userID, reason string) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM reveals WHERE app = ? AND user_id = ? AND reason = ?`, app, userID, reason)
}

// Reveals lists the reveals of a lead that the caller has opened, newest first.
func (q Queries) Reveals(ctx context.Context, app heloc.AppID, limit int) ([]lead.Reveal, error) {
	return list[lead.Reveal](ctx, q, `SELECT id, app, user_id, user_name, fields, reason, sealed_reason, at FROM reveals
		WHERE app = ? ORDER BY at DESC, id DESC`+limited(limit), app)
}

// LeadViewers lists who has viewed a lead that the caller has opened, latest view first: its pages, and whatever else
// the audit knows to have shown it.
func (q Queries) LeadViewers(ctx context.Context, app heloc.AppID) ([]lead.Viewer, error) {
	return list[lead.Viewer](ctx, q, `SELECT u.id AS user_id, u.name, max(v.at) AS viewed_at FROM (
			SELECT user_id, viewed_at AS at FROM lead_views WHERE app = ?
			UNION ALL SELECT actor_id, at FROM audit WHERE object = ? AND action = ?) v
		JOIN users u ON u.id = v.user_id
		GROUP BY u.id, u.name ORDER BY viewed_at DESC, u.id LIMIT 50`, app, "lead:"+string(app), ActionLeadOpen)
}

// AddExports counts one export for each of some leads.
func (tx *Tx) AddExports(ctx context.Context, t lead.Export, at time.Time, apps ...heloc.AppID) error {
	for chunk := 0; chunk < len(apps); chunk += rowsPerStatement {
		some := apps[chunk:min(chunk+rowsPerStatement, len(apps))]
		args := make([]any, 0, 5*len(some))
		for _, app := range some {
			args = append(args, app, t.UserID, t.Kind, t.About, Millis(at))
		}
		if err := tx.exec(ctx, `INSERT INTO lead_exports (app, user_id, kind, about, at)
			VALUES (?, ?, ?, ?, ?)`+strings.Repeat(`, (?, ?, ?, ?, ?)`, len(some)-1)+`
			ON CONFLICT (app, user_id, kind, about) DO UPDATE SET n = lead_exports.n + 1, at = excluded.at`,
			args...); err != nil {
			return err
		}
	}
	return nil
}

// rowsPerStatement limits the rows of one statement, because databases limit the number of arguments.
const rowsPerStatement = 100

// Exports lists what was exported of a lead that the caller has opened, latest first.
func (q Queries) Exports(ctx context.Context, app heloc.AppID, limit int) ([]lead.Export, error) {
	return list[lead.Export](ctx, q, `SELECT t.user_id, u.name, t.kind, t.about, t.n, t.at FROM lead_exports t
		JOIN users u ON u.id = t.user_id
		WHERE t.app = ? ORDER BY t.at DESC LIMIT ?`, app, limit)
}
