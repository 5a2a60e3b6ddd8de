package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TeamCount counts the leads of one originator in one lane, exactly. Originator is empty for unassigned leads.
type TeamCount struct {
	Originator      heloc.OriginatorID `db:"originator"`
	Lane            heloc.Lane         `db:"lane"`
	Leads           int                `db:"leads"`
	lead.MoveCounts                    // of those whose move is the originator's
	FirstDue        int64              `db:"first_due"` // the due_sort of the first of these
}

const teamCountsSQL = `SELECT originator, lane, count(*) AS leads,
	sum(CASE WHEN ` + lead.YourMoveCondition + ` THEN 1 ELSE 0 END) AS today,
	sum(CASE WHEN ` + lead.OverdueCondition + ` THEN 1 ELSE 0 END) AS overdue,
	coalesce(min(CASE WHEN ` + lead.YourMoveCondition + ` THEN due_sort END), 0) AS first_due
	FROM leads WHERE company = ? GROUP BY originator, lane`

// TeamCounts counts the leads of a company by originator and lane, as of now.
func (q Queries) TeamCounts(ctx context.Context, company string, now int64) ([]TeamCount, error) {
	return list[TeamCount](ctx, q, teamCountsSQL, now, company)
}

const openCountsSQL = `SELECT originator, count(*) AS leads FROM leads WHERE company = ? AND lane <> 'ended'
	GROUP BY originator`

// OpenCounts counts the open leads of a company by originator, exactly; the empty originator has the unassigned ones.
func (q Queries) OpenCounts(ctx context.Context, company string) (map[heloc.OriginatorID]int, error) {
	return mapOf[heloc.OriginatorID, int](ctx, q, openCountsSQL, company)
}

// StateCount counts the open leads of one originator, or of nobody, in one state.
type StateCount struct {
	Originator heloc.OriginatorID `db:"originator"`
	State      string             `db:"state"`
	Leads      int                `db:"leads"`
}

// OpenStateCounts counts the open leads of a company by originator and state. Leads without a state are left out.
func (q Queries) OpenStateCounts(ctx context.Context, company string) ([]StateCount, error) {
	return list[StateCount](ctx, q, `SELECT originator, state, count(*) AS leads FROM leads
		WHERE company = ? AND lane <> 'ended' AND state <> '' GROUP BY originator, state`, company)
}

// firstDueSQL finds one lead for each of n originators with a lane and a due time.
func firstDueSQL(n int) string {
	return `WITH f (whose, of_lane, due) AS (VALUES (?, ?, CAST(? AS BIGINT))` + strings.Repeat(`, (?, ?, ?)`, n-1) + `)
		SELECT ` + listColumns + ` FROM leads WHERE app IN (SELECT (SELECT min(l.app) FROM leads l
			WHERE l.company = ? AND l.originator = whose
			AND l.lane = of_lane AND l.` + lead.YourMoveCondition + ` AND l.due_sort = due) FROM f)
				ORDER BY due_sort DESC, app DESC`
}

// FirstDue returns, for each originator of a company and for unassigned leads, the lead whose move is due first, by
// what TeamCounts counted. Originators without such a lead are left out.
func (q Queries) FirstDue(ctx context.Context, company string,
	counts []TeamCount) (map[heloc.OriginatorID]lead.Row, error) {
	due := map[heloc.OriginatorID]int64{}
	for _, c := range counts {
		if at, ok := due[c.Originator]; c.Today > 0 && (!ok || c.FirstDue < at) {
			due[c.Originator] = c.FirstDue
		}
	}
	var args []any
	for _, c := range counts {
		if at, ok := due[c.Originator]; ok && c.Today > 0 && c.FirstDue == at {
			args = append(args, c.Originator, c.Lane, c.FirstDue)
		}
	}
	first := map[heloc.OriginatorID]lead.Row{}
	if len(args) == 0 {
		return first, nil
	}
	rows, err := q.leadRows(ctx, firstDueSQL(len(args)/3), append(args, company)...)
	for _, l := range rows {
		first[l.Originator] = l
	}
	return first, err
}

// OriginatorAccount is the account of an originator.
type OriginatorAccount struct {
	Originator heloc.OriginatorID `db:"originator"`
	UserID     string             `db:"user_id"`
	Role       access.Role        `db:"role"`
	DisabledAt int64              `db:"disabled_at"`
	SignedInAt int64              `db:"signed_in_at"` // the last sign-in; 0 for never
	ActiveAt   int64              `db:"active_at"`    // the last activity in a session that has not ended; 0 without one
	OutUntil   int64              `db:"out_until"`    // when leads that others have because they are out go back; else 0
}

// OriginatorAccounts lists the accounts of the originators within a scope: closed ones first, then those whose role
// does not work on leads.
func (q Queries) OriginatorAccounts(ctx context.Context, scope access.Scope) ([]OriginatorAccount, error) {
	where, args := originatorScopeCondition(scope)
	return list[OriginatorAccount](ctx, q, `SELECT u.originator, u.id AS user_id, u.role, u.disabled_at, u.signed_in_at,
		coalesce((SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id), 0) AS active_at,
		`+outUntil+` AS out_until
		FROM users u WHERE u.originator IN (SELECT uuid FROM originators WHERE `+where+`) ORDER BY CASE
			WHEN u.disabled_at <> 0 THEN 0 WHEN u.role IN ('originator', 'manager') THEN 2 ELSE 1 END, u.id`, args...)
}

