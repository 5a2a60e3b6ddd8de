package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// saveDates stores the dates of a lead that is being saved, when they have changed.
func (tx *Tx) saveDates(ctx context.Context, before, now []lead.Date) error {
	if slices.EqualFunc(before, now, sameDate) {
		return nil
	}
	for _, d := range before {
		if slices.ContainsFunc(now, func(n lead.Date) bool { return n.Kind == d.Kind }) {
			continue
		}
		if err := tx.exec(ctx, `DELETE FROM lead_dates WHERE app = ? AND kind = ?`, d.App, d.Kind); err != nil {
			return err
		}
	}
	if len(now) == 0 {
		return nil
	}
	return tx.upsert(ctx, "lead_dates", "app, kind", `app, kind, day, ahead, originator, company`, now)
}

func sameDate(a, b lead.Date) bool {
	return a.Kind == b.Kind && a.Day == b.Day && a.Ahead == b.Ahead && a.Originator == b.Originator &&
		a.Company == b.Company
}

// DateQuery selects dates within a scope: dates ahead from From to To, and ages up to Old. An empty Old
// selects no ages.
type DateQuery struct {
	From, To, StaleBefore heloc.Date
	Limit                 int
}

// Dates lists the dates of a scope, earliest first, followed by the ages, oldest first.
func (q Queries) Dates(ctx context.Context, scope access.Scope, dq DateQuery) ([]lead.Date, error) {
	query, args := datesSQL(scope, dq)
	dates, err := list[lead.Date](ctx, q, query, args...)
	slices.SortFunc(dates, func(a, b lead.Date) int {
		switch {
		case a.Ahead && !b.Ahead:
			return -1
		case b.Ahead && !a.Ahead:
			return 1
		}
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.App, b.App), cmp.Compare(a.Kind, b.Kind))
	})
	return dates, err
}

// datesSQL reads the dates ahead and the ages from the index, up to the limit each, and then the few leads that they
// belong to.
func datesSQL(scope access.Scope, dq DateQuery) (string, []any) {
	where := inScope(scope)
	const kind = `SELECT * FROM (SELECT app, kind, day, ahead, originator, company FROM lead_dates
			WHERE %s AND ahead = %d AND day >= ? AND day <= ? ORDER BY day, app LIMIT %d) x`
	dates, args := fmt.Sprintf(kind, where, 1, dq.Limit), append(slices.Clone(where.args), dq.From, dq.To)
	if dq.StaleBefore != "" {
		dates += " UNION ALL " + fmt.Sprintf(kind, where, 0, dq.Limit)
		args = append(append(args, where.args...), "", dq.StaleBefore)
	}
	return `SELECT f.app, f.kind, f.day, f.ahead, f.originator, f.company, l.short_id, l.borrower
		FROM (` + dates + `) f JOIN leads l ON l.app = f.app AND l.originator = f.originator
		AND l.company = f.company`, args
}

// FollowUpsAhead lists the leads of a scope by their earliest follow-up.
func (q Queries) FollowUpsAhead(ctx context.Context, scope access.Scope, limit int) ([]lead.Row, error) {
	query, args := followUpsAheadSQL(scope, limit)
	return list[lead.Row](ctx, q, query, args...)
}

func followUpsAheadSQL(scope access.Scope, limit int) (string, []any) {
	where := inScope(scope)
	return fmt.Sprintf(`SELECT app, short_id, follow_up_at FROM leads WHERE %s AND follow_up_at > 0 ORDER BY follow_up_at
		LIMIT %d`, where, limit), where.args
}
