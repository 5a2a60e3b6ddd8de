package store

import (
	"context"
	"fmt"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// CoverWork is what a deputy did on one lead during an absence.
type CoverWork struct {
	App    heloc.AppID `db:"app"`
	Count  int         `db:"count"`
	LastAt int64       `db:"last_at"`
}

// CoverQuery selects what a deputy did during an absence. Only a lead within the scope matches a status, because the
// status of any other lead is not for the reader.
type CoverQuery struct {
	Absence lead.Absence
	Kinds   []lead.EventKind // empty for everything
	Status  heloc.StatusKey  // of the lead now; empty for every lead
	Scope   access.Scope     // of the reader
	After   string           // key of the last row of the previous page
}

// CoverPage is one page of what a deputy did.
type CoverPage struct {
	Work  []CoverWork
	Total int // leads on all pages; 0 on a page after the last one
	Next  string
}

// workSQL is a CTE w of what the deputy did by lead. An operation's event names the originator under whom the deputy
// acted; every other event names the one whose lead it was.
func (cq CoverQuery) workSQL(kinds []lead.EventKind) (string, []any) {
	a := cq.Absence
	by := func(originator heloc.OriginatorID) *condition {
		c := &condition{}
		c.and("e.originator = ? AND e.at >= ? AND e.at < ? AND e.actor_id = ?", originator, a.StartsAt,
			a.CoverEndsAt, a.DeputyID)
		if len(kinds) > 0 {
			in(c, "e.kind", kinds)
		}
		return c
	}
	absent, deputy := by(a.Originator), by(a.DeputyOriginator)
	deputy.and("l.originator = ?", a.Originator)
	return fmt.Sprintf(`WITH w AS (SELECT worked, count(*) AS count, max(at) AS last_at FROM (
		SELECT e.app AS worked, e.at FROM lead_events e WHERE %s
		UNION ALL
		SELECT e.app AS worked, e.at FROM lead_events e JOIN leads l ON l.app = e.app WHERE %s) u GROUP BY worked)`,
			absent, deputy),
		append(absent.args, deputy.args...)
}

func (cq CoverQuery) sql() (string, []any) {
	query, args := cq.workSQL(cq.Kinds)
	from := "w"
	if cq.Status != "" {
		where := inScope(cq.Scope)
		where.and("status_key = ?", cq.Status)
		from = "(SELECT w.worked, w.count, w.last_at FROM w JOIN leads ON app = worked WHERE " + where.String() + ")"
		args = append(args, where.args...)
	}
	query += ", f AS (SELECT worked AS app, count, last_at FROM " + from +
		" x) SELECT app, count, last_at, (SELECT count(*) FROM f) AS total FROM f"
	if at, app, ok := parsePageKey(cq.After); ok {
		query, args = query+" WHERE (last_at, app) < (?, ?)", append(args, at, app)
	}
	return fmt.Sprintf("%s ORDER BY last_at DESC, app DESC LIMIT %d", query, PageSize+1), args
}

// CoverWork lists the leads of the absent originator on which the deputy did something during an absence, the latest
// first.
func (q Queries) CoverWork(ctx context.Context, cq CoverQuery) (CoverPage, error) {
	query, args := cq.sql()
	type row struct {
		CoverWork
		Total int `db:"total"`
	}
	var page CoverPage
	rows, err := list[row](ctx, q, query, args...)
	rows, page.Next = cutPage(rows, PageSize, func(r row) string { return encodePageKey(r.LastAt, r.App) })
	for _, r := range rows {
		page.Total, page.Work = r.Total, append(page.Work, r.CoverWork)
	}
	return page, err
}

// CoverStatuses counts the leads on which the deputy did something, and which are within the scope, by their status
// now.
func (q Queries) CoverStatuses(ctx context.Context, cq CoverQuery) ([]lead.StatusCount, error) {
	query, args := cq.statusesSQL()
	return list[lead.StatusCount](ctx, q, query, args...)
}

func (cq CoverQuery) statusesSQL() (string, []any) {
	query, args := cq.workSQL(nil)
	where := inScope(cq.Scope)
	return query + " SELECT status_key, count(*) AS count FROM w JOIN leads ON app = worked WHERE " + where.String() +
			" GROUP BY status_key ORDER BY status_key",
		append(args, where.args...)
}
