package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"os"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// diskBytes returns all bytes of the database, including the write-ahead log.
func (s *Store) diskBytes(t *testing.T) []byte {
	t.Helper()
	var all []byte
	for _, end := range []string{"", "-wal"} {
		b, err := os.ReadFile(s.path(t) + end)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}

// randomBytes looks like a sealed value and does not occur by chance.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

// TestDelete_BytesGoneFromDisk searches for the bytes of small values, of values with their own overflow
// pages, of search tokens and of blind indexes.
func TestDelete_BytesGoneFromDisk(t *testing.T) {
	t.Parallel()
	s, ctx := openSQLite(t), t.Context()
	const ended, held = heloc.AppID("00000000-0000-4000-8000-00000000e0d1"),
		heloc.AppID("00000000-0000-4000-8000-00000000e0d2")
	now := time.Now()
	traces := map[heloc.AppID]map[string][]byte{}
	write := func(f func(tx *Tx) error) {
		t.Helper()
		if err := s.Write(ctx, f); err != nil {
			t.Fatal(err)
		}
	}
	for i, app := range []heloc.AppID{ended, held} {
		pattern := map[string][]byte{"name": randomBytes(60), "a large part": randomBytes(20_000), "note": randomBytes(200),
			"quote": randomBytes(9_000), "mark": []byte(hex.EncodeToString(randomBytes(32)))}
		// longer than a real one, so that nothing else has the same bytes
		pattern["token"] = binary.BigEndian.AppendUint64(nil, 0x71_5a_c3_99_1e_b7_42_00+uint64(i))
		traces[app] = pattern
		write(func(tx *Tx) error {
			l := lead.Row{App: app, Originator: "o1", Company: "B1", Borrower: pattern["name"], Step: heloc.StepClosed,
				CanceledDate: "2020-01-02"}
			if err := tx.AddLead(ctx, &l, now.AddDate(-5, 0, 0)); err != nil {
				return err
			}
			if err := tx.SavePart(ctx, SealedPart{App: app, Part: lead.PartDetails, Version: 1, Sealed: pattern["a large part"],
				FetchedAt: 1}); err != nil {
				return err
			}
			if err := tx.AddTokens(ctx, app, Tokens{KeyID: 9,
				Values: []int64{0x71_5a_c3_99_1e_b7_42_00 + int64(i)}}); err != nil {
				return err
			}
			if err := tx.AddReferences(ctx, app, References{KeyID: 9,
				BlindIndexes: []string{string(pattern["mark"])}}); err != nil {
				return err
			}
			if err := tx.AddNote(ctx, lead.Note{ID: "n-" + string(app), App: app, ActorID: "u", ActorName: "U",
				Sealed: pattern["note"], At: 1}); err != nil {
				return err
			}
			return tx.AddQuote(ctx, Quote{ID: "q-" + string(app), App: app, ActorID: "u", SealedRequest: pattern["quote"],
				Sealed: pattern["quote"], At: 1}, 9)
		})
	}
	write(func(tx *Tx) error { _, err := tx.SetLegalHold(ctx, held, now); return err })
	for what, pattern := range traces[ended] {
		if !bytes.Contains(s.diskBytes(t), pattern[:min(len(pattern), 60)]) {
			t.Fatalf("the %s is not on the disk before the deletion: the search finds too little", what)
		}
	}
	write(func(tx *Tx) error {
		deleted, err := tx.DropLeads(ctx, now.AddDate(-3, 0, 0), 10)
		if len(deleted) != 1 || deleted[0] != ended {
			t.Errorf("got %v deleted, want the one without a legal hold", deleted)
		}
		if err != nil {
			return err
		}
		return tx.Audit(ctx, AuditEntry{ActorID: "system", Action: ActionLeadDelete, Object: "lead:" + string(ended),
			Outcome: "done"})
	})
	if err := s.Scrub(context.WithoutCancel(ctx)); err != nil {
		t.Fatal(err)
	}
	left := s.diskBytes(t)
	for app, pattern := range traces {
		for what, b := range pattern {
			// A fragment is enough, wherever a page may have split it.
			if found := bytes.Contains(left, b[:min(len(b), 40)]) ||
				bytes.Contains(left, b[max(0, len(b)-40):]); found != (app == held) {
				t.Errorf("the %s of %s is on the disk: %v, want it only for the lead under a legal hold", what, app, found)
			}
		}
	}
	if _, _, whole, err := s.BrokenAudit(ctx); err != nil || !whole {
		t.Errorf("the audit afterwards: ok %v, %v", whole, err)
	}
}
