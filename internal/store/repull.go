package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const repullColumns = `id, app, user_id, originator, method, text_version, lifted_at, until_at, due_at, created_at,
	state, tried_at, outcome,
	bureaus, consent_by, consent_for`

// PlanRepull stores a plan and replaces the lead's waiting one.
func (tx *Tx) PlanRepull(ctx context.Context, r lead.Repull) error {
	if _, err := tx.CancelRepull(ctx, r.App, "replaced"); err != nil {
		return err
	}
	return tx.insert(ctx, "repulls", repullColumns, r)
}

// ReassignRepull gives a lead's waiting plan to the user who has the lead now; false when there was none. The
// consent still names the user who recorded it.
func (tx *Tx) ReassignRepull(ctx context.Context, app heloc.AppID, userID string,
	originator heloc.OriginatorID) (bool, error) {
	return tx.changed(ctx, `UPDATE repulls SET user_id = ?, originator = ? WHERE app = ? AND state = ?`,
		userID, originator, app, lead.RepullWaiting)
}

// CancelRepull cancels a lead's waiting plan; false when there was none.
func (tx *Tx) CancelRepull(ctx context.Context, app heloc.AppID, why string) (bool, error) {
	return tx.changed(ctx, `UPDATE repulls SET state = ?, outcome = ? WHERE app = ? AND state = ?`,
		lead.RepullCanceled, why, app, lead.RepullWaiting)
}

// UpdateRepullState moves a plan from one state to another; false when it was no longer in the first.
func (tx *Tx) UpdateRepullState(ctx context.Context, r lead.Repull, from lead.RepullState) (bool, error) {
	return tx.changed(ctx, `UPDATE repulls SET state = ?, tried_at = ?, outcome = ? WHERE id = ? AND state = ?`,
		r.State, r.TriedAt, r.Outcome, r.ID, from)
}

// RepullsDue lists the plans whose time has come, and those whose try began before an instant and never ended: the
// first of each company, then the second of each, and so on. A try with a start time in the future began before the
// clock was set back.
func (q Queries) RepullsDue(ctx context.Context, now, begun time.Time, limit int) ([]lead.Repull, error) {
	return list[lead.Repull](ctx, q, `SELECT `+repullColumns+` FROM (
			SELECT r.*, row_number() OVER (PARTITION BY l.company ORDER BY r.due_at, r.id) AS place FROM (
				SELECT * FROM repulls WHERE state = 'waiting' AND due_at <= ?
				UNION ALL SELECT * FROM repulls WHERE state = 'trying' AND due_at <= ?
					AND (tried_at <= ? OR tried_at > ?)
			) r LEFT JOIN leads l ON l.app = r.app
		) x ORDER BY place, due_at, id LIMIT ?`, Millis(now), Millis(now), Millis(begun),
		Millis(now.Add(maxClockSkew)), limit)
}

// Repulls lists the plans of a lead that the caller has opened, newest first.
func (q Queries) Repulls(ctx context.Context, app heloc.AppID, limit int) ([]lead.Repull, error) {
	return list[lead.Repull](ctx, q, `SELECT `+repullColumns+` FROM repulls WHERE app = ?
		ORDER BY created_at DESC, id DESC`+limited(limit), app)
}

// RepullOf reads the plan that an operation was requested by; fault.NotFound for an operation that a user
// sent.
func (q Queries) RepullOf(ctx context.Context, app heloc.AppID, opID string) (lead.Repull, error) {
	return get[lead.Repull](ctx, q, `SELECT `+repullColumns+` FROM repulls WHERE app = ? AND state = ? AND outcome = ?`,
		app, lead.RepullDone, opID)
}
