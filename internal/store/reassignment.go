package store

import (
	"context"
	"fmt"
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
func (q Queries) Reassignment(ctx context.Context, opID string) (lead.Reassignment, error) {
	return get[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.op_id = ?`, opID)
}

// ReassignmentsOf lists the reassignments of an opened lead that were sent from the portal, newest first.
func (q Queries) ReassignmentsOf(ctx context.Context, app heloc.AppID, limit int) ([]lead.Reassignment, error) {
	return list[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.app = ? ORDER BY h.at DESC`+limited(limit), app)
}

// LastAcceptedReassignment reads the latest reassignment of an opened lead that the lender accepted;
// fault.NotFound when the portal never reassigned it.
func (q Queries) LastAcceptedReassignment(ctx context.Context, app heloc.AppID) (lead.Reassignment, error) {
	return get[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.app = ? AND o.state IN ('succeeded', 'confirmed')
		ORDER BY h.at DESC LIMIT 1`, app)
}

// LatestReassignment reads the latest reassignment of a lead that the lender may have accepted;
// fault.NotFound when there is none.
func (q Queries) LatestReassignment(ctx context.Context, app heloc.AppID) (lead.Reassignment, error) {
	return get[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.app = ?
		AND o.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY h.at DESC LIMIT 1`, app)
}

// ReassignmentsBy lists the single reassignments that a user has made since an instant and that were not
// undone, newest first.
func (q Queries) ReassignmentsBy(ctx context.Context, actor UserScope, since time.Time,
	limit int) ([]lead.Reassignment, error) {
	return list[lead.Reassignment](ctx, q, reassignmentSelect+`WHERE h.actor_id = ? AND o.company = ? AND h.at >= ?
		AND h.undoes = '' AND h.job_id = ''
		AND o.state IN ('succeeded', 'confirmed', 'unknown')`+notUndone+` ORDER BY h.at DESC`+limited(limit), actor.UserID,
		actor.Company, Millis(since))
}

// LastReassignmentBy reads the user's last reassignment of a lead since an instant that the lender may have
// accepted; fault.NotFound when there is none.
func (q Queries) LastReassignmentBy(ctx context.Context, actor UserScope, app heloc.AppID,
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
func (q Queries) CountReassigned(ctx context.Context, of ReassignedLeads) (int, error) {
	if of.To != "" {
		return get[int](ctx, q, receivedCountSQL, of.Job, of.To, of.To)
	}
	return get[int](ctx, q, reassignedCountSQL, of.Job, of.From, of.From)
}

// ReceivedLeads lists the leads of an originator that a job assigned to them, first the one that is due first.
func (q Queries) ReceivedLeads(ctx context.Context, jobID string, to heloc.OriginatorID) ([]lead.Row, error) {
	return q.leadRows(ctx, `SELECT `+listColumns+` FROM leads WHERE app IN (`+receivedSQL+`) AND originator = ?
		ORDER BY due_sort, app`, jobID, to, to)
}

// The leads are found by the job, not by the originator, who can have many more.
const receivedSQL = `SELECT app FROM reassignments WHERE job_id = ? AND job_id <> '' AND to_originator = ?`

// ReceivedFrom counts how many leads of a company a job has assigned to an originator.
func (q Queries) ReceivedFrom(ctx context.Context, jobID string, to heloc.OriginatorID, company string) (int, error) {
	return get[int](ctx, q, receivedFromSQL, jobID, to, company)
}

const receivedFromSQL = `SELECT count(*) FROM leads
	WHERE app IN (SELECT h.app FROM reassignments h JOIN operations o ON o.id = h.op_id
	WHERE h.job_id = ? AND h.job_id <> '' AND h.to_originator = ? AND o.company = ?
	AND o.state IN ('succeeded', 'confirmed'))`

// ReassignmentsOfJob lists the reassignments of a job by their operations.
func (q Queries) ReassignmentsOfJob(ctx context.Context, jobID string) (map[string]lead.Reassignment, error) {
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
func (q Queries) ActedSince(ctx context.Context, jobID string) (map[string]string, error) {
	return mapOf[string, string](ctx, q, actedSinceSQL, jobID)
}

const actedOnSQL = `SELECT count(*) FROM (SELECT 1 FROM lead_events
	WHERE app = ? AND at >= ? AND actor_id NOT IN ('', ?) LIMIT 1) x`

// ActedOn reports whether anybody but this user has acted on a lead since an instant.
func (q Queries) ActedOn(ctx context.Context, app heloc.AppID, since int64, except string) (bool, error) {
	return q.has(ctx, actedOnSQL, app, since, except)
}

// workSQL finds what others than the former originator have done on leads since they were reassigned. The lender's news
// has no actor, and neither the reassignment itself nor a request to follow up is work.
const workSQL = `SELECT h.op_id AS reassignment, e.kind, e.operation, e.detail, e.actor_name AS actor, e.at AS at
	FROM reassignments h
	JOIN lead_events e ON e.app = h.app AND e.at >= h.at AND e.actor_id <> '' AND e.op_id <> h.op_id AND e.kind <> 'nudged'
	WHERE h.op_id IN %[1]s AND NOT EXISTS (SELECT 1 FROM users f
		WHERE f.id = e.actor_id AND f.originator = h.from_originator)
	UNION ALL
	SELECT h.op_id AS reassignment, 'exported' AS kind, '' AS operation, '' AS detail, u.name AS actor,
	x.at AS at FROM reassignments h
	JOIN lead_exports x ON x.app = h.app AND x.at >= h.at AND x.kind <> 'list' JOIN users u ON u.id = x.user_id
	WHERE h.op_id IN %[1]s AND u.originator <> h.from_originator
	ORDER BY at`

// WorkSince lists what anyone other than the former originator has done since some reassignments, oldest first. Viewing
// a lead does not count.
func (q Queries) WorkSince(ctx context.Context, opIDs []string) ([]lead.Work, error) {
	if len(opIDs) == 0 {
		return nil, nil
	}
	return list[lead.Work](ctx, q, fmt.Sprintf(workSQL, placeholders(len(opIDs))),
		append(toAny(opIDs), toAny(opIDs)...)...)
}

const jobColumns = `id, kind, actor_id, company, target, sealed, created_at, ended_at, lease_owner, lease_until,
	return_at`

// AddJob writes a job with its rows.
func (tx *Tx) AddJob(ctx context.Context, job lead.Job, rows []lead.JobRow) error {
	if err := tx.insert(ctx, "jobs", jobColumns, job); err != nil {
		return err
	}
	for _, row := range rows {
		err := tx.insert(ctx, "job_rows", `job_id, n, app, short_id, state, op_id, reason, target, undoes`, row)
		if err != nil {
			return err
		}
	}
	return nil
}

// Job reads a job of a user; fault.NotFound for another user's job.
func (q Queries) Job(ctx context.Context, actor UserScope, id string) (lead.Job, error) {
	return get[lead.Job](ctx, q, `SELECT `+jobColumns+` FROM jobs WHERE id = ? AND actor_id = ? AND company = ?`,
		id, actor.UserID, actor.Company)
}

// JobsOf lists the jobs that a user has started since an instant, newest first. Assignment rules start jobs in a user's
// name too, which their own list contains.
func (q Queries) JobsOf(ctx context.Context, actor UserScope, since time.Time, limit int) ([]lead.Job, error) {
	return list[lead.Job](ctx, q, `SELECT `+jobColumns+` FROM jobs WHERE actor_id = ? AND company = ? AND created_at >= ?
		AND kind <> ? ORDER BY created_at DESC LIMIT ?`,
		actor.UserID, actor.Company, Millis(since), lead.JobRule, limit)
}

// JobRows lists the leads of a job in their order, each with its result.
func (q Queries) JobRows(ctx context.Context, jobID string) ([]lead.JobRow, error) {
	return list[lead.JobRow](ctx, q, `SELECT r.job_id, r.n, r.app, r.short_id, r.state, r.op_id, r.reason, r.undoes,
		CASE WHEN r.target <> '' THEN r.target ELSE j.target END AS target,
		coalesce(o.state, '') AS verdict, coalesce(o.messages, '') AS messages, coalesce(o.answered_at, 0) AS answered_at,
		coalesce(l.originator, '') AS originator
		FROM job_rows r JOIN jobs j ON j.id = r.job_id LEFT JOIN operations o ON o.id = r.op_id AND r.op_id <> ''
		LEFT JOIN leads l ON l.app = r.app
		WHERE r.job_id = ? ORDER BY r.n`, jobID)
}

// AnyJob reads a job. The caller has checked by other means that the user may know of it.
func (q Queries) AnyJob(ctx context.Context, id string) (lead.Job, error) {
	return get[lead.Job](ctx, q, `SELECT `+jobColumns+` FROM jobs WHERE id = ?`, id)
}

// ReturnsDue lists the jobs whose leads should go back by an instant, earliest first.
func (q Queries) ReturnsDue(ctx context.Context, now time.Time) ([]lead.Job, error) {
	return list[lead.Job](ctx, q, returnsDueSQL, Millis(now))
}

const returnsDueSQL = `SELECT ` + jobColumns + ` FROM jobs WHERE return_at > 0 AND return_at <= ?
	ORDER BY return_at LIMIT 20`

// BeginReturn records that the leads of a job are going back; false if that has begun already.
func (tx *Tx) BeginReturn(ctx context.Context, jobID string) (bool, error) {
	return tx.changed(ctx, `UPDATE jobs SET return_at = 0 WHERE id = ? AND return_at > 0`, jobID)
}

// outUntil is when the leads of a user u go back, which others have because the user is out; 0 if none do.
const outUntil = `coalesce((SELECT max(j.return_at) FROM jobs j JOIN reassignments h ON h.job_id = j.id
	WHERE j.return_at > 0 AND h.from_originator = u.originator AND h.from_originator <> h.to_originator` +
	notUndone + `), 0)`

// OutUntil returns when the leads of a user who is out go back; 0 if they are not out.
func (q Queries) OutUntil(ctx context.Context, userID string) (int64, error) {
	return get[int64](ctx, q, `SELECT `+outUntil+` FROM users u WHERE u.id = ?`, userID)
}

// ReturnsTo lists the ended jobs of a company whose leads wait to go back to an originator.
func (q Queries) ReturnsTo(ctx context.Context, originator heloc.OriginatorID, company string) ([]lead.Job, error) {
	return list[lead.Job](ctx, q, `SELECT `+jobColumns+` FROM jobs j WHERE return_at > 0 AND ended_at > 0 AND company = ?
		AND EXISTS (SELECT 1 FROM reassignments h WHERE h.job_id = j.id AND h.from_originator = ?
		AND h.from_originator <> h.to_originator`+notUndone+`) ORDER BY return_at`, company, originator)
}

// JobTargets counts the originators to whom a job assigns leads.
func (q Queries) JobTargets(ctx context.Context, jobID string) (int, error) {
	return get[int](ctx, q, `SELECT count(DISTINCT CASE WHEN r.target <> '' THEN r.target ELSE nullif(j.target, '') END)
		FROM job_rows r JOIN jobs j ON j.id = r.job_id WHERE r.job_id = ?`, jobID)
}

// JobSize counts the leads of a job.
func (q Queries) JobSize(ctx context.Context, jobID string) (int, error) {
	return get[int](ctx, q, `SELECT count(*) FROM job_rows WHERE job_id = ?`, jobID)
}

// SaveJobRow writes the progress of a row.
func (tx *Tx) SaveJobRow(ctx context.Context, row lead.JobRow) error {
	return tx.execNamed(ctx, `UPDATE job_rows SET state = :state, op_id = :op_id, reason = :reason
		WHERE job_id = :job_id AND n = :n`, row)
}

// nextJobSQL finds, in the company that has waited longest for its turn, the open job that has waited longest. A
// turn or a lease from before the clock was set back (see LeaseExpired) counts as long past.
const nextJobSQL = `SELECT ` + jobColumns + ` FROM jobs WHERE ended_at = 0 AND (lease_until <= ? OR lease_until > ?)
	ORDER BY (SELECT max(CASE WHEN o.lease_until > ? THEN 0 ELSE o.lease_until END) FROM jobs o
		WHERE o.company = jobs.company), lease_until, created_at LIMIT 1`

// LeaseJob leases the open job whose turn it is for lead.JobLease: companies take turns, however many jobs each has. ok
// is false when there is none.
func (s *Store) LeaseJob(ctx context.Context, owner string) (job lead.Job, ok bool, err error) {
	now, err := s.LeaseNow(ctx)
	if err != nil {
		return lead.Job{}, false, err
	}
	// Most calls find no job, so they first look without the writer.
	ahead := Millis(now.Add(2 * lead.JobLease))
	if job, ok, err = find[lead.Job](ctx, s.Queries, nextJobSQL, Millis(now), ahead, ahead); err != nil || !ok {
		return lead.Job{}, false, err
	}
	before := job.LeaseUntil
	job.LeaseOwner, job.LeaseUntil = owner, Millis(now.Add(lead.JobLease))
	err = s.Write(ctx, func(tx *Tx) (err error) {
		ok, err = tx.changed(ctx, `UPDATE jobs SET lease_owner = ?, lease_until = ?
			WHERE id = ? AND ended_at = 0 AND lease_until = ?`, owner, job.LeaseUntil, job.ID, before)
		return err
	})
	return job, ok && err == nil, err
}

// ExtendJobLease extends this owner's lease on the job to lead.JobLease from now; it returns false if another owner has
// it.
func (tx *Tx) ExtendJobLease(ctx context.Context, job lead.Job) (ours bool, err error) {
	now, err := tx.LeaseNow(ctx)
	if err != nil {
		return false, err
	}
	return tx.changed(ctx, `UPDATE jobs SET lease_until = ? WHERE id = ? AND lease_owner = ? AND ended_at = 0`,
		Millis(now.Add(lead.JobLease)), job.ID, job.LeaseOwner)
}

// ReleaseJob releases the lease, so that the next job has its turn. A job without a waiting row has ended.
func (s *Store) ReleaseJob(ctx context.Context, id, owner string) error {
	return s.Write(ctx, func(tx *Tx) error {
		now, err := tx.LeaseNow(ctx)
		if err != nil {
			return err
		}
		return tx.exec(ctx, `UPDATE jobs SET lease_owner = '', lease_until = ?,
			ended_at = CASE WHEN EXISTS (SELECT 1 FROM job_rows WHERE job_id = id AND state = 'waiting') THEN 0
			ELSE CAST(? AS BIGINT) END
			WHERE id = ? AND lease_owner = ?`, Millis(now), Millis(tx.now()), id, owner)
	})
}

// ReopenJob lets a job run again.
func (tx *Tx) ReopenJob(ctx context.Context, id string) error {
	return tx.exec(ctx, `UPDATE jobs SET ended_at = 0 WHERE id = ?`, id)
}
