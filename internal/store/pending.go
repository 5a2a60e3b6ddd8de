package store

import "context"

// Pending counts work in the database that has begun and not ended, for metrics.
type Pending struct {
	Sent        int   `db:"sent"` // writes that were sent and have no outcome
	Emails      int   `db:"emails"`
	OldestEmail int64 `db:"oldest_email"` // when the email that has waited longest was written; 0 for none
}

// Pending counts pending work, each number up to CountLimit.
func (q queries) Pending(ctx context.Context) (Pending, error) {
	return get[Pending](ctx, q, pendingSQL())
}

func pendingSQL() string {
	some := func(from string) string { return `(SELECT count(*) FROM (SELECT 1 FROM ` + from + ` LIMIT 1000) x)` }
	return `SELECT ` + some(`operations WHERE state = 'sent'`) + ` AS sent, ` +
		some(`outbox WHERE kind = 'letter' AND ended_at = 0`) + ` AS emails,
		(SELECT coalesce(min(created_at), 0) FROM (SELECT created_at FROM outbox WHERE kind = 'letter' AND ended_at = 0
			ORDER BY send_at LIMIT 1000) x) AS oldest_email`
}

// DutyHolder is the process that has a duty.
type DutyHolder struct {
	Name  string `db:"name"`
	Owner string `db:"owner"`
}

// DutyHolders lists the duties that a process has now.
func (q queries) DutyHolders(ctx context.Context) ([]DutyHolder, error) {
	now, err := q.LeaseNow(ctx)
	if err != nil {
		return nil, err
	}
	return list[DutyHolder](ctx, q, `SELECT name, owner FROM leases WHERE until > ? AND until <= ?
		ORDER BY name`, Millis(now), Millis(now.Add(2*dutyTime)))
}
