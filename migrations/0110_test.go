package migrations

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// TestReports_OlderDatabase_Counted opens a database of the version before: what reports count is known as far as the
// database says, and later changes are counted too.
func TestReports_OlderDatabase_Counted(t *testing.T) {
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(t.TempDir(), "portal.db")+"?_foreign_keys=1&_recursive_triggers=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := (sqlite{}).upTo(t.Context(), db, reportsVersion-1); err != nil {
		t.Fatal(err)
	}
	exec := func(statement string) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	// 1790812800000 is midnight UTC on October 1, 2026, which is September 30 in New York.
	for _, lead := range []string{
		`'a', 'o1', 'CO', 'funded', 'INQUIRY_COMPLETE', 1, 0, '2026-01-05', 1790812800000`,
		`'b', 'o1', 'CO', 'cancelled', 'INQUIRY_CLOSED', 0, 0, '', 1790899200000`,
		`'c', '', '', 'no-offers', 'NO_OFFERS', 0, 5, '', 1790899200000`,
		`'d', 'o2', 'ID', 'declined', 'INQUIRY_WITHDRAWN', 1, 0, '2026-08-31', 1790899200000`,
	} {
		exec(`INSERT INTO leads (app_uuid, originator_uuid, state, stand, step, converted, set_aside_at, created_date, created_at, lane, due_sort, company, step_since, mover, turns_at, changed_at, refresh_at)
			VALUES (` + lead + `, 'ended', 1, 'B1', 1, '', 1, 1, 1)`)
	}
	for _, event := range []string{
		`'1', 'a', 'started', '', '', 0`, `'2', 'a', 'step', '', 'OFFERS_AVAILABLE', 40000`, `'3', 'b', 'started', '', '', 0`,
		`'4', 'b', 'step', 'OFFERS_AVAILABLE', 'INQUIRY_CLOSED', 500000`, `'5', 'b', 'step', 'OTHER', 'OFFERS_AVAILABLE', 700`, `'6', 'd', 'adopted', '', '', 0`,
		`'7', 'b', 'step', '', 'OFFERS_AVAILABLE', 1000`,
	} {
		exec(`INSERT INTO lead_events (id, app_uuid, kind, step_from, step_to, stayed_ms, at, company, originator_uuid) VALUES (` + event + `, 1, 'B1', 'o1')`)
	}
	if err := SQLite.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	check := func(queries map[string]int) {
		t.Helper()
		for query, want := range queries {
			var got int
			if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
				t.Errorf("%s: got %d, %v, want %d", query, got, err, want)
			}
		}
	}
	const all = `originator_uuid = '*' AND state = '*' AND source = '*'`
	check(map[string]int{
		`SELECT inquiries FROM lead_cohorts WHERE company = 'B1' AND ` + all + ` AND month = '2026-09'`:                             1,
		`SELECT inquiries FROM lead_cohorts WHERE company = 'B1' AND ` + all + ` AND month = '2026-10'`:                             2,
		`SELECT inquiries FROM lead_cohorts WHERE company = 'B1' AND ` + all + ` AND month = '2026-08'`:                             1,
		`SELECT funded FROM lead_cohorts WHERE ` + all + ` AND month = '2026-09'`:                                                   1,
		`SELECT 10 * canceled + offers FROM lead_cohorts WHERE ` + all + ` AND month = '2026-10'`:                                   11,
		`SELECT closed FROM lead_cohorts WHERE originator_uuid = '' AND state = '' AND source = '' AND month = '2026-10'`:           1,
		`SELECT 10 * declined + app_declined FROM lead_cohorts WHERE state = 'ID' AND source = 'adopted' AND originator_uuid = '*'`: 11,
		`SELECT count(*) FROM leads WHERE source = 'portal'`:                                                                        2,
		`SELECT left_steps FROM leads WHERE app_uuid = 'b'`:                                                                         5,
		`SELECT sum(g0) * 100 + sum(g1) * 10 + sum(g4) FROM lead_stay_counts WHERE ` + all:                                          111,
		`SELECT sum(g1) FROM lead_stay_counts WHERE ` + all + ` AND step = 'UNKNOWN' AND month = '2026-09'`:                         1,
	})
	exec(`UPDATE leads SET originator_uuid = 'o3' WHERE app_uuid = 'b'`)
	exec(`INSERT INTO lead_events (id, app_uuid, kind, step_from, step_to, stayed_ms, at, company, originator_uuid) VALUES ('8', 'b', 'step', 'OFFERS_AVAILABLE', 'INQUIRY_CLOSED', 3000000, 2, 'B1', 'o3')`)
	exec(`DELETE FROM leads WHERE app_uuid = 'a'`)
	check(map[string]int{
		`SELECT sum(inquiries) FROM lead_cohorts WHERE ` + all:                                                                              3,
		`SELECT count(*) FROM lead_cohorts WHERE month = '2026-09'`:                                                                         0,
		`SELECT inquiries FROM lead_cohorts WHERE originator_uuid = 'o3' AND state = '*' AND source = '*'`:                                  1,
		`SELECT count(*) FROM lead_cohorts WHERE originator_uuid = 'o1'`:                                                                    0,
		`SELECT g7 FROM lead_stay_counts WHERE originator_uuid = 'o3' AND state = 'CO' AND source = 'portal' AND step = 'OFFERS_AVAILABLE'`: 1,
		`SELECT sum(g0) * 100 + sum(g4) * 10 + sum(g7) FROM lead_stay_counts WHERE ` + all:                                                  101,
		`SELECT count(*) FROM lead_stay_counts WHERE originator_uuid = 'o1'`:                                                                0,
	})
}
