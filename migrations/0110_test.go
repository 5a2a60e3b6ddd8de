package migrations

import "testing"

// TestReports_OlderDatabase_Counted opens a database of the version before: what reports count is known as far as the
// database says, and later changes are counted too.
func TestReports_OlderDatabase_Counted(t *testing.T) {
	db := newOlderDatabase(t, reportsVersion-1)
	// 1790812800000 is midnight UTC on October 1, 2026, which is September 30 in New York.
	for _, lead := range []string{
		`'a', 'o1', 'CO', 'funded', 'INQUIRY_COMPLETE', 1, 0, '2026-01-05', 1790812800000`,
		`'b', 'o1', 'CO', 'cancelled', 'INQUIRY_CLOSED', 0, 0, '', 1790899200000`,
		`'c', '', '', 'no-offers', 'NO_OFFERS', 0, 5, '', 1790899200000`,
		`'d', 'o2', 'ID', 'declined', 'INQUIRY_WITHDRAWN', 1, 0, '2026-08-31', 1790899200000`,
	} {
		db.exec(`INSERT INTO leads (app_uuid, originator_uuid, state, stand, step, converted, set_aside_at, created_date, created_at, lane, due_sort, company, step_since, mover, turns_at, changed_at, refresh_at)
			VALUES (` + lead + `, 'ended', 1, 'B1', 1, '', 1, 1, 1)`)
	}
	for _, event := range []string{
		`'1', 'a', 'started', '', '', 0`, `'2', 'a', 'step', '', 'OFFERS_AVAILABLE', 40000`, `'3', 'b', 'started', '', '', 0`,
		`'4', 'b', 'step', 'OFFERS_AVAILABLE', 'INQUIRY_CLOSED', 500000`, `'5', 'b', 'step', 'OTHER', 'OFFERS_AVAILABLE', 700`, `'6', 'd', 'adopted', '', '', 0`,
		`'7', 'b', 'step', '', 'OFFERS_AVAILABLE', 1000`,
	} {
		db.exec(`INSERT INTO lead_events (id, app_uuid, kind, step_from, step_to, stayed_ms, at, company, originator_uuid) VALUES (` + event + `, 1, 'B1', 'o1')`)
	}
	db.update()
	const all = `originator_uuid = '*' AND state = '*' AND source = '*'`
	db.want("updated", map[string]int{
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
	db.exec(`UPDATE leads SET originator_uuid = 'o3' WHERE app_uuid = 'b'`)
	db.exec(`INSERT INTO lead_events (id, app_uuid, kind, step_from, step_to, stayed_ms, at, company, originator_uuid) VALUES ('8', 'b', 'step', 'OFFERS_AVAILABLE', 'INQUIRY_CLOSED', 3000000, 2, 'B1', 'o3')`)
	db.exec(`DELETE FROM leads WHERE app_uuid = 'a'`)
	db.want("changed", map[string]int{
		`SELECT sum(inquiries) FROM lead_cohorts WHERE ` + all:                                                                              3,
		`SELECT count(*) FROM lead_cohorts WHERE month = '2026-09'`:                                                                         0,
		`SELECT inquiries FROM lead_cohorts WHERE originator_uuid = 'o3' AND state = '*' AND source = '*'`:                                  1,
		`SELECT count(*) FROM lead_cohorts WHERE originator_uuid = 'o1'`:                                                                    0,
		`SELECT g7 FROM lead_stay_counts WHERE originator_uuid = 'o3' AND state = 'CO' AND source = 'portal' AND step = 'OFFERS_AVAILABLE'`: 1,
		`SELECT sum(g0) * 100 + sum(g4) * 10 + sum(g7) FROM lead_stay_counts WHERE ` + all:                                                  101,
		`SELECT count(*) FROM lead_stay_counts WHERE originator_uuid = 'o1'`:                                                                0,
	})
}
