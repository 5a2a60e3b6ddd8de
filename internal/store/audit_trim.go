package store

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// AuditBase is where the audit begins after rows past their retention period were deleted. The zero value is
// an audit that begins with its first row. BaseMAC covers all other fields, so without the keys nobody can
// delete rows and claim that they were past retention.
type AuditBase struct {
	// the last deleted row; row numbers have no gaps, so it is also the number of deleted rows
	Seq           int64  `db:"seq"`
	MAC           string `db:"mac"` // its MAC, from which the next row follows
	WrittenBefore int64  `db:"written_before"`
	TrimmedAt     int64  `db:"trimmed_at"`
	// the audit row that recorded the trim; the audit cannot be cut off before this row undetected
	TrimSeq int64  `db:"trim_seq"`
	TrimMAC string `db:"trim_mac"`
	BaseMAC string `db:"base_mac"`
}

func (b AuditBase) parts() []string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{"audit base", number(b.Seq), b.MAC, number(b.WrittenBefore), number(b.TrimmedAt),
		number(b.TrimSeq), b.TrimMAC}
}

// row returns the base as the row before the first.
func (b AuditBase) row() AuditEntry { return AuditEntry{Seq: b.Seq, MAC: b.MAC} }

// AuditBase returns the base as stored; BrokenAudit checks whether it is genuine.
func (q Queries) AuditBase(ctx context.Context) (AuditBase, error) {
	return findOrZero[AuditBase](ctx, q, `SELECT seq, mac, written_before, trimmed_at, trim_seq, trim_mac, base_mac
		FROM audit_base`)
}

// brokenBase reports whether the base does not fit the audit: its MAC is wrong, a row that should have been
// deleted is still there, or the row that recorded the trim is missing.
func (q Queries) brokenBase(ctx context.Context, base AuditBase) (broken bool, err error) {
	if base != (AuditBase{}) && !q.verifyMAC(base.BaseMAC, base.parts()...) {
		return true, nil
	}
	if before, err := q.has(ctx, `SELECT count(*) FROM audit WHERE seq <= ?`, base.Seq); err != nil || before {
		return true, err
	}
	if base == (AuditBase{}) {
		return false, nil
	}
	recorded, err := q.has(ctx, `SELECT count(*) FROM audit WHERE seq = ? AND mac = ?`, base.TrimSeq, base.TrimMAC)
	return !recorded, err
}

const (
	auditWalkSQL = `SELECT ` + auditColumns + ` FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`
	// The rows that concern a lead are its own, those of its operations and those of its draft.
	firstLegalHoldSQL = `SELECT coalesce(min(seq), 0) FROM audit WHERE object IN (
		SELECT 'lead:' || app FROM leads WHERE legal_hold_at > 0
		UNION ALL SELECT 'operation:' || o.id FROM leads l JOIN operations o ON o.app = l.app WHERE l.legal_hold_at > 0
		UNION ALL SELECT 'draft:' || o.draft_id FROM leads l JOIN operations o ON o.app = l.app
		WHERE l.legal_hold_at > 0 AND o.draft_id <> '')`
)

// TrimAudit deletes rows from the beginning of the audit that were written before an instant, at most limit
// of them, and returns how many it deleted. It stops at the first row that concerns a lead under a legal
// hold. It moves the base and records the trim in the audit. When the chain is broken in this range it
// deletes nothing, so that the damage remains detectable.
func (tx *Tx) TrimAudit(ctx context.Context, before time.Time, limit int) (dropped int64, err error) {
	base, err := tx.AuditBase(ctx)
	if err != nil {
		return 0, err
	}
	if broken, err := tx.brokenBase(ctx, base); err != nil || broken {
		return 0, brokenAt(base.Seq, err)
	}
	last, err := tx.lastToTrim(ctx, base.row(), before, limit)
	if err != nil || last.Seq == base.Seq {
		return 0, err
	}
	if err := tx.Audit(ctx, AuditEntry{
		ActorID: "system", Action: ActionAuditTrim, Object: "audit:base", Outcome: "done",
		Detail: fmt.Sprintf("rows:%d-%d before:%s", base.Seq+1, last.Seq, before.UTC().Format(time.DateOnly)),
	}); err != nil {
		return 0, err
	}
	head, err := tx.AuditHead(ctx)
	if err != nil {
		return 0, err
	}
	moved := AuditBase{Seq: last.Seq, MAC: last.MAC, WrittenBefore: max(base.WrittenBefore, Millis(before)),
		TrimmedAt: head.At, TrimSeq: head.Seq, TrimMAC: head.MAC}
	moved.BaseMAC = tx.mac(moved.parts()...)
	if err := tx.execNamed(ctx,
		`INSERT INTO audit_base (id, seq, mac, written_before, trimmed_at, trim_seq, trim_mac, base_mac)
		VALUES (1, :seq, :mac, :written_before, :trimmed_at, :trim_seq, :trim_mac, :base_mac)
		ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, mac = excluded.mac, written_before = excluded.written_before,
			trimmed_at = excluded.trimmed_at, trim_seq = excluded.trim_seq, trim_mac = excluded.trim_mac,
			base_mac = excluded.base_mac`, moved); err != nil {
		return 0, err
	}
	return tx.execRows(ctx, `DELETE FROM audit WHERE seq <= ?`, moved.Seq)
}

// lastToTrim walks on from a row that will be deleted, and returns the last row that can be deleted with it.
func (tx *Tx) lastToTrim(ctx context.Context, last AuditEntry, before time.Time, limit int) (AuditEntry, error) {
	page, err := list[AuditEntry](ctx, tx.Queries, auditWalkSQL, last.Seq, limit)
	if err != nil {
		return last, err
	}
	if len(page) == 0 || page[0].At >= Millis(before) {
		return last, nil
	}
	firstHeld, err := get[int64](ctx, tx.Queries, firstLegalHoldSQL)
	if err != nil {
		return last, err
	}
	for _, a := range page {
		if a.At >= Millis(before) || firstHeld != 0 && a.Seq >= firstHeld {
			break
		}
		if !tx.follows(a, last) {
			return last, brokenAt(last.Seq+1, nil)
		}
		last = a
	}
	return last, nil
}

func brokenAt(seq int64, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("store: the audit is broken at row %d, so nothing of it is dropped", seq)
}

// HeadStatus is the result of checking a head that was stored outside the portal.
type HeadStatus string

// The results.
const (
	HeadIntact  HeadStatus = "stands"
	HeadMissing HeadStatus = "gone"   // its row was changed, cut off or replaced
	HeadTrimmed HeadStatus = "before" // its row is before the base: it was trimmed and cannot be compared
)

// HeadStatusOf checks a head against the audit. The last trimmed row can still be compared.
func (q Queries) HeadStatusOf(ctx context.Context, head AuditHead) (HeadStatus, error) {
	n, err := get[int](ctx, q, `SELECT count(*) FROM audit WHERE seq = ? AND mac = ?`, head.Seq, head.MAC)
	if err != nil || n == 1 {
		return HeadIntact, err
	}
	base, err := q.AuditBase(ctx)
	switch {
	case err != nil || head.Seq > base.Seq:
		return HeadMissing, err
	case head.Seq < base.Seq:
		return HeadTrimmed, nil
	case head.MAC == base.MAC:
		return HeadIntact, nil
	}
	return HeadMissing, nil
}
