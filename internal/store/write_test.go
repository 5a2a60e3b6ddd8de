package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
)

// commitTogether runs writes that share one commit, in order.
func commitTogether(t *testing.T, s *Store, writes ...func(tx *Tx) error) []error {
	t.Helper()
	waiting := func(n int) {
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
			s.writers.mu.Lock()
			found := len(s.writers.waiting)
			s.writers.mu.Unlock()
			if found == n {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d writes wait, want %d", found, n)
			}
		}
	}
	results := make([]error, len(writes))
	queued, all := make(chan struct{}), sync.WaitGroup{}
	for i, f := range writes {
		all.Go(func() {
			results[i] = s.Write(t.Context(), func(tx *Tx) error {
				if i == 0 {
					close(queued)
					waiting(len(writes) - 1)
				}
				return f(tx)
			})
		})
		switch i {
		case 0:
			<-queued
		case len(writes) - 1: // the first one waits for it
		default:
			waiting(i)
		}
	}
	all.Wait()
	return results
}

func saves(t *testing.T, name string) func(tx *Tx) error {
	t.Helper()
	return func(tx *Tx) error { return tx.SaveSetting(t.Context(), name, "saved") }
}

// refusedCommit writes what the database refuses only when it commits.
func refusedCommit(t *testing.T) func(tx *Tx) error {
	t.Helper()
	return func(tx *Tx) error {
		if _, err := tx.exec(t.Context(), `PRAGMA defer_foreign_keys = 1`); err != nil {
			return err
		}
		_, err := tx.exec(t.Context(), `INSERT INTO search_leads (n, lead_uuid) VALUES (1, 'no lead')`)
		return err
	}
}

// TestWrite_CommitRefused_NothingReportedAsSaved shares a commit that the database refuses: no write of it reports success, and
// later ones are made.
func TestWrite_CommitRefused_NothingReportedAsSaved(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	s.writers.time = time.Hour
	for i, err := range commitTogether(t, s, saves(t, "first"), saves(t, "second"), refusedCommit(t), saves(t, "last")) {
		if err == nil {
			t.Errorf("write %d reports success", i)
		}
	}
	for _, name := range []string{"first", "second", "last"} {
		if got, err := s.Setting(t.Context(), name); err != nil || got != "" {
			t.Errorf("%s: got %q, %v, want nothing", name, got, err)
		}
	}
	if err := s.Write(t.Context(), saves(t, "later")); err != nil {
		t.Errorf("a later write: %v", err)
	}
}

// TestWrite_OneOfSeveralFails_OthersKept shares a commit with writes that fail, the first and the last of them too.
func TestWrite_OneOfSeveralFails_OthersKept(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	s.writers.time = time.Hour
	errWrong := errors.New("wrong")
	for failing := range 4 {
		var writes []func(tx *Tx) error
		for i := range 4 {
			save := saves(t, fmt.Sprint(failing, " ", i))
			writes = append(writes, func(tx *Tx) error {
				if err := save(tx); err != nil || i != failing {
					return err
				}
				return errWrong
			})
		}
		for i, err := range commitTogether(t, s, writes...) {
			if errors.Is(err, errWrong) != (i == failing) || (err != nil) != (i == failing) {
				t.Errorf("write %d of those of which %d fails: got %v", i, failing, err)
			}
			got, err := s.Setting(t.Context(), fmt.Sprint(failing, " ", i))
			if err != nil || (got == "saved") != (i != failing) {
				t.Errorf("write %d of those of which %d fails: got %q, %v", i, failing, got, err)
			}
		}
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

// BenchmarkWrite prints how many small writes a second are committed by different numbers of writers at once, each write for
// itself and sharing commits.
func BenchmarkWrite(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		for _, shared := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d writers, shared %v", writers, shared), func(b *testing.B) {
				s, err := Open(b.Context(), b.TempDir()+"/portal.db", Options{})
				if err != nil {
					b.Fatal(err)
				}
				defer func() { _ = s.Close() }()
				if !shared {
					s.writers.time = 0
				}
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
}
