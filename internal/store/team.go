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
	Originator heloc.OriginatorID `db:"originator_uuid"`
	Lane       heloc.Lane         `db:"lane"`
	Leads      int                `db:"n"`
	Overdue    int                `db:"overdue"` // of them; only in lanes where it is the originator's move
}

// Leads that are due before a day are those that are not due on it or later: the days of the past are many, the others few.
const teamCountsSQL = `SELECT c.originator_uuid, c.lane, c.n, CASE WHEN c.lane IN ('today', 'offers') THEN
	c.n - (SELECT coalesce(sum(d.n), 0) FROM lead_counts d WHERE d.company = c.company AND d.originator_uuid = c.originator_uuid AND d.lane = c.lane AND d.due_day >= ?)
	+ ? * (SELECT coalesce(sum(h.n), 0) FROM due_hour_counts h WHERE h.company = c.company AND h.originator_uuid = c.originator_uuid AND h.lane = c.lane AND h.due_hour >= ? AND h.due_hour < ?)
	ELSE 0 END AS overdue FROM lane_counts c WHERE c.company = ?
	UNION ALL
	SELECT originator_uuid, lane, 0 AS n, ? * count(*) AS overdue FROM leads WHERE company = ? AND lane IN ('today', 'offers') AND due_sort >= ? AND due_sort < ?
	GROUP BY originator_uuid, lane`

func teamCountsArgs(company string, now int64) []any {
	day, hours, leads := dueBefore(now)
	return []any{day, hours.sign, hours.from, hours.to, company, leads.sign, company, leads.from, leads.to}
}

// TeamCounts counts the leads of a company by originator and lane. Overdue leads are those whose due time is before now.
func (q queries) TeamCounts(ctx context.Context, company string, now int64) ([]TeamCount, error) {
	var parts []TeamCount
	if err := q.list(ctx, &parts, teamCountsSQL, teamCountsArgs(company, now)...); err != nil {
		return nil, err
	}
	type cell struct {
		originator heloc.OriginatorID
		lane       heloc.Lane
	}
	at := make(map[cell]int, len(parts))
	var counts []TeamCount
	for _, p := range parts {
		where := cell{p.Originator, p.Lane}
		i, known := at[where]
		if !known {
			i = len(counts)
			at[where], counts = i, append(counts, TeamCount{Originator: p.Originator, Lane: p.Lane})
		}
		counts[i].Leads += p.Leads
		counts[i].Overdue += p.Overdue
	}
	return counts, nil
}

const openCountsSQL = `SELECT originator_uuid, n FROM open_lead_counts WHERE company = ?`

// OpenCounts counts the open leads of a company by originator, exactly; the empty originator has the unassigned ones.
func (q queries) OpenCounts(ctx context.Context, company string) (map[heloc.OriginatorID]int, error) {
	var rows []TeamCount
	err := q.list(ctx, &rows, openCountsSQL, company)
	open := make(map[heloc.OriginatorID]int, len(rows))
	for _, r := range rows {
		open[r.Originator] = r.Leads
	}
	return open, err
}

// firstDueSQL finds, for each of n pairs of an originator and a lane, the lead of a company that is due first. The company
// of a lead is compared in a way that can use its index in neither database, so that the index of the originator is used, which
// leads to one row.
func firstDueSQL(n int) string {
	pairs := `WITH c (originator_uuid, lane) AS (VALUES (?, ?)` + strings.Repeat(", (?, ?)", n-1) + `) `
	return pairs + `SELECT ` + listColumns + ` FROM leads WHERE app_uuid IN (
	SELECT (SELECT l.app_uuid FROM leads l WHERE l.originator_uuid = c.originator_uuid AND l.lane = c.lane AND '' || l.company = ? ORDER BY l.due_sort, l.app_uuid LIMIT 1) FROM c
	UNION ALL
	SELECT app_uuid FROM (SELECT app_uuid FROM leads WHERE company = ? AND originator_uuid = '' AND lane <> 'ended' ORDER BY due_sort, app_uuid LIMIT 1) x)`
}

// FirstDue lists, for each originator with counted leads and for unassigned leads, the lead that is due first; it is
// absent where no lead is the originator's move.
func (q queries) FirstDue(ctx context.Context, company string, counts []TeamCount) (map[heloc.OriginatorID]lead.Row, error) {
	pairs := []any{"-", heloc.LaneToday} // nobody has this id, and the list is never empty
	for _, c := range counts {
		if c.Originator != "" && (c.Lane == heloc.LaneToday || c.Lane == heloc.LaneOffers) {
			pairs = append(pairs, c.Originator, c.Lane)
		}
	}
	var rows []lead.Row
	if err := q.list(ctx, &rows, firstDueSQL(len(pairs)/2), append(pairs, company, company)...); err != nil {
		return nil, err
	}
	first := make(map[heloc.OriginatorID]lead.Row, len(rows))
	for _, l := range rows {
		if l.Mover != heloc.MoverYou {
			continue // no unassigned lead is an originator's move
		}
		if known, ok := first[l.Originator]; !ok || l.DueSort < known.DueSort {
			first[l.Originator] = l
		}
	}
	return first, nil
}

