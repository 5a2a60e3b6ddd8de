package store

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestWrite_CommitsReachTheFile reads the database file alone, without the log, which has few pages.
func TestWrite_CommitsReachTheFile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openSQLite(t)
		for round := range 3 {
			for i := range checkpointCommits {
				last := i == checkpointCommits-1
				value := fmt.Sprintf("value-%d-%d-of-the-setting", round, i)
				if err := s.Write(t.Context(), func(tx *Tx) error { return tx.SaveSetting(t.Context(), "a", value) }); err != nil {
					t.Fatal(err)
				}
				inFile := func() bool {
					file, err := os.ReadFile(s.path())
					if err != nil {
						t.Fatal(err)
					}
					return bytes.Contains(file, []byte(value))
				}
				if inFile() {
					t.Error("the commit copied the log itself: every write would wait for that")
				}
				time.Sleep(checkpointPause + 1)
				synctest.Wait()
				if got := inFile(); got != last {
					t.Errorf("%s: copied %v, want %v", value, got, last)
				}
			}
		}
	})
}

// TestWrite_LogIsLong_EachCommitCopied says that the log is long, and the first checkpoint finds that it is not.
func TestWrite_LogIsLong_EachCommitCopied(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openSQLite(t)
		s.checkpoints.long.Store(true)
		for i, copied := range []bool{true, false} {
			value := fmt.Sprintf("value-%d-of-the-setting", i)
			if err := s.Write(t.Context(), func(tx *Tx) error { return tx.SaveSetting(t.Context(), "a", value) }); err != nil {
				t.Fatal(err)
			}
			time.Sleep(longPause + 1)
			synctest.Wait()
			if file, err := os.ReadFile(s.path()); err != nil || bytes.Contains(file, []byte(value)) != copied {
				t.Errorf("%s: copied %v, %v, want %v", value, !copied, err, copied)
			}
		}
	})
}

// TestClose_Twice_StopsCheckpoints: Close does not wait for the pause.
func TestClose_Twice_StopsCheckpoints(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openSQLite(t)
		for range checkpointCommits {
			if err := s.Write(t.Context(), func(tx *Tx) error { return tx.SaveSetting(t.Context(), "a", "b") }); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		for range 2 {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if time.Since(began) > 0 {
			t.Error("closing waited for the pause between checkpoints")
		}
	})
}

func TestOpen_WriterLeavesCheckpointsToOthers(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	var pages int
	if err := s.write.GetContext(t.Context(), &pages, `PRAGMA wal_autocheckpoint`); err != nil || pages != writerPages {
		t.Errorf("the writer makes a checkpoint after %d pages, %v, want %d", pages, err, writerPages)
	}
}
