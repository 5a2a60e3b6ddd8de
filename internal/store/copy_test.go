package store_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

// filled returns the path of a database with rows in every table.
func filled(t *testing.T) (path string) {
	t.Helper()
	path = storetest.NewFile(t)
	storetest.Fill(t, path, store.Options{MAC: testMAC}, 23)
	return path
}

// emptyFile returns the path of a file that does not exist.
func emptyFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(storetest.TempDir(t), "new.db")
}

// targets are the databases of both kinds into which tests copy. The file does not exist, the other one has a schema.
var targets = map[string]func(t *testing.T) string{
	"SQLite":     emptyFile,
	"PostgreSQL": func(t *testing.T) string { t.Helper(); return storetest.NewPostgres(t) },
}

func copyTo(t *testing.T, from, to string, options store.CopyOptions) (store.Copied, error) {
	t.Helper()
	return open(t, from).CopyTo(t.Context(), to, options)
}

func mustCopy(t *testing.T, from, to string) store.Copied {
	t.Helper()
	copied, err := copyTo(t, from, to, store.CopyOptions{Batch: 7})
	if err != nil {
		t.Fatal(err)
	}
	return copied
}

// wantSameRows compares all tables of two databases.
func wantSameRows(t *testing.T, from, to string) {
	t.Helper()
	want, got := storetest.Rows(t, from), storetest.Rows(t, to)
	if !slices.Equal(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))) {
		t.Errorf("got the tables %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	for table, rows := range want {
		if len(rows) == 0 {
			t.Errorf("%s: no rows, so that nothing is tested", table)
		}
		if !slices.Equal(rows, got[table]) {
			t.Errorf("%s: got %d rows, want these %d: %.300q, want %.300q", table, len(got[table]), len(rows), got[table], rows)
		}
	}
}

func TestCopyTo_ThereAndBack_SameRows(t *testing.T) {
	t.Parallel()
	first, second, third := filled(t), storetest.NewPostgres(t), emptyFile(t)
	for _, pair := range [][2]string{{first, second}, {second, third}} {
		copied := mustCopy(t, pair[0], pair[1])
		wantSameRows(t, first, pair[1])
		rows := storetest.Rows(t, first)
		for _, table := range copied.Tables {
			if int(table.Rows) != len(rows[table.Name]) {
				t.Errorf("%s: got %d rows, want %d", table.Name, table.Rows, len(rows[table.Name]))
			}
		}
		if len(copied.Tables) != len(rows) || copied.Audit != len(rows["audit"]) {
			t.Errorf("got %d tables and %d verified rows, want %d and %d",
				len(copied.Tables), copied.Audit, len(rows), len(rows["audit"]))
		}
	}
}

// The audit of a copy is protected as that of its source is.
func TestCopyTo_Triggers_Guard(t *testing.T) {
	t.Parallel()
	for kind, target := range targets {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			to := target(t)
			mustCopy(t, filled(t), to)
			for _, statement := range []string{`UPDATE audit SET detail = 'x'`, `DELETE FROM audit`, `DELETE FROM audit_base`} {
				if err := storetest.TryExec(t, to, statement); err == nil || !strings.Contains(err.Error(), "audit") {
					t.Errorf("%s: got %v, want it refused", statement, err)
				}
			}
		})
	}
}

// interrupted copies until a transaction has ended that a random number chooses, and reports whether rows were missing.
func interrupted(t *testing.T, from, to string, after int) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := open(t, from).CopyTo(ctx, to, store.CopyOptions{Batch: 5, Progress: func(string, int64, int64) {
		if after--; after < 0 {
			cancel()
		}
	}})
	return err != nil
}

func TestCopyTo_Interrupted_Continues(t *testing.T) {
	t.Parallel()
	for kind, target := range targets {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			from, to := filled(t), target(t)
			for i := 0; interrupted(t, from, to, rand.IntN(40)); i++ { //nolint:gosec // no secret
				if _, err := store.Open(t.Context(), to, store.Options{MAC: testMAC}); !errors.Is(err, store.ErrUnfinishedCopy) {
					t.Fatalf("after %d interruptions: got %v, want the copy refused", i+1, err)
				}
			}
			wantSameRows(t, from, to)
			if _, _, ok, err := open(t, to).BrokenAudit(t.Context()); err != nil || !ok {
				t.Errorf("the audit: got %v, %v", ok, err)
			}
		})
	}
}