// OriginatorAccount is the account of an originator.
type OriginatorAccount struct {
	Originator heloc.OriginatorID `db:"originator_uuid"`
	UserID     string             `db:"id"`
	DisabledAt int64              `db:"disabled_at"`
	SignInAt   int64              `db:"came_at"` // the last sign-in; 0 for never
	ActiveAt   int64              `db:"seen_at"` // the last activity in a session that has not ended; 0 without one
}

// OriginatorAccounts lists the accounts of the originators within a scope, closed ones first.
func (q queries) OriginatorAccounts(ctx context.Context, scope access.Scope) ([]OriginatorAccount, error) {
	where, args := originatorScopeCondition(scope)
	var all []OriginatorAccount
	return all, q.list(ctx, &all, `SELECT u.originator_uuid, u.id, u.disabled_at, u.came_at,
		coalesce((SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id), 0) AS seen_at
		FROM users u WHERE u.originator_uuid IN (SELECT uuid FROM originators WHERE `+where+`) ORDER BY CASE WHEN u.disabled_at = 0 THEN 1 ELSE 0 END, u.id`, args...)
}

// LicensedStates lists the states in which each originator within a scope is known to be licensed, in alphabetical
// order.
func (q queries) LicensedStates(ctx context.Context, scope access.Scope) (map[heloc.OriginatorID][]string, error) {
	where, args := originatorScopeCondition(scope)
	var rows []struct {
		Holder heloc.OriginatorID `db:"holder"`
		State  string             `db:"state"`
	}
	err := q.list(ctx, &rows, `SELECT holder, state FROM licences WHERE may = 1 AND holder IN (SELECT uuid FROM originators WHERE `+where+`) ORDER BY holder, state`, args...)
	states := map[heloc.OriginatorID][]string{}
	for _, r := range rows {
		states[r.Holder] = append(states[r.Holder], r.State)
	}
	return states, err
}

// UnassignedLeads reads one page of a company's open leads without an originator, in order of due time. An
// originator's scope contains none.
func (q queries) UnassignedLeads(ctx context.Context, scope access.Scope, after string) (LeadPage, error) {
	if scope.OriginatorUUID != "" {
		return LeadPage{}, nil
	}
	query, args := unassignedSQL(scope, after)
	var page LeadPage
	if err := q.list(ctx, &page.Leads, query, args...); err != nil {
		return LeadPage{}, err
	}
	if len(page.Leads) > PageSize {
		page.Leads = page.Leads[:PageSize]
		page.Next = pageKeyOf(lead.SortDue, page.Leads[PageSize-1])
	}
	return page, nil
}

func unassignedSQL(scope access.Scope, after string) (string, []any) {
	where, args := scopeCondition(scope)
	where += " AND originator_uuid = '' AND lane <> 'ended'"
	if value, app, ok := parsePageKey(after); ok {
		where, args = where+" AND (due_sort, app_uuid) > (?, ?)", append(args, value, app)
	}
	return fmt.Sprintf(`SELECT %s FROM leads WHERE %s ORDER BY due_sort, app_uuid LIMIT %d`, listColumns, where, PageSize+1), args
}

const unassignedCountSQL = `SELECT coalesce(sum(n), 0) FROM open_lead_counts WHERE company = ? AND originator_uuid = ''`

// CountUnassigned counts a company's open leads without an originator.
func (q queries) CountUnassigned(ctx context.Context, company string) (int, error) {
	var n int
	return n, q.get(ctx, &n, unassignedCountSQL, company)
}

// FormerOriginators reads who had each of some leads before it became unassigned; leads that nobody had are absent.
func (q queries) FormerOriginators(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]heloc.OriginatorID, error) {
	if len(apps) == 0 {
		return nil, nil
	}
	var rows []struct {
		App    heloc.AppID        `db:"app_uuid"`
		LeftBy heloc.OriginatorID `db:"left_by"`
	}
	err := q.list(ctx, &rows, `SELECT app_uuid, left_by FROM leads WHERE app_uuid IN `+placeholders(len(apps))+` AND left_by <> ''`, toAny(apps)...)
	former := make(map[heloc.AppID]heloc.OriginatorID, len(rows))
	for _, r := range rows {
		former[r.App] = r.LeftBy
	}
	return former, err
}

// UnassignedEvents reads, for each of some leads, the last event by which it had no originator: it became unassigned, or
// it was created.
func (q queries) UnassignedEvents(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]lead.Event, error) {
	return lastByLead(ctx, q, apps, unassignedEventsSQL, eventLead)
}

func unassignedEventsSQL(n int) string {
	return `SELECT ` + eventColumns + ` FROM lead_events WHERE app_uuid IN ` + placeholders(n) + ` AND (kind = 'moved' AND detail = 'unassigned' OR kind IN ('started', 'adopted')) ORDER BY at`
}
