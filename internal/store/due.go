package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Overdue counts the leads of a scope whose originator's move is past due, up to CountLimit: as many as the list that
// is narrowed to lead.OnlyOverdue has. It counts only those of one originator, unless the originator is empty.
func (q queries) Overdue(ctx context.Context, scope access.Scope, originator heloc.OriginatorID, now int64) (int, error) {
	query, args := overdueSQL(scope, originator, now)
	where, of := leadsOf(scope, originator)
	// The time is no part of the key: the number is the same until the next lead is due.
	return cached(ctx, q, cacheKey{scope, "overdue " + where, of, now}, func() (n int, until int64, err error) {
		if err := q.get(ctx, &n, query, args...); err != nil {
			return 0, 0, err
		}
		query, args := nextDueSQL(scope, originator, now)
		err = q.get(ctx, &until, query, args...)
		return min(n, lead.CountLimit), until, err
	})
}

// leadsOf returns the leads of a scope, or those of one originator in it, as an SQL condition. An index that begins with the
// originator leads to fewer leads than one that begins with the company.
func leadsOf(scope access.Scope, originator heloc.OriginatorID) (where string, args []any) {
	where, args = scopeCondition(scope)
	if originator == "" {
		return where, args
	}
	return strings.Replace(where, "company = ?", "company || '' = ?", 1) + " AND originator_uuid = ?", append(args, originator)
}

// nextDueSQL finds from when on one more of those leads is past due.
func nextDueSQL(scope access.Scope, originator heloc.OriginatorID, now int64) (string, []any) {
	where, args := leadsOf(scope, originator)
	args = append(args, now)
	first := func(lane heloc.Lane) string {
		return fmt.Sprintf(`coalesce((SELECT due_sort + 1 FROM leads WHERE %s AND lane = '%s' AND due_sort >= ? ORDER BY due_sort LIMIT 1), %d)`, where, lane, int64(forever))
	}
	return `SELECT min(at) FROM (SELECT ` + first(heloc.LaneToday) + ` AS at UNION ALL SELECT ` + first(heloc.LaneOffers) + `) x`, append(args, args...)
}

// overdueSQL counts leads in the lanes today and offers, the only ones in which it is the originator's move.
func overdueSQL(scope access.Scope, originator heloc.OriginatorID, now int64) (string, []any) {
	where, args := scopeCondition(scope)
	if originator == "" && scope.OriginatorUUID == "" {
		return companyOverdueSQL(where, args, now)
	}
	if originator != "" {
		where, args = where+" AND originator_uuid = ?", append(args, originator)
	}
	leads, _ := leadsOf(scope, originator)
	day, hours, single := dueBefore(now)
	const moves = ` AND lane IN ('today', 'offers')`
	query := `SELECT (SELECT coalesce(sum(n), 0) FROM lead_counts WHERE ` + where + moves + ` AND due_day < ?)
		+ ? * (SELECT coalesce(sum(n), 0) FROM due_hour_counts WHERE ` + where + moves + ` AND due_hour >= ? AND due_hour < ?)
		+ ? * (SELECT count(*) FROM leads WHERE ` + leads + moves + ` AND due_sort >= ? AND due_sort < ?)`
	return query, slices.Concat(args, []any{day, hours.sign}, args, []any{hours.from, hours.to, single.sign}, args, []any{single.from, single.to})
}

// companyOverdueSQL reads those that are due today one by one until they are as many as are shown: there is no count of a company's
// hours.
func companyOverdueSQL(where string, company []any, now int64) (string, []any) {
	day := now / millisPerDay
	query := `SELECT (SELECT coalesce(sum(n), 0) FROM company_lead_counts WHERE ` + where + ` AND lane IN ('today', 'offers') AND due_day < ?)`
	args := append(slices.Clone(company), day)
	for _, lane := range []heloc.Lane{heloc.LaneToday, heloc.LaneOffers} {
		query += fmt.Sprintf(` + (SELECT count(*) FROM (SELECT 1 FROM leads WHERE %s AND lane = '%s' AND due_sort >= ? AND due_sort < ? LIMIT %d) x)`, where, lane, lead.CountLimit)
		args = append(append(args, company...), day*millisPerDay, now)
	}
	return query, args
}

// Leads are counted by the days and by the hours in which they are due.
const (
	millisPerHour = 60 * 60 * 1000
	millisPerDay  = 24 * millisPerHour
)

// dueSpan is the time between two instants, in one of the units in which leads are counted. The leads that are due in it are
// added to those that are due before it (sign 1), or subtracted from those that are due before its end (sign -1).
type dueSpan struct{ sign, from, to int64 }

func spanBetween(counted, wanted int64) dueSpan {
	if counted <= wanted {
		return dueSpan{1, counted, wanted}
	}
	return dueSpan{-1, wanted, counted}
}

// dueBefore says how to count the leads that are due before an instant: those due before day, which begins at the nearest
// midnight; the hours between that and the nearest full hour; and one by one the leads due between that and the instant.
func dueBefore(at int64) (day int64, hours, leads dueSpan) {
	midnight, fullHour := nearest(at, millisPerDay), nearest(at, millisPerHour)
	return midnight / millisPerDay, spanBetween(midnight/millisPerHour, fullHour/millisPerHour), spanBetween(fullHour, at)
}

// nearest returns the multiple of a unit that is nearest to an instant.
func nearest(at, unit int64) int64 { return (at + unit/2) / unit * unit }
