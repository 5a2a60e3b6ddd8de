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
func (q queries) Backlog(ctx context.Context, now time.Time) (Backlog, error) {
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
