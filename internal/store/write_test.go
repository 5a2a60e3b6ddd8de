package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
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
		if err := tx.exec(t.Context(), `INSERT INTO lead_tokens (company, token, created_at, app) VALUES ('B1', 1, 1, 'no lead')`); err != nil {
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
