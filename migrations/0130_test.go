package migrations

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// TestCounts_OlderDatabase_LeadsCounted opens a database of the version before, and changes a lead afterwards.
func TestCounts_OlderDatabase_LeadsCounted(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(t.TempDir(), "portal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := (sqlite{}).upTo(t.Context(), db, countsVersion-1); err != nil {
		t.Fatal(err)
	}
	for _, lead := range []string{
		`'a', 'o1', '', 'today', 86400000`, `'b', 'o1', '', 'today', 946080000000`, `'c', 'o1', '', 'closing', 5`,
		`'d', '', 'o2', 'today', 5`, `'e', '', 'o2', 'ended', 5`, `'f', '', '', 'today', 5`,
	} {
		if _, err := db.ExecContext(t.Context(), `INSERT INTO leads (app_uuid, originator_uuid, left_by, lane, due_sort, company, step_since, stand, mover, turns_at, created_at, changed_at, refresh_at)
			VALUES (`+lead+`, 'B1', 1, 's', 'you', 1, 1, 1, 1)`); err != nil {
			t.Fatal(err)
		}
	}
	if err := SQLite.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	check := func(when string, wants map[string]int) {
		t.Helper()
		for query, want := range wants {
			var got int
			if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
				t.Errorf("%s, %s: got %d, %v, want %d", when, query, got, err, want)
			}
		}
	}
	check("opened", map[string]int{
		`SELECT n FROM lane_counts WHERE company = 'B1' AND originator_uuid = 'o1' AND lane = 'today'`: 2,
		`SELECT n FROM lane_counts WHERE originator_uuid = 'o1' AND lane = 'closing'`:                  1,
		`SELECT n FROM lane_counts WHERE originator_uuid = '' AND lane = 'today'`:                      2,
		`SELECT count(*) FROM lane_counts`:                                                             4,
		`SELECT n FROM departed_lead_counts WHERE company = 'B1' AND left_by = 'o2'`:                   1,
		`SELECT count(*) FROM departed_lead_counts`:                                                    1,
	})
	if _, err := db.ExecContext(t.Context(), `UPDATE leads SET originator_uuid = 'o1', left_by = '' WHERE app_uuid = 'd'`); err != nil {
		t.Fatal(err)
	}
	check("assigned", map[string]int{
		`SELECT n FROM lane_counts WHERE originator_uuid = 'o1' AND lane = 'today'`: 3,
		`SELECT n FROM lane_counts WHERE originator_uuid = '' AND lane = 'today'`:   1,
		`SELECT count(*) FROM departed_lead_counts`:                                 0,
	})
}
