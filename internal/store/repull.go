package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
)

// RepullState is the state of a planned re-pull.
type RepullState string

// The states. Trying is committed before anything else happens, so that a restart cannot try a second time.
const (
	RepullWaiting  RepullState = "waiting"
	RepullTrying   RepullState = "trying"
	RepullDone     RepullState = "done"    // requested; the journal has the result
	RepullSkipped  RepullState = "missed"  // not requested; Outcome is the reason
	RepullCanceled RepullState = "dropped" // a user canceled it, or requested a re-pull manually
)

// Repull is a single credit re-pull that was planned with a consent.
type Repull struct {
	ID          string             `db:"id"`
	App         heloc.AppID        `db:"app_uuid"`
	UserID      string             `db:"user_id"`
	Originator  heloc.OriginatorID `db:"originator_uuid"`
	Method      string             `db:"method"`
	TextVersion string             `db:"text_version"`
	LiftedAt    int64              `db:"lifted_at"`
	UntilAt     int64              `db:"until_at"` // when the lift ends; 0 when unknown
	DueAt       int64              `db:"due_at"`
	CreatedAt   int64              `db:"created_at"` // also when the consent was recorded
	State       RepullState        `db:"state"`
	TriedAt     int64              `db:"tried_at"`
	Outcome     string             `db:"outcome"`
	Bureaus     string             `db:"bureaus"`   // where the freeze is lifted, by the lender's names, separated by commas
	ConsentBy   string             `db:"taken_by"`  // who recorded the consent: not UserID when the lead was reassigned since
	ConsentFor  heloc.OriginatorID `db:"taken_for"` // and as which originator
}

const repullColumns = `id, app_uuid, user_id, originator_uuid, method, text_version, lifted_at, until_at, due_at, created_at, state, tried_at, outcome,
	bureaus, taken_by, taken_for`

// PlanRepull stores a plan and replaces the lead's waiting one.
func (tx *Tx) PlanRepull(ctx context.Context, r Repull) error {
	if _, err := tx.CancelRepull(ctx, r.App, "replaced"); err != nil {
		return err
	}
	return tx.execNamed(ctx, `INSERT INTO repulls (`+repullColumns+`) VALUES (:id, :app_uuid, :user_id, :originator_uuid, :method, :text_version,
		:lifted_at, :until_at, :due_at, :created_at, :state, :tried_at, :outcome,
		:bureaus, :taken_by, :taken_for)`, r)
}

// ReassignRepull gives a lead's waiting plan to the user who has the lead now; false when there was none. The
// consent still names the user who recorded it.
func (tx *Tx) ReassignRepull(ctx context.Context, app heloc.AppID, userID string, originator heloc.OriginatorID) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE repulls SET user_id = ?, originator_uuid = ? WHERE app_uuid = ? AND state = ?`, userID, originator, app, RepullWaiting)
	return n > 0, err
}

// CancelRepull cancels a lead's waiting plan; false when there was none.
func (tx *Tx) CancelRepull(ctx context.Context, app heloc.AppID, why string) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE repulls SET state = ?, outcome = ? WHERE app_uuid = ? AND state = ?`, RepullCanceled, why, app, RepullWaiting)
	return n > 0, err
}

// UpdateRepullState moves a plan from one state to another; false when it was no longer in the first.
func (tx *Tx) UpdateRepullState(ctx context.Context, r Repull, from RepullState) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE repulls SET state = ?, tried_at = ?, outcome = ? WHERE id = ? AND state = ?`, r.State, r.TriedAt, r.Outcome, r.ID, from)
	return n == 1, err
}

// RepullsDue lists the plans whose time has come, and those whose try began before an instant and never
// ended.
func (q queries) RepullsDue(ctx context.Context, now, begun time.Time, limit int) ([]Repull, error) {
	var rs []Repull
	return rs, q.list(ctx, &rs, `SELECT `+repullColumns+` FROM repulls WHERE state = 'waiting' AND due_at <= ?
		UNION ALL SELECT `+repullColumns+` FROM repulls WHERE state = 'trying' AND due_at <= ? AND tried_at <= ?
		ORDER BY due_at, id LIMIT ?`, Millis(now), Millis(now), Millis(begun), limit)
}

// Repulls lists the plans of a lead that the caller has opened, newest first.
func (q queries) Repulls(ctx context.Context, app heloc.AppID, limit int) ([]Repull, error) {
	var rs []Repull
	return rs, q.list(ctx, &rs, `SELECT `+repullColumns+` FROM repulls WHERE app_uuid = ? ORDER BY created_at DESC, id DESC LIMIT ?`, app, limit)
}

// RepullOf reads the plan that an operation was requested by; fault.NotFound for an operation that a user
// sent.
func (q queries) RepullOf(ctx context.Context, app heloc.AppID, opID string) (Repull, error) {
	var r Repull
	return r, q.get(ctx, &r, `SELECT `+repullColumns+` FROM repulls WHERE app_uuid = ? AND state = ? AND outcome = ?`, app, RepullDone, opID)
}
