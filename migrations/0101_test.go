package migrations

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// TestPeople_OlderDatabase_OpenLeadsCounted opens a database of the version before: its open leads are counted, and its
// licenses have no known expiration.
func TestPeople_OlderDatabase_OpenLeadsCounted(t *testing.T) {
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(t.TempDir(), "portal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := (sqlite{}).upTo(t.Context(), db, peopleVersion-1); err != nil {
		t.Fatal(err)
	}
	for _, lead := range []string{`'a', 'o1', 'today', 86400000`, `'b', 'o1', 'closing', 86400001`, `'c', '', 'offers', 5`, `'d', 'o1', 'ended', 900000000`} {
		if _, err := db.ExecContext(t.Context(), `INSERT INTO leads (app_uuid, originator_uuid, lane, due_sort, company, step_since, stand, mover, turns_at, created_at, changed_at, refresh_at)
			VALUES (`+lead+`, 'B1', 1, 's', 'you', 1, 1, 1, 1)`); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.ExecContext(t.Context(), `INSERT INTO licences (holder, state, party, may, at) VALUES ('o1', 'CO', 'originator', 1, 1)`); err != nil {
		t.Fatal(err)
	}
	if err := SQLite.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		`SELECT n FROM open_lead_counts WHERE company = 'B1' AND originator_uuid = 'o1'`: 2,
		`SELECT n FROM open_lead_counts WHERE company = 'B1' AND originator_uuid = ''`:   1,
		`SELECT count(*) FROM open_lead_counts`:                                          2,
		`SELECT count(*) FROM licences WHERE expires_on = ''`:                            1,
		`SELECT count(*) FROM absences`:                                                  0,
	} {
		var got int
		if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", query, got, err, want)
		}
	}
}
