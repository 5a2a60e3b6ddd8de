package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func auditChain(t *testing.T, s *store.Store) {
	if _, rows, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok || rows != 0 {
		t.Errorf("empty: got %d rows, ok %v, %v", rows, ok, err)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for range 1203 { // more than two pages of the walk
			if err := tx.Audit(ctx, store.AuditEntry{ActorID: "olivia", Company: "B1", Action: store.ActionLeadOpen,
				Object: "lead:1", Outcome: "done"}); err != nil {
				return err
			}
		}
		return nil
	})
	if seq, rows, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok || rows != 1203 {
		t.Errorf("got broken at %d after %d rows, ok %v, %v", seq, rows, ok, err)
	}
	got := must(s.AuditOf(t.Context(), "lead:1", 2))(t)
	if len(got) != 2 || got[0].Seq != 1203 || got[0].PrevMAC != got[1].MAC || got[0].MAC == "" || got[0].At == 0 {
		t.Errorf("got %+v, want the newest two, chained", got)
	}
}

func auditWithChange(t *testing.T, s *store.Store) {
	failed := errors.New("failed")
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.Audit(t.Context(), store.AuditEntry{ActorID: "olivia", Action: store.ActionLeadOpen, Object: "o",
			Outcome: "done"}); err != nil {
			return err
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("got %v, want %v", err, failed)
	}
	addUser(t, s, userOf("olivia", access.Originator))
	if got := must(s.AuditOf(t.Context(), "user:olivia", 9))(t); len(got) != 1 || got[0].Seq != 1 {
		t.Errorf("got %+v, want the first row to be about the account", got)
	}
	if _, _, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok {
		t.Errorf("got ok %v, %v", ok, err)
	}
}

func backup(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"))
	path := filepath.Join(t.TempDir(), "copy #1?.db")
	err := s.Backup(t.Context(), path)
	if errors.Is(err, store.ErrOwnBackup) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want a file that only its owner can read", info, err)
	}
	add(t, s, leadOf(2, "o1", "B1"))
	copied, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = copied.Close() }()
	if _, err := copied.AnyLead(t.Context(), appID(1)); err != nil {
		t.Errorf("the copy: got %v, want the lead", err)
	}
	_, err = copied.AnyLead(t.Context(), appID(2))
	wantKind(t, err, fault.NotFound)
	if err := s.Backup(t.Context(), path); err == nil {
		t.Error("a backup overwrote another file")
	}
}

func writeRollsBack(t *testing.T, s *store.Store) {
	failed := errors.New("failed")
	l := leadOf(1, "o1", "B1")
	attempt := func(end func() error) error {
		return s.Write(t.Context(), func(tx *store.Tx) error {
			if err := tx.AddLead(t.Context(), &l, noon()); err != nil {
				return err
			}
			return end()
		})
	}
	if err := attempt(func() error { return failed }); !errors.Is(err, failed) {
		t.Errorf("got %v, want %v", err, failed)
	}
	func() {
		defer func() { _ = recover() }()
		_ = attempt(func() error { panic("crash") })
	}()
	_, err := s.AnyLead(t.Context(), l.App)
	wantKind(t, err, fault.NotFound)
	add(t, s, leadOf(2, "o1", "B1")) // the writer is available again
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("ready: got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Write(ctx, func(*store.Tx) error { return nil }); err == nil {
		t.Error("a write continued after its context had ended")
	}
}

