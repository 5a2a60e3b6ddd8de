package migrations

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// TestUp_LaterVersionAlreadyThere_EarlierOneAdded opens a database that a build made which had a later version and not
// this one, because the two were written at the same time.
func TestUp_LaterVersionAlreadyThere_EarlierOneAdded(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(t.TempDir(), "portal.db")+"?_foreign_keys=1&_recursive_triggers=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := SQLite.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`DROP TABLE rule_assignments`, `DROP TABLE assignment_rule_people`, `DROP TABLE assignment_rules`, `DELETE FROM goose_db_version WHERE version_id = 120`} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := SQLite.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	var rules int
	if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM assignment_rules`).Scan(&rules); err != nil || rules != 0 {
		t.Errorf("got %d, %v, want an empty table", rules, err)
	}
}