func TestCopyTo_OtherOrChangedSource_Refused(t *testing.T) {
	t.Parallel()
	for kind, target := range targets {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			from, to := filled(t), target(t)
			if !interrupted(t, from, to, 9) {
				t.Fatal("the copy was not interrupted")
			}
			other := storetest.NewFile(t)
			storetest.Fill(t, other, store.Options{MAC: testMAC}, 11)
			if _, err := copyTo(t, other, to, store.CopyOptions{}); !errors.Is(err, store.ErrSourceChanged) {
				t.Errorf("another source: got %v, want it refused", err)
			}
			if err := open(t, from).Write(t.Context(),
				func(tx *store.Tx) error { return tx.SaveSetting(t.Context(), "a", "b") }); err != nil {
				t.Fatal(err)
			}
			if _, err := copyTo(t, from, to, store.CopyOptions{}); !errors.Is(err, store.ErrSourceChanged) {
				t.Errorf("a source with another row: got %v, want it refused", err)
			}
		})
	}
}

// A change that no count shows is found when the rows are compared.
func TestCopyTo_SourceChangedBetween_FoundByContent(t *testing.T) {
	t.Parallel()
	for kind, target := range targets {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			from, to := filled(t), target(t)
			if !interrupted(t, from, to, 200) {
				t.Fatal("the copy was not interrupted")
			}
			storetest.Exec(t, from, `UPDATE company_brands SET color = 'another' WHERE company = 'B1'`)
			_, err := copyTo(t, from, to, store.CopyOptions{})
			if !errors.Is(err, store.ErrSourceChanged) || !strings.Contains(err.Error(), "company_brands") {
				t.Errorf("got %v, want the table that differs", err)
			}
			if _, err := store.Open(t.Context(), to, store.Options{}); !errors.Is(err, store.ErrUnfinishedCopy) {
				t.Errorf("got %v, want the copy to stay unfinished", err)
			}
		})
	}
}

// PostgreSQL has no text with a zero byte. A copy without it would not be the same, and its audit could not be
// verified.
func TestCopyTo_TextThatTargetCannotStore_RefusedByTable(t *testing.T) {
	t.Parallel()
	from, to := filled(t), storetest.NewPostgres(t)
	storetest.Exec(t, from, `UPDATE company_brands SET color = 'a' || char(0) || 'b' WHERE company = 'B1'`)
	if _, err := copyTo(t, from, to, store.CopyOptions{}); err == nil ||
		!strings.Contains(err.Error(), "company_brands") || errors.Is(err, store.ErrSourceChanged) {
		t.Errorf("got %v, want the table that is refused", err)
	}
}

func TestCopyTo_TargetNotEmpty_Refused(t *testing.T) {
	t.Parallel()
	for kind, target := range targets {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			from, to := filled(t), target(t)
			if err := open(t, to).Write(t.Context(),
				func(tx *store.Tx) error { return tx.SaveSetting(t.Context(), "a", "b") }); err != nil {
				t.Fatal(err)
			}
			before := storetest.Rows(t, to)
			if _, err := copyTo(t, from, to, store.CopyOptions{}); !errors.Is(err, store.ErrTargetNotEmpty) {
				t.Errorf("got %v, want it refused", err)
			}
			if after := storetest.Rows(t, to); !maps.EqualFunc(before, after, slices.Equal) {
				t.Errorf("got %v, want nothing changed", after)
			}
			open(t, to) // the portal can still use it
		})
	}
}

func TestInUse_OpenStore_Found(t *testing.T) {
	t.Parallel()
	for kind, address := range map[string]string{"SQLite": storetest.NewFile(t), "PostgreSQL": storetest.NewPostgres(t)} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			want := func(want bool) {
				t.Helper()
				if used, err := store.InUse(t.Context(), address); err != nil || used != want {
					t.Errorf("got %v, %v, want %v", used, err, want)
				}
			}
			want(false)
			s, err := store.Open(t.Context(), address, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want(true)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			want(false)
			open(t, address) // what InUse opened is closed
		})
	}
}

// While a copy runs, nobody else writes to its source.
func TestCopyTo_SourceLocked(t *testing.T) {
	t.Parallel()
	from := filled(t)
	tried := false
	_, err := open(t, from).CopyTo(t.Context(), emptyFile(t), store.CopyOptions{Progress: func(string, int64, int64) {
		if tried {
			return
		}
		tried = true
		if err := storetest.TryExec(t, from+"?_busy_timeout=1", `DELETE FROM settings`); err == nil ||
			!strings.Contains(err.Error(), "locked") {
			t.Errorf("got %v, want the database locked", err)
		}
	}})
	if err != nil || !tried {
		t.Errorf("got %v, %v", err, tried)
	}
}
