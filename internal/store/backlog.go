package store

import (
	"context"
	"time"
)

// Backlog counts pending work in the database, for operators.
type Backlog struct {
	Leads   int `db:"leads"`
	Due     int `db:"due"`     // leads whose refresh has been due for more than a minute
	Failing int `db:"failing"` // leads whose last three or more refreshes failed
	// writes whose outcome is unknown; an estimate changes nothing, and nobody settles it
	UnknownOperations   int `db:"unknown_operations"`
	Jobs                int `db:"jobs"`                 // background jobs that have not ended
	Webhooks            int `db:"webhooks"`             // webhooks of the last day
	UnknownApplications int `db:"unknown_applications"` // applications that have no lead
	Unassigned          int `db:"unassigned"`           // open leads that have no originator
	LegalHolds          int `db:"legal_holds"`
}

// Backlog counts pending work, each number up to CountLimit.
func (q Queries) Backlog(ctx context.Context, now time.Time) (Backlog, error) {
	return get[Backlog](ctx, q, backlogSQL(), Millis(now.Add(-time.Minute)), Millis(now.AddDate(0, 0, -1)))
}

func backlogSQL() string {
	some := func(from string) string { return `(SELECT count(*) FROM (SELECT 1 FROM ` + from + ` LIMIT 1000) x)` }
	return `SELECT ` + some(`leads`) + ` AS leads, ` + some(`leads WHERE refresh_at <= ?`) + ` AS due,
		` + some(`leads WHERE refresh_failures >= 3 AND refresh_at < 9000000000000000000`) + ` AS failing,
		` + some(`operations WHERE state = 'unknown' AND kind <> 'pre-qualify'`) + ` AS unknown_operations, ` +
		some(`jobs WHERE ended_at = 0`) + ` AS jobs,
		` + some(`webhook_inbox WHERE received_at > ?`) + ` AS webhooks, ` + some(`unknown_applications`) +
		` AS unknown_applications,
		` + some(`leads WHERE originator = '' AND lane <> 'ended'`) + ` AS unassigned, ` +
		some(`leads WHERE legal_hold_at > 0`) + ` AS legal_holds`
}

// Pending counts work in the database that has begun and not ended, for metrics.
type Pending struct {
	Sent        int   `db:"sent"` // writes that were sent and have no outcome
	Emails      int   `db:"emails"`
	OldestEmail int64 `db:"oldest_email"` // when the email that has waited longest was written; 0 for none
}

// Pending counts pending work, each number up to CountLimit.
func (q Queries) Pending(ctx context.Context) (Pending, error) {
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
func (q Queries) DutyHolders(ctx context.Context) ([]DutyHolder, error) {
	now, err := q.LeaseNow(ctx)
	if err != nil {
		return nil, err
	}
	return list[DutyHolder](ctx, q, `SELECT name, owner FROM leases WHERE until > ? AND until <= ?
		ORDER BY name`, Millis(now), Millis(now.Add(2*dutyTime)))
}
