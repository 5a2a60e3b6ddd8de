package store

import (
	"context"
	"fmt"
	"strings"

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
func (q queries) TeamCounts(ctx context.Context, company string, now int64) ([]TeamCount, error) {
	return list[TeamCount](ctx, q, teamCountsSQL, now, company)
}

const openCountsSQL = `SELECT originator, count(*) AS leads FROM leads WHERE company = ? AND lane <> 'ended'
	GROUP BY originator`

// OpenCounts counts the open leads of a company by originator, exactly; the empty originator has the unassigned ones.
func (q queries) OpenCounts(ctx context.Context, company string) (map[heloc.OriginatorID]int, error) {
	return mapOf[heloc.OriginatorID, int](ctx, q, openCountsSQL, company)
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
func (q queries) FirstDue(ctx context.Context, company string,
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
}

// OriginatorAccounts lists the accounts of the originators within a scope: closed ones first, then those whose role
// does not work on leads.
func (q queries) OriginatorAccounts(ctx context.Context, scope access.Scope) ([]OriginatorAccount, error) {
	where, args := originatorScopeCondition(scope)
	return list[OriginatorAccount](ctx, q, `SELECT u.originator, u.id AS user_id, u.role, u.disabled_at, u.signed_in_at,
		coalesce((SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id), 0) AS active_at
		FROM users u WHERE u.originator IN (SELECT uuid FROM originators WHERE `+where+`) ORDER BY CASE
			WHEN u.disabled_at <> 0 THEN 0 WHEN u.role IN ('originator', 'manager') THEN 2 ELSE 1 END, u.id`, args...)
}

// LicensedOriginator is an originator with the states in which they are known to be licensed.
type LicensedOriginator struct {
	lead.Originator
	States string `db:"states"` // their abbreviations in alphabetical order, separated by commas
}

// LicensedOriginators lists the originators within a scope, by name.
func (q queries) LicensedOriginators(ctx context.Context, scope access.Scope) ([]LicensedOriginator, error) {
	where, args := originatorScopeCondition(scope)
	return list[LicensedOriginator](ctx, q, `SELECT `+originatorColumns+`,
		coalesce((SELECT string_agg(state, ',' ORDER BY state)
		FROM licenses WHERE holder = originators.uuid AND allowed = 1), '') AS states
		FROM originators WHERE `+where+` ORDER BY last_name, first_name, uuid`, args...)
}

// UnassignedLeads reads one page of a company's open leads without an originator, in order of due time. An
// originator's scope contains none.
func (q queries) UnassignedLeads(ctx context.Context, scope access.Scope, after string) (LeadPage, error) {
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
func (q queries) CountUnassigned(ctx context.Context, company string) (int, error) {
	return get[int](ctx, q, unassignedCountSQL, company)
}

const unassignedCountSQL = `SELECT count(*) FROM leads WHERE company = ? AND originator = '' AND lane <> 'ended'`

// FormerOriginators reads who had each of some leads before it became unassigned; leads that nobody had are absent.
func (q queries) FormerOriginators(ctx context.Context,
	apps []heloc.AppID) (map[heloc.AppID]heloc.OriginatorID, error) {
	return mapOf[heloc.AppID, heloc.OriginatorID](ctx, q, `SELECT app, former_originator FROM leads
		WHERE app IN `+placeholders(len(apps))+`
		AND former_originator <> ''`, toAny(apps)...)
}

// UnassignedEvents reads, for each of some leads, the last event by which it had no originator: it became unassigned,
// or it was created.
func (q queries) UnassignedEvents(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]lead.Event, error) {
	return q.lastEvents(ctx, apps, `kind = 'moved' AND detail = 'unassigned' OR kind IN ('started', 'adopted')`)
}
