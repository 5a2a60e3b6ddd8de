package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
)

func saves(t *testing.T, name string) func(tx *Tx) error {
	t.Helper()
	return func(tx *Tx) error { return tx.SaveSetting(t.Context(), name, "saved") }
}

// TestWrite_CommitRefused_NothingReportedAsSaved writes a row that the database refuses only at commit.
func TestWrite_CommitRefused_NothingReportedAsSaved(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	if err := s.Write(t.Context(), func(tx *Tx) error {
		if err := tx.exec(t.Context(), `PRAGMA defer_foreign_keys = 1`); err != nil {
			return err
		}
		if err := tx.exec(t.Context(), `INSERT INTO lead_tokens (company, token, created_at, app)
			VALUES ('B1', 1, 1, 'no lead')`); err != nil {
			return err
		}
		return saves(t, "refused")(tx)
	}); err == nil {
		t.Error("a write whose commit is refused reports success")
	}
	if got, err := s.Setting(t.Context(), "refused"); err != nil || got != "" {
		t.Errorf("got %q, %v, want nothing", got, err)
	}
	if err := s.Write(t.Context(), saves(t, "later")); err != nil {
		t.Errorf("a later write: %v", err)
	}
}

// TestWrite_Changes_AnnouncedAfterCommit moves a lead and notifies a user: the pages of both originators, the company
// and the user learn of it when others can read it, once, and nobody learns of what is rolled back.
func TestWrite_Changes_AnnouncedAfterCommit(t *testing.T) {
	t.Parallel()
	hub := &pubsub.Hub{}
	s, err := Open(t.Context(), newSQLiteFile(t), Options{Hub: hub})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	user := access.User{Actor: access.Actor{UserID: "olivia", Email: "olivia@summit.test", Role: access.Originator}}
	if err := s.AddUser(t.Context(), user, ""); err != nil {
		t.Fatal(err)
	}
	events := map[string]<-chan pubsub.Event{}
	for _, topic := range []string{pubsub.Originator("o1"), pubsub.Originator("o2"), pubsub.Company("B1"),
		pubsub.Person("olivia"), pubsub.Originator("o3")} {
		var leave func()
		events[topic], leave = hub.Subscribe(topic)
		defer leave()
	}
	heard := func() string {
		all := map[string][]pubsub.Event{}
		for topic, stream := range events {
			for len(stream) > 0 {
				all[topic] = append(all[topic], <-stream)
			}
		}
		return fmt.Sprint(all)
	}
	move := func(tx *Tx, to heloc.OriginatorID) error {
		l, err := tx.AnyLead(t.Context(), "a1")
		if err != nil {
			return err
		}
		l.Originator = to
		if err := tx.SaveLead(t.Context(), &l, time.Now(), true); err != nil {
			return err
		}
		_, err = tx.Notify(t.Context(), lead.Notice{UserID: "olivia", Company: "B1", App: "a1", Kind: lead.NoticeLeadReceived,
			DedupKey: string(to)})
		if got := heard(); got != "map[]" {
			t.Errorf("before the commit: got %s, want nothing", got)
		}
		return err
	}
	if err := s.Write(t.Context(), func(tx *Tx) error {
		return tx.AddLead(t.Context(), &lead.Row{App: "a1", Company: "B1", Originator: "o1"}, time.Now())
	}); err != nil {
		t.Fatal(err)
	}
	_ = heard()
	if err := s.Write(t.Context(), func(tx *Tx) error {
		return errors.Join(move(tx, "o3"), errors.New("no"))
	}); err == nil {
		t.Fatal("the write succeeds")
	}
	if err := s.Write(t.Context(), func(tx *Tx) error { return move(tx, "o2") }); err != nil {
		t.Fatal(err)
	}
	const want = "map[company:B1:[{a1 2 false}] originator:o1:[{a1 2 false}] originator:o2:[{a1 2 false}] " +
		"person:olivia:[{ 0 true}]]"
	if got := heard(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestWrite_Panic_NothingKept panics in the middle of a write and checks that later writes succeed.
func TestWrite_Panic_NothingKept(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	func() {
		defer func() { _ = recover() }()
		_ = s.Write(t.Context(), func(tx *Tx) error {
			if err := saves(t, "first")(tx); err != nil {
				return err
			}
			panic("in the middle")
		})
	}()
	if err := s.Write(t.Context(), saves(t, "second")); err != nil {
		t.Errorf("the next write: %v", err)
	}
	if got, err := s.Setting(t.Context(), "first"); err != nil || got != "" {
		t.Errorf("got %q, %v, want nothing", got, err)
	}
}

// TestWrite_CanceledWhileWaiting_TurnPassesOn cancels a write that waits for another.
func TestWrite_CanceledWhileWaiting_TurnPassesOn(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	ctx, cancel := context.WithCancel(t.Context())
	canceled := make(chan error)
	if err := s.Write(t.Context(), func(tx *Tx) error {
		go func() { canceled <- s.Write(ctx, func(*Tx) error { return errors.New("it ran") }) }()
		cancel()
		if err := <-canceled; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want it canceled", err)
		}
		return saves(t, "first")(tx)
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), saves(t, "second")); err != nil {
		t.Errorf("the next write: %v", err)
	}
}

// BenchmarkWrite prints how many small writes per second different numbers of concurrent writers commit.
func BenchmarkWrite(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("%d writers", writers), func(b *testing.B) {
			s, err := Open(b.Context(), b.TempDir()+"/portal.db", Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			b.SetParallelism(writers) // for each processor
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := s.Write(b.Context(), func(tx *Tx) error { return tx.SaveSetting(b.Context(), "a", "b") }); err != nil {
						b.Error(err)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
		})
	}
}
