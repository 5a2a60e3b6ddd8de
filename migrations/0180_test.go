package migrations

import "testing"

// TestDueHours_OlderDatabase_LeadsCounted opens a database of the version before, and changes its leads afterwards.
func TestDueHours_OlderDatabase_LeadsCounted(t *testing.T) {
	t.Parallel()
	db := newOlderDatabase(t, dueHoursVersion-1)
	db.addLeads("app_uuid, originator_uuid, lane, due_sort",
		`'a', 'o1', 'offers', 3600000`, `'b', 'o1', 'offers', 7199999`, `'c', 'o1', 'offers', 7200000`, `'d', 'o1', 'closing', 7200000`, `'e', 'o2', 'offers', 3600000`)
	db.update()
	db.want("updated", map[string]int{
		`SELECT n FROM due_hour_counts WHERE company = 'B1' AND originator_uuid = 'o1' AND lane = 'offers' AND due_hour = 1`: 2,
		`SELECT n FROM due_hour_counts WHERE originator_uuid = 'o1' AND lane = 'offers' AND due_hour = 2`:                    1,
		`SELECT n FROM due_hour_counts WHERE originator_uuid = 'o2'`:                                                         1,
		`SELECT count(*) FROM due_hour_counts`:                                                                               3,
	})
	db.exec(`UPDATE leads SET due_sort = 7200000 WHERE app_uuid = 'b'`)
	db.exec(`UPDATE leads SET lane = 'ended' WHERE app_uuid = 'c'`)
	db.exec(`UPDATE leads SET lane = 'offers' WHERE app_uuid = 'd'`)
	db.exec(`DELETE FROM leads WHERE app_uuid = 'e'`)
	db.want("changed", map[string]int{
		`SELECT n FROM due_hour_counts WHERE originator_uuid = 'o1' AND lane = 'offers' AND due_hour = 1`: 1,
		`SELECT n FROM due_hour_counts WHERE originator_uuid = 'o1' AND lane = 'offers' AND due_hour = 2`: 2,
		`SELECT count(*) FROM due_hour_counts`: 2,
	})
}
