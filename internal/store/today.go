package store

import (
	"context"
	"fmt"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TodayScope says whose Today is read: the leads of a scope, only those of Originator unless it is empty, as User sees
// them. For the originator Own, Today also has the leads that are not their move; for other originators it leaves
// those out.
type TodayScope struct {
	access.Scope
	Originator heloc.OriginatorID
	User       UserScope
	Own        heloc.OriginatorID
}

// todayFacts selects the facts of lead.TodayOf within a scope. Those that begin with the leads of Own read the leads
// of one originator by their lane; the others read the few rows of a partial index, or dates by day.
func (in TodayScope) facts(now int64) (string, []any) {
	until := now + lead.LostWithin.Milliseconds()
	where := inScope(in.Scope)
	parts, args := []string{`SELECT app AS of_app, 'inquiry' AS reason, 0 AS fact_at, day AS fact_day FROM lead_dates
			WHERE ` + where.String() + ` AND ahead = 1 AND day >= ? AND day <= ? AND kind = ?`,
		`SELECT app, 'unknown', sent_at, '' FROM operations WHERE state = 'unknown' AND app <> ''`,
		`SELECT app, kind, at, '' FROM notifications WHERE user_id = ? AND company = ? AND read_at = 0
			AND kind IN ('taken', 'returned') AND app IS NOT NULL`},
		append(append([]any{}, where.args...), heloc.DateOf(Instant(now)), heloc.DateOf(Instant(until)), lead.DateExpiration,
			in.User.UserID, in.User.Company)
	if in.Own != "" {
		parts = append(parts, `SELECT l.app, 'lift', r.until_at, '' FROM leads l JOIN repulls r ON r.app = l.app
			WHERE l.originator = ? AND l.lane = 'blocked' AND l.status_key = ? AND r.until_at > ? AND r.until_at <= ?
			AND r.state <> ? AND NOT EXISTS (SELECT 1 FROM repulls n WHERE n.app = r.app AND n.created_at > r.created_at)`,
			`SELECT l.app, 'link', s.expires_at, '' FROM leads l JOIN shared_quotes s ON s.app = l.app
			WHERE l.originator = ? AND l.lane = 'offers' AND s.revoked_at = 0 AND s.expires_at > ? AND s.expires_at <= ?
			AND s.expires_at - s.created_at > ?`,
			`SELECT l.app, 'opened', s.last_opened_at, '' FROM leads l JOIN shared_quotes s ON s.app = l.app
			WHERE l.originator = ? AND l.lane IN ('offers', 'borrower') AND s.revoked_at = 0 AND s.last_opened_at > ?
			AND s.last_opened_at > l.last_contact_at`,
			`SELECT app, 'condition', condition_at, '' FROM leads WHERE originator = ? AND lane = 'closing'
			AND open_conditions > 0 AND condition_at > last_contact_at`)
		args = append(args, in.Own, heloc.StatusRepullDue, now, until, lead.RepullCanceled, in.Own, now, until,
			shortLink.Milliseconds(),
			in.Own, now-lead.TodayOpenedFor.Milliseconds(), in.Own)
	}
	return strings.Join(parts, ` UNION ALL `), args
}

// among returns the condition that a lead with a fact belongs to Today.
func (in TodayScope) among() *condition {
	c := inList(in.Scope, lead.Query{Originator: in.Originator})
	c.and("lane <> '" + string(heloc.LaneEnded) + "'")
	c.and("NOT (converted = 1 AND reason = 'inquiry')")
	c.and("("+lead.YourMoveCondition+" OR originator = ? AND originator <> '')", in.Own)
	return c
}

// todayFactLimit is how many facts a page of Today reads: more than one originator can have, and a cap for companies
// where many inquiries expire at once.
const todayFactLimit = 200

func todaySQL(in TodayScope, lq lead.Query, now int64) (string, []any) {
	lq.YourMove, lq.Sort, lq.Originator = true, lead.SortDue, in.Originator
	moves, args := leadsSQL(in.Scope, lq)
	facts, factArgs := in.factsSQL(listColumns, now)
	return fmt.Sprintf(`SELECT x.*, '' AS reason, 0 AS fact_at, '' AS fact_day FROM (%s) x UNION ALL
		SELECT * FROM (%s) y`, moves, facts), append(args, factArgs...)
}

// factsSQL selects columns of the leads that are in Today because of a fact, and the facts.
func (in TodayScope) factsSQL(columns string, now int64) (string, []any) {
	facts, args := in.facts(now)
	among := in.among()
	return fmt.Sprintf(`SELECT %s, reason, fact_at, fact_day FROM (%s) f JOIN leads ON app = of_app WHERE %s
		ORDER BY app, reason LIMIT %d`, columns, facts, among, todayFactLimit), append(args, among.args...)
}

// TodayFacts reads the facts that put leads in Today.
func (q Queries) TodayFacts(ctx context.Context, in TodayScope) (map[heloc.AppID][]lead.TodayFact, error) {
	query, args := in.factsSQL("app", Millis(q.now()))
	all := map[heloc.AppID][]lead.TodayFact{}
	err := q.conn.Each(ctx, query, args, func(scan func(into ...any) error) error {
		var app heloc.AppID
		var fact lead.TodayFact
		err := scan(&app, &fact.Reason, &fact.At, &fact.Day)
		all[app] = append(all[app], fact)
		return err
	})
	return all, err
}

// Today reads a page of Today, ordered by lead.CompareToday. The leads whose move is the originator's are paged by
// their due time; every lead with a fact is on the first page only.
func (q Queries) Today(ctx context.Context, in TodayScope, lq lead.Query) ([]lead.TodayRow, string, error) {
	now := Millis(q.now())
	query, args := todaySQL(in, lq, now)
	var l lead.Row
	var fact lead.TodayFact
	var moves []lead.Row
	var others []lead.TodayRow
	at := map[heloc.AppID]int{}
	fields := append(listFields(&l), &fact.Reason, &fact.At, &fact.Day)
	err := q.conn.Each(ctx, query, args, func(scan func(into ...any) error) error {
		if err := scan(fields...); err != nil {
			return err
		}
		if fact.Reason == "" {
			moves = append(moves, l)
			return nil
		}
		i, again := at[l.App]
		if !again {
			i, others = len(others), append(others, lead.TodayRow{Row: l})
			at[l.App] = i
		}
		others[i].Facts = append(others[i].Facts, fact)
		return nil
	})
	page, next := cutPage(moves, pageLimit(lq), func(l lead.Row) string { return pageKeyOf(lead.SortDue, l) })
	all := others
	if lq.After != "" {
		all = nil
	}
	for _, row := range page {
		if _, listed := at[row.App]; !listed {
			all = append(all, lead.TodayRow{Row: row})
		}
	}
	return lead.SortToday(all, now), next, err
}
