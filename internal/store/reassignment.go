package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const (
	reassignmentSelect = `SELECT h.op_id, h.app_uuid, h.actor_id, h.actor_name, h.from_uuid, h.to_uuid, h.undoes, h.job_id, h.sealed, h.at,
		o.state, o.answered_at, o.settled_at FROM hand_overs h JOIN operations o ON o.id = h.op_id `
	notUndone = ` AND NOT EXISTS (SELECT 1 FROM hand_overs u JOIN operations uo ON uo.id = u.op_id
		WHERE u.undoes = h.op_id AND u.undoes <> '' AND uo.state IN ('succeeded', 'confirmed'))`
)

// AddReassignment stores a reassignment before its operation is sent.
func (tx *Tx) AddReassignment(ctx context.Context, h lead.Reassignment) error {
	return tx.execNamed(ctx, `INSERT INTO hand_overs (op_id, app_uuid, actor_id, actor_name, from_uuid, to_uuid, undoes, job_id, sealed, at)
		VALUES (:op_id, :app_uuid, :actor_id, :actor_name, :from_uuid, :to_uuid, :undoes, :job_id, :sealed, :at)`, h)
}

// Reassignment reads the reassignment of an operation; fault.NotFound for any other operation.
func (q queries) Reassignment(ctx context.Context, opID string) (lead.Reassignment, error) {
	var h lead.Reassignment
	return h, q.get(ctx, &h, reassignmentSelect+`WHERE h.op_id = ?`, opID)
}

// LastAcceptedReassignment reads the latest reassignment of an opened lead that the lender accepted;
// fault.NotFound when the portal never reassigned it.
func (q queries) LastAcceptedReassignment(ctx context.Context, app heloc.AppID) (lead.Reassignment, error) {
	var h lead.Reassignment
	return h, q.get(ctx, &h, reassignmentSelect+`WHERE h.app_uuid = ? AND o.state IN ('succeeded', 'confirmed') ORDER BY h.at DESC LIMIT 1`, app)
}

// LatestReassignment reads the latest reassignment of a lead that the lender may have accepted;
// fault.NotFound when there is none.
func (q queries) LatestReassignment(ctx context.Context, app heloc.AppID) (lead.Reassignment, error) {
	var h lead.Reassignment
	return h, q.get(ctx, &h, reassignmentSelect+`WHERE h.app_uuid = ? AND o.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY h.at DESC LIMIT 1`, app)
}

// ReassignmentsBy lists the single reassignments that a user has made since an instant and that were not
// undone, newest first.
func (q queries) ReassignmentsBy(ctx context.Context, actor UserScope, since time.Time, limit int) ([]lead.Reassignment, error) {
	var all []lead.Reassignment
	return all, q.list(ctx, &all, reassignmentSelect+`WHERE h.actor_id = ? AND o.company = ? AND h.at >= ? AND h.undoes = '' AND h.job_id = ''
		AND o.state IN ('succeeded', 'confirmed', 'unknown')`+notUndone+` ORDER BY h.at DESC LIMIT ?`, actor.UserID, actor.Company, Millis(since), limit)
}

// LastReassignmentBy reads the user's last reassignment of a lead since an instant that the lender may have
// accepted; fault.NotFound when there is none.
func (q queries) LastReassignmentBy(ctx context.Context, actor UserScope, app heloc.AppID, since time.Time) (lead.Reassignment, error) {
	var h lead.Reassignment
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
