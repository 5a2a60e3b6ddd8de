package store

import (
	"context"
	"fmt"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// CoverWork is what a deputy did on one lead during an absence.
type CoverWork struct {
	App    heloc.AppID `db:"app_uuid"`
	Count  int         `db:"n"`
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

// workSQL is a CTE w of what the deputy did by lead. An operation's event names the originator under whom the deputy acted;
// every other event names the one whose lead it was.
func (cq CoverQuery) workSQL(kinds []lead.EventKind) (string, []any) {
	a := cq.Absence
	where, args := "e.originator_uuid = ? AND e.at >= ? AND e.at < ? AND e.actor_id = ?", []any{a.StartsAt, a.CoverEndsAt, a.DeputyID}
	if len(kinds) > 0 {
		where, args = where+" AND e.kind IN "+placeholders(len(kinds)), append(args, toAny(kinds)...)
	}
	query := `WITH w AS (SELECT app_uuid, count(*) AS n, max(at) AS last_at FROM (
		SELECT e.app_uuid, e.at FROM lead_events e WHERE ` + where + `
		UNION ALL
		SELECT e.app_uuid, e.at FROM lead_events e CROSS JOIN leads l ON l.app_uuid = e.app_uuid WHERE ` + where + ` AND l.originator_uuid = ?) u GROUP BY app_uuid)`
	all := append([]any{a.Originator}, args...)
	all = append(append(append(all, a.DeputyOriginator), args...), a.Originator)
	return query, all
}

func (cq CoverQuery) sql() (string, []any) {
	query, args := cq.workSQL(cq.Kinds)
	from := "w"
	if cq.Status != "" {
		where, more := scopeCondition(cq.Scope)
		from = "(SELECT * FROM w WHERE EXISTS (SELECT 1 FROM leads WHERE leads.app_uuid = w.app_uuid AND stand = ? AND " + strings.Replace(where, " = ?", " || '' = ?", 1) + "))"
		args = append(append(args, cq.Status), more...)
	}
	query += ", f AS (SELECT app_uuid, n, last_at FROM " + from + " x) SELECT app_uuid, n, last_at, (SELECT count(*) FROM f) AS total FROM f"
	if at, app, ok := parsePageKey(cq.After); ok {
		query, args = query+" WHERE (last_at, app_uuid) < (?, ?)", append(args, at, app)
	}
	return fmt.Sprintf("%s ORDER BY last_at DESC, app_uuid DESC LIMIT %d", query, PageSize+1), args
}

// CoverWork lists the leads of the absent originator on which the deputy did something during an absence, the latest
// first.
func (q queries) CoverWork(ctx context.Context, cq CoverQuery) (CoverPage, error) {
	query, args := cq.sql()
	var rows []struct {
		CoverWork
		Total int `db:"total"`
	}
	var page CoverPage
	if err := q.list(ctx, &rows, query, args...); err != nil {
		return page, err
	}
	for i, r := range rows {
		page.Total = r.Total
		if i == PageSize {
			page.Next = encodePageKey(page.Work[i-1].LastAt, page.Work[i-1].App)
			break
		}
		page.Work = append(page.Work, r.CoverWork)
	}
	return page, nil
}

// CoverStatuses counts the leads on which the deputy did something, and which are within the scope, by their status now.
func (q queries) CoverStatuses(ctx context.Context, cq CoverQuery) ([]lead.StatusCount, error) {
	query, args := cq.statusesSQL()
	var all []lead.StatusCount
	return all, q.list(ctx, &all, query, args...)
}

func (cq CoverQuery) statusesSQL() (string, []any) {
	query, args := cq.workSQL(nil)
	where, more := scopeCondition(cq.Scope)
	where = strings.Replace(where, " = ?", " || '' = ?", 1) // so that the leads are found by their ids
	return query + " SELECT leads.stand, count(*) AS n FROM w CROSS JOIN leads ON leads.app_uuid = w.app_uuid WHERE " + where + " GROUP BY leads.stand ORDER BY leads.stand", append(args, more...)
}
