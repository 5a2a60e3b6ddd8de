package migrations

import "testing"

// TestYourMove_OlderDatabase_LanesWithoutToday opens a database in which a lead to follow up with was in the lane of Today.
func TestYourMove_OlderDatabase_LanesWithoutToday(t *testing.T) {
	t.Parallel()
	db := newOlderDatabase(t, 180)
	db.addLeads("app_uuid, originator_uuid, due_sort, lane", `'blocked', 'o1', 1, 'today'`, `'borrower', 'o1', 1, 'today'`, `'lender', 'o1', 1, 'today'`,
		`'closing', 'o1', 1, 'today'`, `'ended', 'o1', 1, 'today'`, `'offers', 'o1', 1, 'offers'`)
	for lane, status := range map[string]string{"borrower": "chase-documents", "lender": "in-progress", "closing": "signing", "ended": "funded"} {
		db.exec(`UPDATE leads SET stand = ? WHERE app_uuid = ?`, status, lane)
	}
	db.exec(`UPDATE leads SET turns_at = 9`)
	db.update()
	db.want("updated", map[string]int{
		`SELECT count(*) FROM leads WHERE lane = app_uuid`:                             6,
		`SELECT count(*) FROM leads WHERE turns_at = 1`:                                5,
		`SELECT n FROM lane_counts WHERE originator_uuid = 'o1' AND lane = 'borrower'`: 1,
		`SELECT count(*) FROM lane_counts WHERE lane = 'today'`:                        0,
	})
}
