package store

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// AuditQuery selects rows of the audit, newest first. Empty fields do not filter. The time range is half
// open: From is included, To is not.
type AuditQuery struct {
	ActorID string
	Object  string // "lead:…", "user:…"
	Action  AuditAction
	From    time.Time
	To      time.Time
	Before  int64 // only rows with a smaller number: the next page
	Limit   int
}

// sql returns the statement and its arguments. Each variant walks an index in the order of the result. Dates
// are first converted to row numbers, which another index provides.
func (a AuditQuery) sql() (query string, args []any) {
	var where []string
	add := func(condition string, arg any) { where, args = append(where, condition), append(args, arg) }
	if a.Before <= 0 {
		a.Before = math.MaxInt64
	}
	add("seq < ?", a.Before)
	if !a.From.IsZero() {
		add("seq >= (SELECT coalesce(min(seq), 9223372036854775807) FROM audit WHERE at >= ?)", Millis(a.From))
	}
	if !a.To.IsZero() {
		add("seq <= (SELECT coalesce(max(seq), 0) FROM audit WHERE at < ?)", Millis(a.To))
	}
	for column, value := range map[string]string{"actor_id": a.ActorID, "object": a.Object, "action": string(a.Action)} {
		if value != "" {
			add(column+" = ?", value)
		}
	}
	return fmt.Sprintf(`SELECT %s FROM audit WHERE %s ORDER BY seq DESC
		LIMIT ?`, auditColumns, strings.Join(where, " AND ")), append(args, a.Limit)
}

// Audits lists the rows that a query selects.
func (q queries) Audits(ctx context.Context, a AuditQuery) ([]AuditEntry, error) {
	query, args := a.sql()
	return list[AuditEntry](ctx, q, query, args...)
}

// AuditHead is the end of the chain at some point in time. Someone who stores it outside the portal can check
// later whether any row up to it was changed or cut off.
type AuditHead struct {
	Seq int64  `db:"seq"`
	At  int64  `db:"at"`
	MAC string `db:"mac"`
}

// AuditHead returns the current end, or the zero value when the audit is empty.
func (q queries) AuditHead(ctx context.Context) (AuditHead, error) {
	found, _, err := find[AuditHead](ctx, q, `SELECT seq, at, mac FROM audit ORDER BY seq DESC LIMIT 1`)
	return found, err
}

// AuditHeads returns the last row of each day (UTC), oldest first.
func (q queries) AuditHeads(ctx context.Context) ([]AuditHead, error) {
	return list[AuditHead](ctx, q, `SELECT seq, at, mac FROM audit
		WHERE seq IN (SELECT max(seq) FROM audit GROUP BY at / 86400000) ORDER BY seq`)
}

// ShortIDs returns the short ids of applications, for any company.
func (q queries) ShortIDs(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]string, error) {
	found := map[heloc.AppID]string{}
	for _, app := range apps {
		ids, err := list[string](ctx, q, `SELECT short_id FROM leads WHERE app = ?`, app)
		if err != nil {
			return nil, err
		}
		if len(ids) == 1 {
			found[app] = ids[0]
		}
	}
	return found, nil
}

// AppOfShortID finds the application with a complete short id, for any company.
func (q queries) AppOfShortID(ctx context.Context, id string) (heloc.AppID, error) {
	return get[heloc.AppID](ctx, q, `SELECT app FROM leads WHERE short_id = ? LIMIT 1`, id)
}
