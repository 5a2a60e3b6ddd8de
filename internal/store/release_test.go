package store_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/migrations"
)

func openAt(t *testing.T, address string) (*store.Store, error) {
	t.Helper()
	s, err := store.Open(t.Context(), address, store.Options{})
	if err == nil {
		t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// TestOpen_DatabaseOfNextRelease opens a database that a newer release has updated: with a schema that only grew it
// is used, with another one it is refused, also by a process that is running.
func TestOpen_DatabaseOfNextRelease(t *testing.T) {
	t.Parallel()
	for name, newDatabase := range map[string]func(testing.TB) string{"SQLite": storetest.NewFile,
		"PostgreSQL": storetest.NewPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := newDatabase(t)
			storetest.Exec(t, address, `INSERT INTO goose_db_version (version_id, is_applied)
				VALUES (999000, `+map[string]string{"SQLite": "1", "PostgreSQL": "true"}[name]+`)`)
			storetest.Exec(t, address, `ALTER TABLE leads ADD COLUMN next_release TEXT NOT NULL DEFAULT ''`)
			running, err := openAt(t, address)
			if err != nil {
				t.Fatalf("a schema that only grew: got %v", err)
			}
			if _, err := running.ReportReplica(t.Context(), "a", "1"); err != nil {
				t.Errorf("a schema that only grew: got %v", err)
			}
			storetest.Exec(t, address, `UPDATE installation SET oldest_schema = 998000`)
			if _, err := running.ReportReplica(t.Context(), "a", "1"); !errors.Is(err, store.ErrReleaseTooOld) {
				t.Errorf("a running process: got %v, want it told that it is too old", err)
			}
			if _, err := openAt(t, address); !errors.Is(err, store.ErrReleaseTooOld) {
				t.Errorf("got %v, want it refused", err)
			}
			if n := storetest.Count(t, address, `SELECT oldest_schema FROM installation`); n != 998000 {
				t.Errorf("the oldest schema was set to %d", n)
			}
		})
	}
}

// TestOpen_OlderReleaseRunning_NotUpdated starts a release that must not be used beside one that still runs.
func TestOpen_OlderReleaseRunning_NotUpdated(t *testing.T) {
	t.Parallel()
	address := storetest.NewPostgres(t)
	storetest.Exec(t, address, `DELETE FROM goose_db_version
		WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	storetest.Exec(t, address, `INSERT INTO replicas (name, version, newest_schema, seen_at)
		VALUES ('desk-2', '1.4', `+strconv.Itoa(migrations.Oldest-1)+`, `+strconv.FormatInt(store.Millis(time.Now()), 10)+`)`)
	if _, err := openAt(t, address); err == nil || !strings.Contains(err.Error(), "desk-2 still runs Hearthline 1.4") {
		t.Errorf("got %v, want the process named", err)
	}
	storetest.Exec(t, address, `UPDATE replicas SET newest_schema = `+strconv.Itoa(migrations.Oldest))
	if _, err := openAt(t, address); err != nil && strings.Contains(err.Error(), "still runs") {
		t.Errorf("a process that can be used beside it: got %v", err)
	}
}
