package migrations

import "testing"

// TestTeam_OlderDatabase_CountsAndDurations opens a database of the version before: its leads are counted, and the
// time that they spent at each step is known.
func TestTeam_OlderDatabase_CountsAndDurations(t *testing.T) {
	db := newOlderDatabase(t, teamVersion-1)
	db.addLeads("app_uuid, originator_uuid, lane, due_sort", `'a', 'o1', 'offers', 86400000`, `'b', 'o1', 'offers', 86400001`, `'c', '', 'offers', 5`, `'d', 'o1', 'ended', 900000000`)
	for _, event := range []string{`'1', 'a', 1000, 'started', '', ''`, `'2', 'a', 4000, 'step', '', 'ONE'`, `'3', 'a', 5000, 'again', 'ONE', 'ONE'`, `'4', 'a', 9000, 'step', 'ONE', 'TWO'`, `'5', 'b', 9000, 'step', 'ONE', 'TWO'`, `'6', 'a', 9500, 'note', '', ''`} {
		db.exec(`INSERT INTO lead_events (id, app_uuid, at, kind, step_from, step_to, originator_uuid) VALUES (` + event + `, 'o1')`)
	}
	db.update()
	db.want("updated", map[string]int{
		`SELECT sum(n) FROM lead_counts WHERE company = 'B1'`:                                        4,
		`SELECT n FROM lead_counts WHERE originator_uuid = 'o1' AND lane = 'offers' AND due_day = 1`: 2,
		`SELECT n FROM lead_counts WHERE originator_uuid = '' AND lane = 'offers' AND due_day = 0`:   1,
		`SELECT n FROM lead_counts WHERE lane = 'ended' AND due_day = 0`:                             1,
		`SELECT stayed_ms FROM lead_events WHERE id = '2' AND company = 'B1'`:                        3000,
		`SELECT stayed_ms FROM lead_events WHERE id = '4' AND company = 'B1'`:                        4000,
		`SELECT count(*) FROM lead_events WHERE stayed_ms <> 0`:                                      2,
		`SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'lead_counts_%'`:    3,
	})
}
