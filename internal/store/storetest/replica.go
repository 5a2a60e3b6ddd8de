package storetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/migrations"
)

func dutyHeldByOne(t *testing.T, s *store.Store) {
	now := noon()
	s.LeaseClock = func() time.Time { return now }
	first, second, other := s.Duty("sweep", "a"), s.Duty("sweep", "b"), s.Duty("rules", "b")
	held := func(d store.Duty, want bool, when string) {
		t.Helper()
		if got := must(d.Held(t.Context()))(t); got != want {
			t.Errorf("%s: got %v, want %v", when, got, want)
		}
	}
	held(first, true, "nobody had it")
	held(second, false, "the first has it")
	held(other, true, "another duty")
	now = now.Add(14 * time.Second)
	held(first, true, "renewed in time")
	now = now.Add(14 * time.Second)
	held(second, false, "it was renewed")
	held(first, true, "renewed again")
	now = now.Add(15 * time.Second)
	held(second, true, "not renewed in time")
	held(first, false, "the second has it now")
	if err := first.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	held(first, false, "only the owner releases")
	if err := second.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	held(first, true, "released")
}

// dutyTakenOnce lets many processes take a duty at once.
func dutyTakenOnce(t *testing.T, s *store.Store) {
	taken := make(chan bool)
	for _, owner := range []string{"a", "b", "c", "d", "e", "f"} {
		go func() {
			held, err := s.Duty("sweep", owner).Held(context.WithoutCancel(t.Context()))
			if err != nil {
				t.Error(err)
			}
			taken <- held
		}()
	}
	n := 0
	for range 6 {
		if <-taken {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d processes have the duty, want one", n)
	}
}

func replicasReport(t *testing.T, s *store.Store) {
	now := noon()
	s.LeaseClock = func() time.Time { return now }
	if got := must(s.ReportReplica(t.Context(), "a", "1"))(t); len(got) != 1 ||
		got[0] != (store.Replica{Name: "a", Version: "1", SeenAt: store.Millis(now),
			NewestSchema: must(migrations.Newest())(t)}) {
		t.Errorf("got %+v", got)
	}
	now = now.Add(15 * time.Second)
	if got := must(s.ReportReplica(t.Context(), "b", "2"))(t); len(got) != 2 || got[1].Version != "2" {
		t.Errorf("got %+v, want both", got)
	}
	now = now.Add(6 * time.Second)
	if got := must(s.Replicas(t.Context()))(t); len(got) != 1 || got[0].Name != "b" {
		t.Errorf("got %+v, want only the one that reported", got)
	}
	if err := s.RemoveReplica(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if got := must(s.Replicas(t.Context()))(t); len(got) != 0 {
		t.Errorf("got %+v, want none", got)
	}
}

// staticFilesKept keeps the files of two releases, until the first was not started for a month.
func staticFilesKept(t *testing.T, s *store.Store) {
	now := noon()
	s.Now = func() time.Time { return now }
	save := func(files map[string][]byte) {
		t.Helper()
		if err := s.SaveStaticFiles(t.Context(), files); err != nil {
			t.Fatal(err)
		}
	}
	first, second := map[string][]byte{"/static/a.1.css": []byte("a1"), "/static/b.css": []byte("b")},
		map[string][]byte{"/static/a.2.css": []byte("a2"), "/static/b.css": []byte("b")}
	save(first)
	now = now.Add(20 * 24 * time.Hour)
	save(second)
	for url, want := range map[string]string{"/static/a.1.css": "a1", "/static/a.2.css": "a2", "/static/b.css": "b"} {
		if got := must(s.StaticFile(t.Context(), url))(t); string(got) != want {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
	now = now.Add(20 * 24 * time.Hour)
	save(second)
	_, err := s.StaticFile(t.Context(), "/static/a.1.css")
	wantKind(t, err, fault.NotFound)
	if got := must(s.StaticFile(t.Context(), "/static/b.css"))(t); string(got) != "b" {
		t.Errorf("got %q, want what both releases have", got)
	}
}

// anyTextStored stores texts that every database must accept: a reading must not fail forever because of one byte.
func anyTextStored(t *testing.T, s *store.Store) {
	for _, text := range []string{"plain", "a\x00b", "\x00", "caf\xe9", "", "日本 — “x”"} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveSetting(ctx, "text", text) })
		got := must(s.Setting(t.Context(), "text"))(t)
		if strings.NewReplacer("\x00", "", "\xe9", "").Replace(got) != strings.NewReplacer("\x00", "",
			"\xe9", "").Replace(text) {
			t.Errorf("%q is stored as %q", text, got)
		}
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.Audit(ctx, store.AuditEntry{ActorID: "olivia", Action: store.ActionLeadOpen, Object: "lead:x",
				Outcome: "opened", Detail: text})
		})
	}
	if _, rows, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok || rows != 6 {
		t.Errorf("the audit of these texts: %d rows, intact %v, %v", rows, ok, err)
	}
}
