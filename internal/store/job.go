package store

import (
	"context"
	"time"

	"hearthline/internal/lead"
)

const jobColumns = `id, kind, actor_id, company, target, sealed, created_at, ended_at, lease_owner, lease_until`

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
func (q queries) Job(ctx context.Context, actor UserScope, id string) (lead.Job, error) {
	return get[lead.Job](ctx, q, `SELECT `+jobColumns+` FROM jobs WHERE id = ? AND actor_id = ? AND company = ?`,
		id, actor.UserID, actor.Company)
}

// JobsOf lists the jobs that a user has started since an instant, newest first. Assignment rules start jobs in a user's
// name too, which their own list contains.
func (q queries) JobsOf(ctx context.Context, actor UserScope, since time.Time, limit int) ([]lead.Job, error) {
	return list[lead.Job](ctx, q, `SELECT `+jobColumns+` FROM jobs WHERE actor_id = ? AND company = ? AND created_at >= ?
		AND kind <> ? ORDER BY created_at DESC LIMIT ?`,
		actor.UserID, actor.Company, Millis(since), lead.JobRule, limit)
}

// JobRows lists the leads of a job in their order, each with its result.
func (q queries) JobRows(ctx context.Context, jobID string) ([]lead.JobRow, error) {
	return list[lead.JobRow](ctx, q, `SELECT r.job_id, r.n, r.app, r.short_id, r.state, r.op_id, r.reason, r.undoes,
		CASE WHEN r.target <> '' THEN r.target ELSE j.target END AS target,
		coalesce(o.state, '') AS verdict, coalesce(o.messages, '') AS messages, coalesce(o.answered_at, 0) AS answered_at,
		coalesce(l.originator, '') AS originator
		FROM job_rows r JOIN jobs j ON j.id = r.job_id LEFT JOIN operations o ON o.id = r.op_id AND r.op_id <> ''
		LEFT JOIN leads l ON l.app = r.app
		WHERE r.job_id = ? ORDER BY r.n`, jobID)
}

// AnyJob reads a job. The caller has checked by other means that the user may know of it.
func (q queries) AnyJob(ctx context.Context, id string) (lead.Job, error) {
	return get[lead.Job](ctx, q, `SELECT `+jobColumns+` FROM jobs WHERE id = ?`, id)
}

// JobTargets counts the originators to whom a job assigns leads.
func (q queries) JobTargets(ctx context.Context, jobID string) (int, error) {
	return get[int](ctx, q, `SELECT count(DISTINCT CASE WHEN r.target <> '' THEN r.target ELSE nullif(j.target, '') END)
		FROM job_rows r JOIN jobs j ON j.id = r.job_id WHERE r.job_id = ?`, jobID)
}

// JobSize counts the leads of a job.
func (q queries) JobSize(ctx context.Context, jobID string) (int, error) {
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
	if job, ok, err = find[lead.Job](ctx, s.queries, nextJobSQL, Millis(now), ahead, ahead); err != nil || !ok {
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
