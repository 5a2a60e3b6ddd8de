package store

import (
	"context"
	"time"

	"hearthline/internal/lead"
)

// Backlog counts pending work in the database, for operators.
type Backlog struct {
	Leads               int `db:"leads"`
	Due                 int `db:"due"`        // leads whose refresh has been due for more than a minute
	Failing             int `db:"failing"`    // leads whose last three or more refreshes failed
	UnknownOperations   int `db:"unknown"`    // writes whose outcome is unknown; an estimate changes nothing, and nobody settles it
	Jobs                int `db:"jobs"`       // background jobs that have not ended
	Webhooks            int `db:"hooks"`      // webhooks of the last day
	UnknownApplications int `db:"strangers"`  // applications that have no lead
	Unassigned          int `db:"unassigned"` // open leads that have no originator
	LegalHolds          int `db:"held"`
}

// Backlog counts pending work, each number up to CountLimit.
func (q queries) Backlog(ctx context.Context, now time.Time) (Backlog, error) {
	var b Backlog
	err := q.get(ctx, &b, backlogSQL(), Millis(now.Add(-time.Minute)), Millis(now.AddDate(0, 0, -1)))
	b.Unassigned = min(b.Unassigned, lead.CountLimit)
	return b, err
}

func backlogSQL() string {
	some := func(from string) string { return `(SELECT count(*) FROM (SELECT 1 FROM ` + from + ` LIMIT 1000) x)` }
	return `SELECT ` + some(`leads`) + ` AS leads, ` + some(`leads WHERE refresh_at <= ?`) + ` AS due,
		` + some(`leads WHERE refresh_at + 0 < 9000000000000000000 AND refresh_failures >= 3`) + ` AS failing,
		` + some(`operations WHERE state = 'unknown' AND kind <> 'pre-qualify'`) + ` AS unknown, ` + some(`jobs WHERE ended_at = 0`) + ` AS jobs,
		` + some(`webhook_inbox WHERE received_at > ?`) + ` AS hooks, ` + some(`strangers`) + ` AS strangers,
		(SELECT coalesce(sum(n), 0) FROM open_lead_counts WHERE originator_uuid = '')` + ` AS unassigned, ` + some(`leads WHERE held_at > 0`) + ` AS held`
}
