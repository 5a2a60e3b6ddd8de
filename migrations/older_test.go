package migrations

import (
	"database/sql"
	"path/filepath"
	"testing"

	_ "github.com/mattn/go-sqlite3" // the database of the tests
)

// olderDatabase is an SQLite database with the schema of a version.
type olderDatabase struct {
	*sql.DB
	t *testing.T
}

func newOlderDatabase(t *testing.T, version int64) olderDatabase {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(t.TempDir(), "portal.db")+"?_foreign_keys=1&_recursive_triggers=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := (sqlite{}).upTo(t.Context(), db, version); err != nil {
		t.Fatal(err)
	}
	return olderDatabase{db, t}
}

func (d olderDatabase) exec(statement string, args ...any) {
	d.t.Helper()
	if _, err := d.ExecContext(d.t.Context(), statement, args...); err != nil {
		d.t.Fatalf("%s: %v", statement, err)
	}
}

// addLeads adds leads, each by the values of some columns.
func (d olderDatabase) addLeads(columns string, leads ...string) {
	d.t.Helper()
	for _, lead := range leads {
		d.exec(`INSERT INTO leads (` + columns + `, company, step_since, stand, mover, turns_at, created_at, changed_at, refresh_at) VALUES (` + lead + `, 'B1', 1, 's', 'you', 1, 1, 1, 1)`)
	}
}

// update brings the database to the newest version.
func (d olderDatabase) update() {
	d.t.Helper()
	if err := SQLite.Up(d.t.Context(), d.DB); err != nil {
		d.t.Fatal(err)
	}
}

// want compares the numbers that queries return.
func (d olderDatabase) want(when string, numbers map[string]int) {
	d.t.Helper()
	for query, want := range numbers {
		var got int
		if err := d.QueryRowContext(d.t.Context(), query).Scan(&got); err != nil || got != want {
			d.t.Errorf("%s, %s: got %d, %v, want %d", when, query, got, err, want)
		}
	}
}
