package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
)

// Reassignment is the reassignment of one lead from one originator to another. State and the times are those
// of its operation, because only the journal decides the outcome.
type Reassignment struct {
	OpID      string             `db:"op_id"`
	App       heloc.AppID        `db:"app_uuid"`
	ActorID   string             `db:"actor_id"`
	ActorName string             `db:"actor_name"`
	From      heloc.OriginatorID `db:"from_uuid"`
	To        heloc.OriginatorID `db:"to_uuid"`
	Undoes    string             `db:"undoes"` // the operation that it reverses
	JobID     string             `db:"job_id"` // the job of a bulk reassignment
	Sealed    []byte             `db:"sealed"` // the summary note
	At        int64              `db:"at"`

	State      OpState `db:"state"`
	AnsweredAt int64   `db:"answered_at"`
	SettledAt  int64   `db:"settled_at"`
}

// DoneAt returns when the portal learned that the lender accepted it; 0 before.
func (h Reassignment) DoneAt() int64 {
	switch h.State {
	case OpSucceeded:
		return h.AnsweredAt
	case OpConfirmed:
		return h.SettledAt
	default:
		return 0
	}
}

const (
	reassignmentSelect = `SELECT h.op_id, h.app_uuid, h.actor_id, h.actor_name, h.from_uuid, h.to_uuid, h.undoes, h.job_id, h.sealed, h.at,
		o.state, o.answered_at, o.settled_at FROM hand_overs h JOIN operations o ON o.id = h.op_id `
	notUndone = ` AND NOT EXISTS (SELECT 1 FROM hand_overs u JOIN operations uo ON uo.id = u.op_id
		WHERE u.undoes = h.op_id AND u.undoes <> '' AND uo.state IN ('succeeded', 'confirmed'))`
)

// AddReassignment stores a reassignment before its operation is sent.
func (tx *Tx) AddReassignment(ctx context.Context, h Reassignment) error {
	return tx.execNamed(ctx, `INSERT INTO hand_overs (op_id, app_uuid, actor_id, actor_name, from_uuid, to_uuid, undoes, job_id, sealed, at)
		VALUES (:op_id, :app_uuid, :actor_id, :actor_name, :from_uuid, :to_uuid, :undoes, :job_id, :sealed, :at)`, h)
}

// Reassignment reads the reassignment of an operation; fault.NotFound for any other operation.
func (q queries) Reassignment(ctx context.Context, opID string) (Reassignment, error) {
	var h Reassignment
	return h, q.get(ctx, &h, reassignmentSelect+`WHERE h.op_id = ?`, opID)
}

// LastAcceptedReassignment reads the latest reassignment of an opened lead that the lender accepted;
// fault.NotFound when the portal never reassigned it.
func (q queries) LastAcceptedReassignment(ctx context.Context, app heloc.AppID) (Reassignment, error) {
	var h Reassignment
	return h, q.get(ctx, &h, reassignmentSelect+`WHERE h.app_uuid = ? AND o.state IN ('succeeded', 'confirmed') ORDER BY h.at DESC LIMIT 1`, app)
}

// LatestReassignment reads the latest reassignment of a lead that the lender may have accepted;
// fault.NotFound when there is none.
func (q queries) LatestReassignment(ctx context.Context, app heloc.AppID) (Reassignment, error) {
	var h Reassignment
	return h, q.get(ctx, &h, reassignmentSelect+`WHERE h.app_uuid = ? AND o.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY h.at DESC LIMIT 1`, app)
}

// ReassignmentsBy lists the single reassignments that a user has made since an instant and that were not
// undone, newest first.
func (q queries) ReassignmentsBy(ctx context.Context, actor UserScope, since time.Time, limit int) ([]Reassignment, error) {
	var all []Reassignment
	return all, q.list(ctx, &all, reassignmentSelect+`WHERE h.actor_id = ? AND o.company = ? AND h.at >= ? AND h.undoes = '' AND h.job_id = ''
		AND o.state IN ('succeeded', 'confirmed', 'unknown')`+notUndone+` ORDER BY h.at DESC LIMIT ?`, actor.UserID, actor.Company, Millis(since), limit)
}

// LastReassignmentBy reads the user's last reassignment of a lead since an instant that the lender may have
// accepted; fault.NotFound when there is none.
func (q queries) LastReassignmentBy(ctx context.Context, actor UserScope, app heloc.AppID, since time.Time) (Reassignment, error) {
	var h Reassignment
	return h, q.get(ctx, &h, reassignmentSelect+`WHERE h.app_uuid = ? AND h.actor_id = ? AND o.company = ? AND h.at >= ?
		AND o.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY h.at DESC LIMIT 1`, app, actor.UserID, actor.Company, Millis(since))
}

// ReassignmentUndone reports whether a reassignment was undone, or may have been.
func (q queries) ReassignmentUndone(ctx context.Context, opID string) (bool, error) {
	var n int
	err := q.get(ctx, &n, `SELECT count(*) FROM hand_overs u JOIN operations o ON o.id = u.op_id
		WHERE u.undoes = ? AND u.undoes <> '' AND o.state IN ('prepared', 'sent', 'succeeded', 'confirmed', 'unknown')`, opID)
	return n > 0, err
}
