package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const (
	reassignmentSelect = `SELECT h.op_id, h.app, h.actor_id, h.actor_name, h.from_originator, h.to_originator, h.undoes,
		h.job_id, h.sealed, h.at,
		o.state, o.answered_at, o.settled_at, coalesce(l.short_id, '') AS short_id,
		coalesce(l.originator, '') AS lead_originator, coalesce(l.company, '') AS lead_company,
		coalesce((SELECT a.op_id FROM reassignments a JOIN operations ao ON ao.id = a.op_id
			WHERE a.app = h.app AND ao.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY a.at DESC LIMIT 1),
			'') AS latest_op_id,
		EXISTS (SELECT 1 FROM reassignments u JOIN operations uo ON uo.id = u.op_id
			WHERE u.undoes = h.op_id AND u.undoes <> ''
			AND uo.state IN ('sent', 'succeeded', 'confirmed', 'unknown')) AS undone
		FROM reassignments h JOIN operations o ON o.id = h.op_id LEFT JOIN leads l ON l.app = h.app `
	notUndone = ` AND NOT EXISTS (SELECT 1 FROM reassignments u JOIN operations uo ON uo.id = u.op_id
		WHERE u.undoes = h.op_id AND u.undoes <> '' AND uo.state IN ('succeeded', 'confirmed'))`
)

// AddReassignment stores a reassignment before its operation is sent.
func (tx *Tx) AddReassignment(ctx context.Context, h lead.Reassignment) error {
	return tx.insert(ctx, "reassignments",
		`op_id, app, actor_id, actor_name, from_originator, to_originator, undoes, job_id, sealed, at`, h)
}

// Reassignment reads the reassignment of an operation; fault.NotFound for any other operation.
func (q queries) Reassignment(ctx context.Context, opID string) (lead.Reassignment, error) {
	return get[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.op_id = ?`, opID)
}

// ReassignmentsOf lists the reassignments of an opened lead that were sent from the portal, newest first.
func (q queries) ReassignmentsOf(ctx context.Context, app heloc.AppID, limit int) ([]lead.Reassignment, error) {
	return list[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.app = ? ORDER BY h.at DESC`+limited(limit), app)
}

// LastAcceptedReassignment reads the latest reassignment of an opened lead that the lender accepted;
// fault.NotFound when the portal never reassigned it.
func (q queries) LastAcceptedReassignment(ctx context.Context, app heloc.AppID) (lead.Reassignment, error) {
	return get[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.app = ? AND o.state IN ('succeeded', 'confirmed')
		ORDER BY h.at DESC LIMIT 1`, app)
}

// LatestReassignment reads the latest reassignment of a lead that the lender may have accepted;
// fault.NotFound when there is none.
func (q queries) LatestReassignment(ctx context.Context, app heloc.AppID) (lead.Reassignment, error) {
	return get[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.app = ?
		AND o.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY h.at DESC LIMIT 1`, app)
}

// ReassignmentsBy lists the single reassignments that a user has made since an instant and that were not
// undone, newest first.
func (q queries) ReassignmentsBy(ctx context.Context, actor UserScope, since time.Time,
	limit int) ([]lead.Reassignment, error) {
	return list[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.actor_id = ? AND o.company = ? AND h.at >= ?
		AND h.undoes = '' AND h.job_id = ''
		AND o.state IN ('succeeded', 'confirmed', 'unknown')`+notUndone+` ORDER BY h.at DESC`+limited(limit), actor.UserID,
		actor.Company, Millis(since))
}

// LastReassignmentBy reads the user's last reassignment of a lead since an instant that the lender may have
// accepted; fault.NotFound when there is none.
func (q queries) LastReassignmentBy(ctx context.Context, actor UserScope, app heloc.AppID,
	since time.Time) (lead.Reassignment, error) {
	return get[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.app = ? AND h.actor_id = ? AND o.company = ?
		AND h.at >= ?
		AND o.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY h.at DESC LIMIT 1`,
		app, actor.UserID, actor.Company, Millis(since))
}

