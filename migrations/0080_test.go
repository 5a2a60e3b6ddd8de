package migrations

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// TestTeam_OlderDatabase_CountsAndDurations opens a database of the version before: its leads are counted, and the
// time that they spent at each step is known.
func TestTeam_OlderDatabase_CountsAndDurations(t *testing.T) {
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(t.TempDir(), "portal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := (sqlite{}).upTo(t.Context(), db, teamVersion-1); err != nil {
		t.Fatal(err)
	}
	for _, lead := range []string{`'a', 'o1', 'today', 86400000`, `'b', 'o1', 'today', 86400001`, `'c', '', 'offers', 5`, `'d', 'o1', 'ended', 900000000`} {
		if _, err := db.ExecContext(t.Context(), `INSERT INTO leads (app_uuid, originator_uuid, lane, due_sort, company, step_since, stand, mover, turns_at, created_at, changed_at, refresh_at)
			VALUES (`+lead+`, 'B1', 1, 's', 'you', 1, 1, 1, 1)`); err != nil {
			t.Fatal(err)
		}
	}
	for _, event := range []string{`'1', 'a', 1000, 'started', '', ''`, `'2', 'a', 4000, 'step', '', 'ONE'`, `'3', 'a', 5000, 'again', 'ONE', 'ONE'`, `'4', 'a', 9000, 'step', 'ONE', 'TWO'`, `'5', 'b', 9000, 'step', 'ONE', 'TWO'`, `'6', 'a', 9500, 'note', '', ''`} {
		if _, err := db.ExecContext(t.Context(), `INSERT INTO lead_events (id, app_uuid, at, kind, step_from, step_to, originator_uuid) VALUES (`+event+`, 'o1')`); err != nil {
			t.Fatal(err)
		}
	}
	if err := SQLite.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		`SELECT sum(n) FROM lead_counts WHERE company = 'B1'`:                                       4,
		`SELECT n FROM lead_counts WHERE originator_uuid = 'o1' AND lane = 'today' AND due_day = 1`: 2,
		`SELECT n FROM lead_counts WHERE originator_uuid = '' AND lane = 'offers' AND due_day = 0`:  1,
		`SELECT n FROM lead_counts WHERE lane = 'ended' AND due_day = 0`:                            1,
		`SELECT stayed_ms FROM lead_events WHERE id = '2' AND company = 'B1'`:                       3000,
		`SELECT stayed_ms FROM lead_events WHERE id = '4' AND company = 'B1'`:                       4000,
		`SELECT count(*) FROM lead_events WHERE stayed_ms <> 0`:                                     2,
		`SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'lead_counts_%'`:   3,
	} {
		var got int
		if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", query, got, err, want)
		}
	}
}
