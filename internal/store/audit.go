package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/store/internal/sqldb"
)

// AuditEntry is one row of the audit. Object and Detail refer to users and leads only by id.
type AuditEntry struct {
	Seq     int64       `db:"seq"`
	At      int64       `db:"at"`
	ActorID string      `db:"actor_id"`
	Company string      `db:"company"`
	Action  AuditAction `db:"action"`
	Object  string      `db:"object"`
	Outcome string      `db:"outcome"`
	Detail  string      `db:"detail"`
	// the client's network, which Audit takes from its context; "" for the portal's own actions
	Network string `db:"network"`
	PrevMAC string `db:"prev_mac"`
	MAC     string `db:"mac"`
}

const auditColumns = `seq, at, actor_id, company, action, object, outcome, detail, network, prev_mac, mac`

// MACFunc computes the MAC that chains an audit row to the one before it.
type MACFunc func(parts ...string) string

// VerifyMACFunc reports whether code is the MAC of the parts under the current key or an older key that the
// vault still has.
type VerifyMACFunc func(code string, parts ...string) bool

// parts are the values that a row's MAC covers, in order. The network column was added later; rows without a
// network keep their original MACs.
func (a AuditEntry) parts() []string {
	parts := []string{"audit", a.PrevMAC, strconv.FormatInt(a.Seq, 10), strconv.FormatInt(a.At, 10), a.ActorID, a.Company,
		string(a.Action), a.Object, a.Outcome, a.Detail}
	if a.Network != "" {
		parts = append(parts, a.Network)
	}
	return parts
}

type networkKey struct{}

// WithNetwork returns a context whose audit rows record this network.
func WithNetwork(ctx context.Context, network string) context.Context {
	return context.WithValue(ctx, networkKey{}, network)
}

// Audit appends one row in the transaction of the change that it describes. An action that is not in Actions
// is a programming error: Audit returns an error, and the transaction changes nothing.
func (tx *Tx) Audit(ctx context.Context, a AuditEntry) error {
	if !a.Action.listed() {
		return fmt.Errorf("store: the act %q is not listed", a.Action)
	}
	type lastRow struct {
		Seq     int64  `db:"seq"`
		MAC     string `db:"mac"`
		Head    string `db:"head"`
		Covered string `db:"covered"` // the originator of the lead for whom the actor covers
	}
	app, now := "", Millis(tx.now())
	if of, ok := strings.CutPrefix(a.Object, "lead:"); ok && a.ActorID != "system" {
		app = of
	}
	last, err := get[lastRow](ctx, tx.Queries, `SELECT coalesce(a.seq, 0) AS seq, coalesce(a.mac, '') AS mac,
		coalesce((SELECT value FROM settings WHERE name = ?), '') AS head, coalesce((`+coveredLeadSQL+`), '') AS covered
		FROM (SELECT 1) one LEFT JOIN (SELECT seq, mac FROM audit ORDER BY seq DESC LIMIT 1) a ON 1 = 1`,
		auditHead, app, a.ActorID, now, now)
	if err != nil {
		return err
	}
	before := AuditEntry{Seq: last.Seq, MAC: last.MAC}
	marked := tx.isHead(last.Head, before) // the row before is the one that the head marks
	if last.Seq == 0 {                     // or all rows were cut off, with or without a base, which the head reveals
		base, err := tx.AuditBase(ctx)
		if err != nil {
			return err
		}
		before, marked = base.row(), last.Head == ""
	}
	a.Seq, a.PrevMAC = before.Seq+1, before.MAC
	if a.At == 0 {
		a.At = now
	}
	if last.Covered != "" {
		a.Detail = strings.TrimSpace(a.Detail + " covering-for:" + last.Covered)
	}
	a.Network, _ = ctx.Value(networkKey{}).(string)
	for _, text := range []*string{&a.ActorID, &a.Company, &a.Object, &a.Outcome, &a.Detail, &a.Network} {
		*text = sqldb.StorableText(*text) // the MAC covers what is stored
	}
	a.MAC = tx.mac(a.parts()...)
	if err := tx.insert(ctx, "audit", auditColumns, a); err != nil {
		return err
	}
	// A missing or wrong head is left as it is: otherwise the next row would hide that rows had been cut off.
	if !marked {
		return nil
	}
	return tx.SaveSetting(ctx, auditHead, tx.headOf(a))
}

// DayOf returns the number of a day (UTC), by which AuditDaily and AuditHeads distinguish rows.
func DayOf(at time.Time) int64 { return Millis(at) / millisPerDay }

const millisPerDay = 24 * 60 * 60 * 1000

