package migrations

import "testing"

// TestPeople_OlderDatabase_OpenLeadsCounted opens a database of the version before: its open leads are counted, and its
// licenses have no known expiration.
func TestPeople_OlderDatabase_OpenLeadsCounted(t *testing.T) {
	db := newOlderDatabase(t, peopleVersion-1)
	db.addLeads("app_uuid, originator_uuid, lane, due_sort", `'a', 'o1', 'today', 86400000`, `'b', 'o1', 'closing', 86400001`, `'c', '', 'offers', 5`, `'d', 'o1', 'ended', 900000000`)
	db.exec(`INSERT INTO licences (holder, state, party, may, at) VALUES ('o1', 'CO', 'originator', 1, 1)`)
	db.update()
	db.want("updated", map[string]int{
		`SELECT n FROM open_lead_counts WHERE company = 'B1' AND originator_uuid = 'o1'`: 2,
		`SELECT n FROM open_lead_counts WHERE company = 'B1' AND originator_uuid = ''`:   1,
		`SELECT count(*) FROM open_lead_counts`:                                          2,
		`SELECT count(*) FROM licences WHERE expires_on = ''`:                            1,
		`SELECT count(*) FROM absences`:                                                  0,
	})
}
