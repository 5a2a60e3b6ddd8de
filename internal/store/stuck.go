package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// stayedSQL reads the last stays at a step through an index.
const stayedSQL = `SELECT stayed_millis FROM lead_events WHERE company = ? AND step_before = ? AND stayed_millis > 0
	ORDER BY at DESC LIMIT ?`

// Stays lists how long the last leads of a company stayed at a step that they left, in milliseconds, latest first.
func (q queries) Stays(ctx context.Context, company string, step heloc.Step, limit int) ([]int64, error) {
	return list[int64](ctx, q, stayedSQL, company, step, limit)
}

// openStepsSQL jumps from each step to the next one in the index, so that it reads one row for each step.
const openStepsSQL = `WITH RECURSIVE steps (step) AS (
	SELECT min(step) FROM leads WHERE company = ? AND lane <> 'ended' AND converted = 0
	UNION ALL
	SELECT (SELECT min(l.step) FROM leads l WHERE l.company = ? AND l.lane <> 'ended' AND l.converted = 0
		AND l.step > steps.step) FROM steps WHERE steps.step IS NOT NULL
) SELECT step FROM steps WHERE step IS NOT NULL`

// OpenSteps lists the steps of a company's open inquiries.
func (q queries) OpenSteps(ctx context.Context, company string) ([]heloc.Step, error) {
	return list[heloc.Step](ctx, q, openStepsSQL, company, company)
}

// StuckQuery selects stuck leads of a company: those at one of the steps for longer than its limit, without an
// operation that the lender works on.
type StuckQuery struct {
	Company    string
	Steps      []lead.StuckStep
	Now        time.Time
	Originator heloc.OriginatorID // empty for all
	Unassigned bool               // only leads without an originator; Originator is ignored
	After      string             // the key of the last row of the previous page
}

// condition returns the stuck leads at one step as an SQL condition.
func (sq StuckQuery) condition(step lead.StuckStep) (string, []any) {
	where := "company = ? AND step = ? AND lane <> 'ended' AND converted = 0 AND step_since < ? AND pending_until <= ?"
	args := []any{sq.Company, step.Step, Millis(sq.Now.Add(-step.After)), Millis(sq.Now)}
	switch {
	case sq.Unassigned:
		where += " AND originator = ''"
	case sq.Originator != "":
		where, args = where+" AND originator = ?", append(args, sq.Originator)
	}
	return where, args
}

// StuckLimit is the number of stuck leads at one step at which their count stops: those that are there for longest are
// counted.
const StuckLimit = 200

// StuckCounts counts stuck leads by step and originator, of each step the StuckLimit leads that are there for longest.
func (q queries) StuckCounts(ctx context.Context, sq StuckQuery) ([]lead.StuckCount, error) {
	if len(sq.Steps) == 0 {
		return nil, nil
	}
	query, args := stuckCountsSQL(sq)
	return list[lead.StuckCount](ctx, q, query, args...)
}

func stuckCountsSQL(sq StuckQuery) (string, []any) {
	var parts []string
	var args []any
	for _, step := range sq.Steps {
		where, more := sq.condition(step)
		parts = append(parts, fmt.Sprintf(`SELECT ? AS step, originator, count(*) AS leads, min(step_since) AS since FROM
			(SELECT originator, step_since FROM leads WHERE %s ORDER BY step_since, app LIMIT %d) x GROUP BY originator`,
			where, StuckLimit))
		args = append(append(args, step.Step), more...)
	}
	return strings.Join(parts, " UNION ALL "), args
}

// StuckLeads reads one page of stuck leads, those that are at their step for longest first.
func (q queries) StuckLeads(ctx context.Context, sq StuckQuery) (LeadPage, error) {
	if len(sq.Steps) == 0 {
		return LeadPage{}, nil
	}
	query, args := stuckLeadsSQL(sq)
	leads, err := q.leadRows(ctx, query, args...)
	return pageOf(leads, PageSize, func(l lead.Row) string { return encodePageKey(l.StepSince, l.App) }), err
}

// stuckLeadsSQL reads no more rows of each step than a page has, in the order of an index.
func stuckLeadsSQL(sq StuckQuery) (string, []any) {
	var parts []string
	var args []any
	since, app, next := parsePageKey(sq.After)
	for _, step := range sq.Steps {
		where, more := sq.condition(step)
		if next {
			where, more = where+" AND (step_since, app) > (?, ?)", append(more, since, app)
		}
		parts = append(parts, fmt.Sprintf(`SELECT step_since, app
			FROM (SELECT step_since, app FROM leads WHERE %s ORDER BY step_since, app LIMIT %d) x`, where, PageSize+1))
		args = append(args, more...)
	}
	return fmt.Sprintf(`SELECT %s FROM leads WHERE app IN (SELECT app FROM (%s) y ORDER BY step_since, app LIMIT %d)
		ORDER BY step_since, app`,
		listColumns, strings.Join(parts, " UNION ALL "), PageSize+1), args
}

// lastEvents reads the last event of each of some leads that meets a condition.
func (q queries) lastEvents(ctx context.Context, apps []heloc.AppID, where string) (map[heloc.AppID]lead.Event, error) {
	rows, err := list[lead.Event](ctx, q, `SELECT `+eventColumns+` FROM lead_events
		WHERE app IN `+placeholders(len(apps))+`
		AND (`+where+`) ORDER BY at`, toAny(apps)...)
	return byKey(rows, func(e lead.Event) heloc.AppID { return e.App }), err
}

// LastOperations reads the last operation of each of some leads that was sent after its start; leads without one are
// absent.
func (q queries) LastOperations(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]lead.Operation, error) {
	rows, err := list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations
		WHERE id IN (SELECT (SELECT o.id FROM operations o
		WHERE o.app = l.app AND o.kind <> 'start' ORDER BY o.created_at DESC LIMIT 1)
		FROM leads l WHERE l.app IN `+placeholders(len(apps))+`)`, toAny(apps)...)
	return byKey(rows, func(op lead.Operation) heloc.AppID { return op.App }), err
}

// NoteCounts counts the notes of some leads; leads without one are absent.
func (q queries) NoteCounts(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]int, error) {
	return mapOf[heloc.AppID, int](ctx, q, `SELECT app, count(*) FROM notes WHERE app IN `+placeholders(len(apps))+`
		GROUP BY app`, toAny(apps)...)
}

// LastNudges reads the last nudge about each of some leads; leads without one are absent.
func (q queries) LastNudges(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]lead.Event, error) {
	return q.lastEvents(ctx, apps, `kind = 'nudged'`)
}
