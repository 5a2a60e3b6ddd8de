package migrations

import "testing"

// TestCounts_OlderDatabase_LeadsCounted opens a database of the version before, and changes a lead afterwards.
func TestCounts_OlderDatabase_LeadsCounted(t *testing.T) {
	t.Parallel()
	db := newOlderDatabase(t, countsVersion-1)
	db.addLeads("app_uuid, originator_uuid, left_by, lane, due_sort",
		`'a', 'o1', '', 'today', 86400000`, `'b', 'o1', '', 'today', 946080000000`, `'c', 'o1', '', 'closing', 5`,
		`'d', '', 'o2', 'today', 5`, `'e', '', 'o2', 'ended', 5`, `'f', '', '', 'today', 5`,
	)
	db.update()
	db.want("opened", map[string]int{
		`SELECT n FROM lane_counts WHERE company = 'B1' AND originator_uuid = 'o1' AND lane = 'blocked'`: 2,
		`SELECT n FROM lane_counts WHERE originator_uuid = 'o1' AND lane = 'closing'`:                    1,
		`SELECT n FROM lane_counts WHERE originator_uuid = '' AND lane = 'blocked'`:                      2,
		`SELECT count(*) FROM lane_counts`:                                                               4,
		`SELECT n FROM departed_lead_counts WHERE company = 'B1' AND left_by = 'o2'`:                     1,
		`SELECT count(*) FROM departed_lead_counts`:                                                      1,
	})
	db.exec(`UPDATE leads SET originator_uuid = 'o1', left_by = '' WHERE app_uuid = 'd'`)
	db.want("assigned", map[string]int{
		`SELECT n FROM lane_counts WHERE originator_uuid = 'o1' AND lane = 'blocked'`: 3,
		`SELECT n FROM lane_counts WHERE originator_uuid = '' AND lane = 'blocked'`:   1,
		`SELECT count(*) FROM departed_lead_counts`:                                   0,
	})
}