func auditRead(t *testing.T, s *store.Store) {
	day := func(n int) int64 { return store.Millis(noon().AddDate(0, 0, n)) }
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i := range 12 {
			a := store.AuditEntry{At: day(i / 4), ActorID: []string{"olivia", "piotr"}[i%2],
				Action: []store.AuditAction{store.ActionLeadOpen, store.ActionReveal, store.ActionClone}[i%3],
				Object: []string{"lead:1", "user:2"}[i/6], Outcome: "done"}
			if err := tx.Audit(ctx, a); err != nil {
				return err
			}
		}
		return nil
	})
	for _, tt := range []struct {
		what string
		ask  store.AuditQuery
		want []int64
	}{
		{"the newest", store.AuditQuery{Limit: 3}, []int64{12, 11, 10}},
		{"the next page", store.AuditQuery{Limit: 3, Before: 10}, []int64{9, 8, 7}},
		{"an actor", store.AuditQuery{Limit: 9, ActorID: "piotr", Before: 9}, []int64{8, 6, 4, 2}},
		{"an action", store.AuditQuery{Limit: 9, Action: store.ActionClone}, []int64{12, 9, 6, 3}},
		{"a lead", store.AuditQuery{Limit: 2, Object: "lead:1"}, []int64{6, 5}},
		{"all at once", store.AuditQuery{Limit: 9, Object: "lead:1", ActorID: "olivia", Action: store.ActionLeadOpen},
			[]int64{1}},
		{"a day", store.AuditQuery{Limit: 9, From: store.Instant(day(1)), To: store.Instant(day(2))}, []int64{8, 7, 6, 5}},
		{"a future day", store.AuditQuery{Limit: 9, From: store.Instant(day(3))}, nil},
		{"a day before the first", store.AuditQuery{Limit: 9, To: store.Instant(day(0))}, nil},
	} {
		var got []int64
		for _, a := range must(s.Audits(t.Context(), tt.ask))(t) {
			got = append(got, a.Seq)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.what, got, tt.want)
		}
	}
	heads := must(s.AuditHeads(t.Context()))(t)
	if len(heads) != 3 || heads[0].Seq != 4 || heads[2].Seq != 12 {
		t.Errorf("got heads %+v, want the last row of each day", heads)
	}
	if last := must(s.AuditHead(t.Context()))(t); last != heads[2] {
		t.Errorf("got head %+v, want %+v", last, heads[2])
	}
	for _, tt := range []struct {
		head store.AuditHead
		want store.HeadStatus
	}{{heads[1], store.HeadIntact}, {store.AuditHead{Seq: 8, MAC: "forged"}, store.HeadMissing},
		{store.AuditHead{Seq: 13, MAC: heads[2].MAC}, store.HeadMissing}} {
		if got := must(s.HeadStatusOf(t.Context(), tt.head))(t); got != tt.want {
			t.Errorf("head %+v: got %v, want %v", tt.head, got, tt.want)
		}
	}
}

func auditTrim(t *testing.T, s *store.Store) {
	day := func(n int) time.Time { return noon().AddDate(-7, 0, n) }
	for i := range 6 {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.Audit(ctx, store.AuditEntry{At: store.Millis(day(i)), ActorID: "olivia", Action: store.ActionLeadOpen,
				Object: "lead:1", Outcome: "done"})
		})
	}
	before := must(s.AuditHeads(t.Context()))(t)
	cut := func(before time.Time, limit int) (n int64) {
		write(t, s, func(ctx context.Context, tx *store.Tx) (err error) {
			n, err = tx.TrimAudit(ctx, before, limit)
			return err
		})
		return n
	}
	for _, tt := range []struct {
		before      time.Time
		limit       int
		want, seq   int64
		rows, heads int
	}{
		{day(0), 9, 0, 0, 6, 0}, {day(3), 2, 2, 2, 5, 1}, {day(3), 9, 1, 3, 5, 2}, {day(3), 9, 0, 3, 5, 2},
		{day(9), 9, 3, 6, 3, 5},
	} {
		if got := cut(tt.before, tt.limit); got != tt.want {
			t.Errorf("before %v, %d at most: got %d dropped, want %d", tt.before, tt.limit, got, tt.want)
		}
		base := must(s.AuditBase(t.Context()))(t)
		if base.Seq != tt.seq || tt.seq > 0 && (base.MAC != before[tt.seq-1].MAC ||
			base.WrittenBefore != store.Millis(tt.before)) {
			t.Errorf("got base %+v, want it at row %d", base, tt.seq)
		}
		if seq, rows, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok || rows != tt.rows {
			t.Errorf("got broken at %d after %d rows, ok %v, %v, want %d rows", seq, rows, ok, err, tt.rows)
		}
		trimmed := 0
		for i, head := range before {
			want := store.HeadIntact
			if head.Seq < base.Seq {
				want, trimmed = store.HeadTrimmed, trimmed+1
			}
			if got := must(s.HeadStatusOf(t.Context(), head))(t); got != want {
				t.Errorf("the head of day %d: got %s, want %s", i, got, want)
			}
			if got := must(s.HeadStatusOf(t.Context(),
				store.AuditHead{Seq: head.Seq, MAC: "forged"}))(t); head.Seq >= base.Seq && got != store.HeadMissing {
				t.Errorf("a forged head of day %d: got %s, want it detected", i, got)
			}
		}
		if trimmed != tt.heads {
			t.Errorf("got %d heads before the base, want %d", trimmed, tt.heads)
		}
	}
	trims := must(s.Audits(t.Context(), store.AuditQuery{Action: store.ActionAuditTrim, Limit: 9}))(t)
	if len(trims) != 3 || trims[2].Detail != "rows:1-2 before:"+day(3).Format(time.DateOnly) ||
		trims[2].ActorID != "system" {
		t.Errorf("got %+v, want one row per trim", trims)
	}
}
