package store

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// AuditBase is from where the audit stands, once what was older than it is kept was dropped.
// The zero value is an audit that stands from its first row. Its mark covers all of it, so
// that nobody without the keys can drop rows and say that their time had come.
type AuditBase struct {
	Seq           int64  `db:"seq"` // the last dropped row; as rows have no gaps, how many were dropped too
	MAC           string `db:"mac"` // its mark, from which the next row follows
	WrittenBefore int64  `db:"written_before"`
	TrimmedAt     int64  `db:"cut_at"`
	TrimSeq       int64  `db:"told_seq"` // the row that tells of it: what came up to there cannot be cut off again
	TrimMAC       string `db:"told_mac"`
	BaseMAC       string `db:"mark"`
}

func (b AuditBase) parts() []string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{"audit base", number(b.Seq), b.MAC, number(b.WrittenBefore), number(b.TrimmedAt), number(b.TrimSeq), b.TrimMAC}
}

// row is the base in the place of the row before the first.
func (b AuditBase) row() AuditEntry { return AuditEntry{Seq: b.Seq, MAC: b.MAC} }

// AuditBase is as it stands in the database; BrokenAudit says whether it is ours.
func (q queries) AuditBase(ctx context.Context) (AuditBase, error) {
	var bases []AuditBase
	err := q.list(ctx, &bases, `SELECT seq, mac, written_before, cut_at, told_seq, told_mac, mark FROM audit_base`)
	if err != nil || len(bases) == 0 {
		return AuditBase{}, err
	}
	return bases[0], nil
}

// brokenBase says whether an audit does not stand on its base: it is not ours, or a row lies
// behind it that was dropped, or the row that tells of it is missing.
func (q queries) brokenBase(ctx context.Context, base AuditBase) (broken bool, err error) {
	if base != (AuditBase{}) && !q.verifyMAC(base.BaseMAC, base.parts()...) {
		return true, nil
	}
	var behind, told int
	if err := q.get(ctx, &behind, `SELECT count(*) FROM audit WHERE seq <= ?`, base.Seq); err != nil || behind > 0 {
		return true, err
	}
	if base == (AuditBase{}) {
		return false, nil
	}
	err = q.get(ctx, &told, `SELECT count(*) FROM audit WHERE seq = ? AND mac = ?`, base.TrimSeq, base.TrimMAC)
	return told != 1, err
}

const (
	auditWalkSQL = `SELECT ` + auditColumns + ` FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`
	// What concerns a lead are its own rows, those of what was sent for it, and of its draft.
	firstLegalHoldSQL = `SELECT coalesce(min(seq), 0) FROM audit WHERE object IN (
		SELECT 'lead:' || app_uuid FROM leads WHERE held_at > 0
		UNION ALL SELECT 'operation:' || o.id FROM leads l JOIN operations o ON o.app_uuid = l.app_uuid WHERE l.held_at > 0
		UNION ALL SELECT 'draft:' || o.draft_id FROM leads l JOIN operations o ON o.app_uuid = l.app_uuid WHERE l.held_at > 0 AND o.draft_id <> '')`
	trimSQL = `DELETE FROM audit WHERE seq <= ?`
)

// TrimAudit drops rows from the beginning of the audit that were written before an instant, up
// to the first that concerns a lead under a legal hold, so many at most, and says how many
// they were. What remains begins at a base, and tells of it. It drops nothing of an audit
// that does not hold up to there: what was done to those rows must stay to be found.
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
	told, err := tx.AuditHead(ctx)
	if err != nil {
		return 0, err
	}
	moved := AuditBase{Seq: last.Seq, MAC: last.MAC, WrittenBefore: max(base.WrittenBefore, Millis(before)), TrimmedAt: told.At, TrimSeq: told.Seq, TrimMAC: told.MAC}
	moved.BaseMAC = tx.mac(moved.parts()...)
	if err := tx.execNamed(ctx, `INSERT INTO audit_base (id, seq, mac, written_before, cut_at, told_seq, told_mac, mark)
		VALUES (1, :seq, :mac, :written_before, :cut_at, :told_seq, :told_mac, :mark)
		ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, mac = excluded.mac, written_before = excluded.written_before,
			cut_at = excluded.cut_at, told_seq = excluded.told_seq, told_mac = excluded.told_mac, mark = excluded.mark`, moved); err != nil {
		return 0, err
	}
	return tx.exec(ctx, trimSQL, moved.Seq)
}

// lastToTrim walks on from a row that was dropped, and gives the last that can go with it.
func (tx *Tx) lastToTrim(ctx context.Context, last AuditEntry, before time.Time, limit int) (AuditEntry, error) {
	var page []AuditEntry
	if err := tx.list(ctx, &page, auditWalkSQL, last.Seq, limit); err != nil {
		return last, err
	}
	if len(page) == 0 || page[0].At >= Millis(before) {
		return last, nil
	}
	var held int64
	if err := tx.get(ctx, &held, firstLegalHoldSQL); err != nil {
		return last, err
	}
	for _, a := range page {
		if a.At >= Millis(before) || held != 0 && a.Seq >= held {
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

// HeadStatus is what can be said of a head that was kept elsewhere.
type HeadStatus string

// What can be said of one.
const (
	HeadIntact  HeadStatus = "stands"
	HeadMissing HeadStatus = "gone"   // its row was changed, cut off or replaced
	HeadTrimmed HeadStatus = "before" // its row lies before the base: it was dropped, and is not compared
)

// HeadStatusOf looks for it. The row before which the audit begins is compared too.
func (q queries) HeadStatusOf(ctx context.Context, head AuditHead) (HeadStatus, error) {
	var n int
	if err := q.get(ctx, &n, `SELECT count(*) FROM audit WHERE seq = ? AND mac = ?`, head.Seq, head.MAC); err != nil || n == 1 {
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
