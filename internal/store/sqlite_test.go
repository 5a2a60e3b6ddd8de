package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jmoiron/sqlx"

	"hearthline/internal/store/internal/sqldb"
	"hearthline/migrations"
)

func sqliteMAC(parts ...string) string { return fmt.Sprintf("mac(%q)", parts) }

// migratedSQLite is the file of a new database: updating it for every test would take most of the time.
var migratedSQLite = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "hearthline-store-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "portal.db")
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil { // copies the log into the file
		return nil, err
	}
	return os.ReadFile(path)
})

// newSQLiteFile returns the path of a new database with the newest schema.
func newSQLiteFile(t *testing.T) string {
	t.Helper()
	file, err := migratedSQLite()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "portal.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func openSQLite(t *testing.T) *Store {
	t.Helper()
	return openSQLiteAt(t, newSQLiteFile(t))
}

func openSQLiteAt(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{MAC: sqliteMAC})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// path is the database's file.
func (s *Store) path(t *testing.T) string {
	t.Helper()
	path, err := get[string](t.Context(), s.Queries, `SELECT file FROM pragma_database_list WHERE name = 'main'`)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// execRaw runs statements on the writer.
func (s *Store) execRaw(ctx context.Context, statements string, args ...any) error {
	return sqldb.Write(ctx, s.database, func(c sqldb.Conn) error {
		_, err := c.Exec(ctx, statements, args...)
		return err
	})
}

func TestOpen_MigrationsTwice(t *testing.T) {
	t.Parallel()
	s := openSQLiteAt(t, filepath.Join(t.TempDir(), "portal.db"))
	if err := sqldb.Migrate(t.Context(), s.database); err != nil {
		t.Fatalf("second time: got %v", err)
	}
	again, err := Open(t.Context(), s.path(t), Options{})
	if err != nil {
		t.Fatalf("opened a second time: got %v", err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestOpen_EarlierBuild_Refused opens a database of a pre-release build, which has leads but no installation table.
func TestOpen_EarlierBuild_Refused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "portal.db")
	db, err := sqlx.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`CREATE TABLE goose_db_version (version_id INTEGER)`,
		`INSERT INTO goose_db_version VALUES (49)`, `CREATE TABLE leads (app_uuid TEXT)`} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, migrations.ErrEarlierBuild) {
		t.Errorf("got %v, want it refused", err)
	}
}

func TestOpen_FileMode_0600(t *testing.T) {
	t.Parallel()
	s := openSQLiteAt(t, filepath.Join(t.TempDir(), "portal.db"))
	if err := s.Write(t.Context(), func(tx *Tx) error { return tx.SaveSetting(t.Context(), "a", "b") }); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(s.path(t) + end); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q: got %v, %v, want 0600", end, info, err)
		}
	}
}

// TestSealedColumns_CoverSchema compares the list of sealed columns with the schema.
func TestSealedColumns_CoverSchema(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	// the first expires within minutes, the others are public
	listed := map[string]bool{"ceremonies.sealed": true, "company_brands.logo": true, "static_files.body": true}
	for _, c := range SealedColumns() {
		listed[c.Table+"."+c.Column] = true
		if _, err := s.SealedPage(t.Context(), c, Sealed{}, 1); err != nil {
			t.Errorf("%s.%s: %v", c.Table, c.Column, err)
		}
	}
	columns, err := list[string](t.Context(), s.Queries, `SELECT m.name || '.' || c.name FROM sqlite_master m
		JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.type = 'BLOB'`)
	if err != nil {
		t.Fatal(err)
	}
	if len(columns) < 15 {
		t.Fatalf("got %d columns: the query finds too few", len(columns))
	}
	for _, c := range columns {
		if !listed[c] {
			t.Errorf("%s may contain sealed values and would be lost with an old key", c)
		}
	}
}