// LicensedOriginator is an originator with the states in which they are known to be licensed.
type LicensedOriginator struct {
	lead.Originator
	States string `db:"states"` // their abbreviations in alphabetical order, separated by commas
	Renew  int    `db:"renew"`  // licenses that end by a day, or have ended
}

// LicensedOriginators lists the originators within a scope, by name, with how many licenses end by a day.
func (q Queries) LicensedOriginators(ctx context.Context, scope access.Scope, by heloc.Date) ([]LicensedOriginator,
	error) {
	where, args := originatorScopeCondition(scope)
	args = append([]any{by}, args...)
	return list[LicensedOriginator](ctx, q, `SELECT `+originatorColumns+`,
		coalesce((SELECT string_agg(state, ',' ORDER BY state)
		FROM licenses WHERE holder = originators.uuid AND allowed = 1), '') AS states,
		(SELECT count(*) FROM licenses WHERE holder = originators.uuid AND allowed = 1 AND expires_on <> ''
		AND expires_on <= ?) AS renew
		FROM originators WHERE `+where+` ORDER BY last_name, first_name, uuid`, args...)
}

// UnassignedLeads reads one page of a company's open leads without an originator, in order of due time. An
// originator's scope contains none.
func (q Queries) UnassignedLeads(ctx context.Context, scope access.Scope, after string) (LeadPage, error) {
	if scope.OriginatorUUID != "" {
		return LeadPage{}, nil
	}
	query, args := unassignedSQL(scope, after)
	leads, err := q.leadRows(ctx, query, args...)
	return pageOf(leads, PageSize, func(l lead.Row) string { return pageKeyOf(lead.SortDue, l) }), err
}

func unassignedSQL(scope access.Scope, after string) (string, []any) {
	where, by := inScope(scope), orderOf(lead.SortDue)
	where.and("originator = '' AND lane <> 'ended'")
	by.after(where, after)
	return fmt.Sprintf(`SELECT %s FROM leads WHERE %s ORDER BY %s LIMIT %d`, listColumns, where, by, PageSize+1),
		where.args
}

// CountUnassigned counts a company's open leads without an originator.
func (q Queries) CountUnassigned(ctx context.Context, company string) (int, error) {
	return get[int](ctx, q, unassignedCountSQL, company)
}

const unassignedCountSQL = `SELECT count(*) FROM leads WHERE company = ? AND originator = '' AND lane <> 'ended'`

// FormerOriginators reads who had each of some leads before it became unassigned; leads that nobody had are absent.
func (q Queries) FormerOriginators(ctx context.Context,
	apps []heloc.AppID) (map[heloc.AppID]heloc.OriginatorID, error) {
	return mapOf[heloc.AppID, heloc.OriginatorID](ctx, q, `SELECT app, former_originator FROM leads
		WHERE app IN `+placeholders(len(apps))+`
		AND former_originator <> ''`, toAny(apps)...)
}

// UnassignedEvents reads, for each of some leads, the last event by which it had no originator: it became unassigned,
// or it was created.
func (q Queries) UnassignedEvents(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]lead.Event, error) {
	return q.lastEvents(ctx, apps, `kind = 'moved' AND detail = 'unassigned' OR kind IN ('started', 'adopted')`)
}

// stayedSQL reads the last stays at a step through an index.
const stayedSQL = `SELECT stayed_millis FROM lead_events WHERE company = ? AND step_before = ? AND stayed_millis > 0
	ORDER BY at DESC LIMIT ?`

// Stays lists how long the last leads of a company stayed at a step that they left, in milliseconds, latest first.
func (q Queries) Stays(ctx context.Context, company string, step heloc.Step, limit int) ([]int64, error) {
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
func (q Queries) OpenSteps(ctx context.Context, company string) ([]heloc.Step, error) {
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
func (q Queries) StuckCounts(ctx context.Context, sq StuckQuery) ([]lead.StuckCount, error) {
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
func (q Queries) StuckLeads(ctx context.Context, sq StuckQuery) (LeadPage, error) {
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
func (q Queries) lastEvents(ctx context.Context, apps []heloc.AppID, where string) (map[heloc.AppID]lead.Event, error) {
	rows, err := list[lead.Event](ctx, q, `SELECT `+eventColumns+` FROM lead_events
		WHERE app IN `+placeholders(len(apps))+`
		AND (`+where+`) ORDER BY at`, toAny(apps)...)
	return byKey(rows, func(e lead.Event) heloc.AppID { return e.App }), err
}

// LastOperations reads the last operation of each of some leads that was sent after its start; leads without one are
// absent.
func (q Queries) LastOperations(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]lead.Operation, error) {
	rows, err := list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations
		WHERE id IN (SELECT (SELECT o.id FROM operations o
		WHERE o.app = l.app AND o.kind <> 'start' ORDER BY o.created_at DESC LIMIT 1)
		FROM leads l WHERE l.app IN `+placeholders(len(apps))+`)`, toAny(apps)...)
	return byKey(rows, func(op lead.Operation) heloc.AppID { return op.App }), err
}

// NoteCounts counts the notes of some leads; leads without one are absent.
func (q Queries) NoteCounts(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]int, error) {
	return mapOf[heloc.AppID, int](ctx, q, `SELECT app, count(*) FROM notes WHERE app IN `+placeholders(len(apps))+`
		GROUP BY app`, toAny(apps)...)
}

// LastNudges reads the last nudge about each of some leads; leads without one are absent.
func (q Queries) LastNudges(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]lead.Event, error) {
	return q.lastEvents(ctx, apps, `kind = 'nudged'`)
}
