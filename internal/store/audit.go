package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// AuditEntry is one row of the audit. Object and Detail name people and leads by id alone.
type AuditEntry struct {
	Seq     int64       `db:"seq"`
	At      int64       `db:"at"`
	ActorID string      `db:"actor_id"`
	Company string      `db:"company"`
	Action  AuditAction `db:"action"`
	Object  string      `db:"object"`
	Outcome string      `db:"outcome"`
	Detail  string      `db:"detail"`
	Network string      `db:"network"` // from where; "" for the portal's own acts. Audit takes it from its context
	PrevMAC string      `db:"prev_mac"`
	MAC     string      `db:"mac"`
}

const auditColumns = `seq, at, actor_id, company, action, object, outcome, detail, network, prev_mac, mac`

// MACFunc makes the keyed mark that chains one audit row to the one before.
type MACFunc func(parts ...string) string

// VerifyMACFunc says whether a mark was made over the same parts, by the present key or by an
// older one that is still kept.
type VerifyMACFunc func(mark string, parts ...string) bool

// parts are what a row's mark covers, in order. The network came to the rows later, and
// those without one keep their marks.
func (a AuditEntry) parts() []string {
	parts := []string{"audit", a.PrevMAC, strconv.FormatInt(a.Seq, 10), strconv.FormatInt(a.At, 10), a.ActorID, a.Company, string(a.Action), a.Object, a.Outcome, a.Detail}
	if a.Network != "" {
		parts = append(parts, a.Network)
	}
	return parts
}

type networkKey struct{}

// WithNetwork says from which network everything comes that is audited under this context.
func WithNetwork(ctx context.Context, network string) context.Context {
	return context.WithValue(ctx, networkKey{}, network)
}

// Audit appends one row in the transaction of the change it tells of; an act that is not
// listed is a defect of the program, and nothing is changed.
func (tx *Tx) Audit(ctx context.Context, a AuditEntry) error {
	if !a.Action.listed() {
		return fmt.Errorf("store: the act %q is not listed", a.Action)
	}
	var last []AuditEntry
	if err := tx.list(ctx, &last, `SELECT seq, mac FROM audit ORDER BY seq DESC LIMIT 1`); err != nil {
		return err
	}
	if len(last) == 0 { // or everything was cut off, base or none, which the head tells
		base, err := tx.AuditBase(ctx)
		if err != nil {
			return err
		}
		a.Seq, a.PrevMAC = base.Seq+1, base.MAC
	} else {
		a.Seq, a.PrevMAC = last[0].Seq+1, last[0].MAC
	}
	if a.At == 0 {
		a.At = Millis(tx.now())
	}
	a.Network, _ = ctx.Value(networkKey{}).(string)
	a.MAC = tx.mac(a.parts()...)
	if err := tx.execNamed(ctx, `INSERT INTO audit (`+auditColumns+`)
		VALUES (:seq, :at, :actor_id, :company, :action, :object, :outcome, :detail, :network, :prev_mac, :mac)`, a); err != nil {
		return err
	}
	return tx.moveHead(ctx, last, a)
}

// printAuditHead is the setting that marks the last row. A chain cannot tell by itself that
// its end was cut off.
const auditHead = "audit.head"

func headParts(a AuditEntry) []string {
	return []string{"audit head", strconv.FormatInt(a.Seq, 10), a.MAC}
}

func (q queries) headOf(a AuditEntry) string {
	return strconv.FormatInt(a.Seq, 10) + " " + q.mac(headParts(a)...)
}

// isHead says whether the setting marks this row as the last one, under whatever key.
func (q queries) isHead(setting string, a AuditEntry) bool {
	seq, mark, _ := strings.Cut(setting, " ")
	return seq == strconv.FormatInt(a.Seq, 10) && q.verifyMAC(mark, headParts(a)...)
}

// moveHead marks the last row, if the one before was marked. A mark that is lost or
// wrong stays so: whoever cut rows off would else have it mended by the next row.
func (tx *Tx) moveHead(ctx context.Context, before []AuditEntry, a AuditEntry) error {
	head, err := tx.Setting(ctx, auditHead)
	if err != nil {
		return err
	}
	if len(before) == 0 && head != "" || len(before) == 1 && !tx.isHead(head, before[0]) {
		return nil
	}
	return tx.SaveSetting(ctx, auditHead, tx.headOf(a))
}

// AuditOf lists the audit of one object, newest first.
func (q queries) AuditOf(ctx context.Context, object string, limit int) ([]AuditEntry, error) {
	var rows []AuditEntry
	return rows, q.list(ctx, &rows, `SELECT `+auditColumns+`
		FROM audit WHERE object = ? ORDER BY seq DESC LIMIT ?`, object, limit)
}

// BrokenAudit walks the chain and gives the first row that does not follow from the one
// before, or that is missing at the end; ok is true when none is broken. It begins behind the
// base, and a base that is not ours, or behind which rows lie, is broken at the base's row. An
// audit that does not tell of the making of every account since was begun anew, and is broken
// at its first row. Rows counts what was walked. It reads one snapshot, so that rows written meanwhile do no
// harm.
func (s *Store) BrokenAudit(ctx context.Context) (seq int64, rows int, ok bool, err error) {
	tx, err := s.read.BeginTxx(ctx, nil)
	if err != nil {
		return 0, 0, false, fmt.Errorf("store: %w", err)
	}
	defer func() { err = errors.Join(err, ignoreTxDone(tx.Rollback())) }()
	return queries{tx, s.Options}.brokenAudit(ctx)
}

func (q queries) brokenAudit(ctx context.Context) (seq int64, rows int, ok bool, err error) {
	base, err := q.AuditBase(ctx)
	if err != nil {
		return 0, 0, false, err
	}
	if broken, err := q.brokenBase(ctx, base); err != nil || broken {
		return base.Seq, 0, false, err
	}
	for prev := base.row(); ; {
		var page []AuditEntry
		if err := q.list(ctx, &page, auditWalkSQL, prev.Seq, 500); err != nil {
			return 0, rows, false, err
		}
		if len(page) == 0 {
			return q.brokenEnds(ctx, base, prev, rows)
		}
		for _, a := range page {
			if !q.follows(a, prev) {
				return prev.Seq + 1, rows, false, nil
			}
			prev = a
			rows++
		}
	}
}

// follows says whether a row is the one after another, as it was written.
func (q queries) follows(a, prev AuditEntry) bool {
	return a.Seq == prev.Seq+1 && a.PrevMAC == prev.MAC && q.verifyMAC(a.MAC, a.parts()...)
}

// brokenEnds looks at both ends of a chain that holds in itself: whether last is the row
// that was marked as the last, and whether the first is where everything began.
func (q queries) brokenEnds(ctx context.Context, base AuditBase, last AuditEntry, rows int) (seq int64, _ int, ok bool, err error) {
	head, err := q.Setting(ctx, auditHead)
	if err != nil {
		return 0, rows, false, err
	}
	if begun := rows > 0 || head != ""; begun && !q.isHead(head, last) {
		return last.Seq + 1, rows, false, nil
	}
	var untold int
	err = q.get(ctx, &untold, `SELECT count(*) FROM users u WHERE u.created_at >= ?
		AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.object = 'user:' || u.id AND a.action = 'user.add')`, base.WrittenBefore)
	if err != nil || untold > 0 {
		return base.Seq + 1, rows, false, err
	}
	return 0, rows, true, nil
}

// Clock gives the present.
type Clock func() time.Time
