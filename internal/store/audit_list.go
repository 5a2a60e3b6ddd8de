package store

import (
	"context"
	"fmt"
	"math"
	"strconv"
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
func (q Queries) Audits(ctx context.Context, a AuditQuery) ([]AuditEntry, error) {
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
func (q Queries) AuditHead(ctx context.Context) (AuditHead, error) {
	return findOrZero[AuditHead](ctx, q, `SELECT seq, at, mac FROM audit ORDER BY seq DESC LIMIT 1`)
}

// AuditHeads returns the last row of each day (UTC), oldest first.
func (q Queries) AuditHeads(ctx context.Context) ([]AuditHead, error) {
	return list[AuditHead](ctx, q, `SELECT seq, at, mac FROM audit
		WHERE seq IN (SELECT max(seq) FROM audit GROUP BY at / 86400000) ORDER BY seq`)
}

// ShortIDs returns the short ids of applications, for any company.
func (q Queries) ShortIDs(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]string, error) {
	return mapOf[heloc.AppID, string](ctx, q, `SELECT app, short_id FROM leads WHERE app IN `+placeholders(len(apps)),
		toAny(apps)...)
}

// AppOfShortID finds the application with a complete short id, for any company.
func (q Queries) AppOfShortID(ctx context.Context, id string) (heloc.AppID, error) {
	return get[heloc.AppID](ctx, q, `SELECT app FROM leads WHERE short_id = ? LIMIT 1`, id)
}

// SignedAuditHead returns the current end of the chain, and a line with it to store outside the portal: row,
// time, MAC, and a MAC of the row and its MAC, which only this installation can make.
func (q Queries) SignedAuditHead(ctx context.Context) (AuditHead, string, error) {
	head, err := q.AuditHead(ctx)
	return head, fmt.Sprintf("%d %s %s %s\n", head.Seq, Instant(head.At).UTC().Format(time.RFC3339Nano), head.MAC,
		q.mac(head.signedParts()...)), err
}

func (h AuditHead) signedParts() []string {
	return []string{"audit head sent", strconv.FormatInt(h.Seq, 10), h.MAC}
}

// IsOwnHead reports whether this installation signed a head.
func (q Queries) IsOwnHead(head AuditHead, signature string) bool {
	return q.verifyMAC(signature, head.signedParts()...)
}

// HeadDelivery is the status of sending heads, with times in milliseconds. The zero value means that none was sent.
type HeadDelivery struct {
	Seq         int64 // the row of the head that was sent last
	SentAt      int64
	FailedSince int64 // 0 if the last attempt succeeded
}

// headDelivery is the setting that holds the HeadDelivery.
const headDelivery = "audit.heads"

// HeadDelivery reads the status of sending heads.
func (q Queries) HeadDelivery(ctx context.Context) (HeadDelivery, error) {
	return settingJSON[HeadDelivery](ctx, q, headDelivery)
}

// ForgetHeadDelivery deletes the status of earlier deliveries, because heads are no longer sent.
func (s *Store) ForgetHeadDelivery(ctx context.Context) error {
	if d, err := s.HeadDelivery(ctx); err != nil || d == (HeadDelivery{}) {
		return err
	}
	return s.Write(ctx, func(tx *Tx) error { return tx.SaveSetting(ctx, headDelivery, "") })
}

// SaveHeadDelivery records that a head was sent, or could not be.
func (s *Store) SaveHeadDelivery(ctx context.Context, head AuditHead, sent bool) error {
	return s.Write(ctx, func(tx *Tx) error {
		d, err := tx.HeadDelivery(ctx)
		if err != nil {
			return err
		}
		now := Millis(tx.now())
		switch {
		case sent:
			d = HeadDelivery{Seq: head.Seq, SentAt: now}
		case d.FailedSince == 0:
			d.FailedSince = now
		}
		return tx.saveSettingJSON(ctx, headDelivery, d)
	})
}