// ReassignedLeads counts the leads that a job moved from one originator or to another and that are still there: with
// the new originator, or no longer with the former one.
type ReassignedLeads struct {
	Job      string
	From, To heloc.OriginatorID // one of the two
}

const (
	receivedCountSQL   = `SELECT count(*) FROM leads WHERE app IN (` + receivedSQL + `) AND originator = ?`
	reassignedCountSQL = `SELECT count(*) FROM leads WHERE app IN (SELECT app FROM reassignments
		WHERE job_id = ? AND job_id <> '' AND from_originator = ?) AND originator <> ?`
)

// CountReassigned counts leads of a job.
func (q queries) CountReassigned(ctx context.Context, of ReassignedLeads) (int, error) {
	if of.To != "" {
		return get[int](ctx, q, receivedCountSQL, of.Job, of.To, of.To)
	}
	return get[int](ctx, q, reassignedCountSQL, of.Job, of.From, of.From)
}

// ReceivedLeads lists the leads of an originator that a job assigned to them, first the one that is due first.
func (q queries) ReceivedLeads(ctx context.Context, jobID string, to heloc.OriginatorID) ([]lead.Row, error) {
	return q.leadRows(ctx, `SELECT `+listColumns+` FROM leads WHERE app IN (`+receivedSQL+`) AND originator = ?
		ORDER BY due_sort, app`, jobID, to, to)
}

// The leads are found by the job, not by the originator, who can have many more.
const receivedSQL = `SELECT app FROM reassignments WHERE job_id = ? AND job_id <> '' AND to_originator = ?`

// ReceivedFrom counts how many leads of a company a job has assigned to an originator.
func (q queries) ReceivedFrom(ctx context.Context, jobID string, to heloc.OriginatorID, company string) (int, error) {
	return get[int](ctx, q, receivedFromSQL, jobID, to, company)
}

const receivedFromSQL = `SELECT count(*) FROM leads
	WHERE app IN (SELECT h.app FROM reassignments h JOIN operations o ON o.id = h.op_id
	WHERE h.job_id = ? AND h.job_id <> '' AND h.to_originator = ? AND o.company = ?
	AND o.state IN ('succeeded', 'confirmed'))`

// ReassignmentsOfJob lists the reassignments of a job by their operations.
func (q queries) ReassignmentsOfJob(ctx context.Context, jobID string) (map[string]lead.Reassignment, error) {
	all, err := list[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.job_id = ? AND h.job_id <> ''`, jobID)
	return byKey(all, func(r lead.Reassignment) string { return r.OpID }), err
}

const actedSinceSQL = `SELECT h.op_id, min(e.actor_name) AS actor_name FROM reassignments h
	JOIN operations o ON o.id = h.op_id
	JOIN lead_events e ON e.app = h.app AND e.at >= CASE WHEN o.answered_at > 0 THEN o.answered_at ELSE h.at END
	AND e.actor_id NOT IN ('', h.actor_id)
	WHERE h.job_id = ? AND h.job_id <> '' AND o.state IN ('succeeded', 'confirmed') GROUP BY h.op_id`

// ActedSince returns, by operation, who has acted on a lead since a job reassigned it, other than the user of that job.
// Reading a lead is no action. Leads on which nobody has acted are absent.
func (q queries) ActedSince(ctx context.Context, jobID string) (map[string]string, error) {
	return mapOf[string, string](ctx, q, actedSinceSQL, jobID)
}

const actedOnSQL = `SELECT count(*) FROM (SELECT 1 FROM lead_events
	WHERE app = ? AND at >= ? AND actor_id NOT IN ('', ?) LIMIT 1) x`

// ActedOn reports whether anybody but this user has acted on a lead since an instant.
func (q queries) ActedOn(ctx context.Context, app heloc.AppID, since int64, except string) (bool, error) {
	return q.has(ctx, actedOnSQL, app, since, except)
}
