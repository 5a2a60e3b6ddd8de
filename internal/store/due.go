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

// MoveCounts counts the leads of a scope whose move is the originator's: as many as the list of Today has, and as many as that
// list has when it is narrowed to lead.OnlyOverdue. It counts only those of one originator, unless the originator is empty.
func (q queries) MoveCounts(ctx context.Context, scope access.Scope, originator heloc.OriginatorID, now int64) (lead.MoveCounts, error) {
	query, args := moveCountsSQL(scope, originator, now)
	where, of := leadsOf(scope, originator)
	// The time is no part of the key: the numbers are the same until the next lead is due.
	return cached(ctx, q, cacheKey{scope, "moves " + where, of, now}, func() (n lead.MoveCounts, until int64, err error) {
		if err := q.get(ctx, &n, query, args...); err != nil {
			return n, 0, err
		}
		query, args := nextDueSQL(scope, originator, now)
		return n, until, q.get(ctx, &until, query, args...)
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
	return fmt.Sprintf(`SELECT coalesce(min(at), %d) FROM (SELECT due_sort + 1 AS at FROM leads WHERE %s AND %s AND due_sort >= ? ORDER BY due_sort LIMIT 1) x`,
		int64(forever), where, lead.YourMoveCondition), append(args, now)
}

// moveCountsSQL stops counting at the number that is shown as "more".
func moveCountsSQL(scope access.Scope, originator heloc.OriginatorID, now int64) (string, []any) {
	where, args := leadsOf(scope, originator)
	count := func(condition string) string {
		return fmt.Sprintf(`(SELECT count(*) FROM (SELECT 1 FROM leads WHERE %s AND %s LIMIT %d) x)`, where, condition, lead.CountLimit)
	}
	return `SELECT ` + count(lead.YourMoveCondition) + ` AS today, ` + count(lead.OverdueCondition) + ` AS overdue`, append(slices.Concat(args, args), now)
}