// AuditDaily is Audit, unless the actor did the same to the same object, with the same detail, earlier on the day of
// a.At.
func (tx *Tx) AuditDaily(ctx context.Context, a AuditEntry) error {
	last, err := list[int64](ctx, tx.Queries, `SELECT at FROM audit WHERE object = ? AND actor_id = ? AND action = ?
		AND detail LIKE ? ORDER BY seq DESC LIMIT 1`, a.Object, a.ActorID, a.Action, a.Detail+"%")
	if err != nil || len(last) > 0 && last[0]/millisPerDay == a.At/millisPerDay {
		return err
	}
	return tx.Audit(ctx, a)
}

// auditHead is the setting that holds a MAC of the last row. The chain alone cannot reveal that its end was
// cut off.
const auditHead = "audit.head"

func headParts(a AuditEntry) []string {
	return []string{"audit head", strconv.FormatInt(a.Seq, 10), a.MAC}
}

func (q Queries) headOf(a AuditEntry) string {
	return strconv.FormatInt(a.Seq, 10) + " " + q.mac(headParts(a)...)
}

// isHead reports whether the setting is the MAC of this row as the last one, under any key.
func (q Queries) isHead(setting string, a AuditEntry) bool {
	seq, code, _ := strings.Cut(setting, " ")
	return seq == strconv.FormatInt(a.Seq, 10) && q.verifyMAC(code, headParts(a)...)
}

// AuditOf lists the audit rows of one object, newest first.
func (q Queries) AuditOf(ctx context.Context, object string, limit int) ([]AuditEntry, error) {
	return list[AuditEntry](ctx, q, `SELECT `+auditColumns+`
		FROM audit WHERE object = ? ORDER BY seq DESC LIMIT ?`, object, limit)
}

// BrokenAudit walks the chain and returns the first row that does not follow from the one before it, or that
// is missing at the end; ok is true when the chain is intact. The walk starts after the base. A base whose
// MAC is wrong, or that still has rows before it, is reported as broken at the base's row. An audit that
// lacks a row for the creation of each later account was started over, and is reported as broken at its first
// row. Rows is the number of rows checked. BrokenAudit reads one snapshot, so rows that are written meanwhile
// do not disturb it.
func (s *Store) BrokenAudit(ctx context.Context) (seq int64, rows int, ok bool, err error) {
	ctx, end, err := s.Snapshot(ctx)
	if err != nil {
		return 0, 0, false, err
	}
	defer end()
	return s.brokenAudit(ctx)
}

func (q Queries) brokenAudit(ctx context.Context) (seq int64, rows int, ok bool, err error) {
	base, err := q.AuditBase(ctx)
	if err != nil {
		return 0, 0, false, err
	}
	if broken, err := q.brokenBase(ctx, base); err != nil || broken {
		return base.Seq, 0, false, err
	}
	last := base.row()
	for more := true; more; {
		page, err := list[AuditEntry](ctx, q, auditWalkSQL, last.Seq, auditWalkPage)
		if err != nil {
			return 0, rows, false, err
		}
		for _, a := range page {
			if !q.follows(a, last) {
				return last.Seq + 1, rows, false, nil
			}
			last, rows = a, rows+1
		}
		more = len(page) > 0
	}
	return q.brokenEnds(ctx, base, last, rows)
}

// auditWalkPage is the number of rows that are read together.
const auditWalkPage = 500

// follows reports whether a follows prev, unchanged since it was written.
func (q Queries) follows(a, prev AuditEntry) bool {
	return a.Seq == prev.Seq+1 && a.PrevMAC == prev.MAC && q.verifyMAC(a.MAC, a.parts()...)
}

// brokenEnds checks both ends of a chain whose rows are consistent: whether last is the row that the head
// marks, and whether the first row is where the audit began.
func (q Queries) brokenEnds(ctx context.Context, base AuditBase,
	last AuditEntry, rows int) (seq int64, _ int, ok bool, err error) {
	head, err := q.Setting(ctx, auditHead)
	if err != nil {
		return 0, rows, false, err
	}
	if begun := rows > 0 || head != ""; begun && !q.isHead(head, last) {
		return last.Seq + 1, rows, false, nil
	}
	missing, err := q.has(ctx, `SELECT count(*) FROM users u WHERE u.created_at >= ?
		AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.object = 'user:' || u.id AND a.action = 'user.add')`,
		base.WrittenBefore)
	if err != nil || missing {
		return base.Seq + 1, rows, false, err
	}
	return 0, rows, true, nil
}

// Clock returns the current time.
type Clock func() time.Time
