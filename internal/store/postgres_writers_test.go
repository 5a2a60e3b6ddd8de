package store_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/migrations"
)

// Two processes read a number, and write the next one: none overwrites what the other wrote.
func TestPostgres_WritersOfTwoProcesses_OneAfterTheOther(t *testing.T) {
	t.Parallel()
	const each = 40
	address := storetest.NewPostgres(t)
	stores := []*store.Store{open(t, address), open(t, address)}
	var running sync.WaitGroup
	for _, s := range stores {
		running.Go(func() {
			for range each {
				if err := s.Write(t.Context(), func(tx *store.Tx) error {
					text, err := tx.Setting(t.Context(), "n")
					if err != nil {
						return err
					}
					n, _ := strconv.Atoi(text)
					return tx.SaveSetting(t.Context(), "n", strconv.Itoa(n+1))
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	if got, err := stores[0].Setting(t.Context(), "n"); err != nil || got != strconv.Itoa(2*each) {
		t.Errorf("got %s, %v, want %d", got, err, 2*each)
	}
}

// An update of the schema begins when the writes of other processes have ended: they lock tables in another order, so
// both would wait for each other.
func TestPostgres_Update_WaitsForWriters(t *testing.T) {
	t.Parallel()
	address := storetest.EmptyPostgres(t)
	other, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close(context.WithoutCancel(t.Context())) })
	write, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write.Exec(t.Context(), `SELECT pg_advisory_xact_lock($1)`, int64(migrations.WritersLock)); err != nil {
		t.Fatal(err)
	}
	updated := make(chan error, 1)
	go func() {
		s, err := store.Open(t.Context(), address, store.Options{})
		if err == nil {
			err = s.Close()
		}
		updated <- err
	}()
	for waiting := 0; waiting == 0; time.Sleep(10 * time.Millisecond) {
		select {
		case err := <-updated:
			t.Fatalf("the schema was updated while another process wrote: %v", err)
		default:
		}
		if err := write.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	var tables int
	if err := write.QueryRow(t.Context(), `SELECT count(*) FROM information_schema.tables WHERE table_name = 'leads'`).
		Scan(&tables); err != nil || tables != 0 {
		t.Errorf("got %d tables, %v before the write has ended", tables, err)
	}
	if err := write.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-updated; err != nil {
		t.Error(err)
	}
}
