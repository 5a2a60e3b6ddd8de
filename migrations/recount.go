package migrations

import "strings"

// CountStatements returns the statements that compute every count of leads again from the leads and their events, in
// order: what the triggers have counted if every row was written while they existed. They are for rows that were
// written without the triggers, because one statement for each table takes a fraction of the time. The revisions only have to change.
func CountStatements() []string {
	const day = `CASE WHEN lane IN ('today', 'offers') THEN due_sort / 86400000 ELSE 0 END`
	stays := StayColumns()
	statements := []string{
		`DELETE FROM lead_stays`,
		`INSERT INTO lead_stays (app_uuid, step, ms) SELECT e.app_uuid, s.step, sum(e.stayed_ms)
			FROM lead_events e JOIN report_steps s ON s.step = CASE e.step_from WHEN '' THEN 'UNKNOWN' ELSE e.step_from END WHERE e.stayed_ms > 0 GROUP BY 1, 2`,
		`UPDATE leads SET left_steps = (SELECT coalesce(sum(s.bit), 0) FROM lead_stays t JOIN report_steps s ON s.step = t.step WHERE t.app_uuid = leads.app_uuid)`,
	}
	for _, c := range []struct{ table, columns, query string }{
		{"lead_counts", "company, originator_uuid, lane, due_day, n", `SELECT company, originator_uuid, lane, ` + day + `, count(*) FROM leads GROUP BY 1, 2, 3, 4`},
		{"due_hour_counts", "company, originator_uuid, lane, due_hour, n", `SELECT company, originator_uuid, lane, due_sort / 3600000, count(*) FROM leads WHERE lane IN ('today', 'offers') GROUP BY 1, 2, 3, 4`},
		{"company_lead_counts", "company, lane, due_day, n", `SELECT company, lane, due_day, sum(n) FROM lead_counts GROUP BY 1, 2, 3`},
		{"lane_counts", "company, originator_uuid, lane, n", `SELECT company, originator_uuid, lane, sum(n) FROM lead_counts GROUP BY 1, 2, 3`},
		{"open_lead_counts", "company, originator_uuid, n", `SELECT company, originator_uuid, sum(n) FROM lead_counts WHERE lane <> 'ended' GROUP BY 1, 2`},
		{"departed_lead_counts", "company, left_by, n", `SELECT company, left_by, count(*) FROM leads WHERE left_by <> '' AND lane <> 'ended' GROUP BY 1, 2`},
		{"lead_cohorts", cohortKeys + ", " + strings.Join(cohortColumns(), ", "), cohortsQuery()},
		{"lead_stay_counts", cohortKeys + ", step, " + strings.Join(stays, ", "), stayCountsQuery()},
		{"lead_revisions", "company, originator_uuid, n", `SELECT company, originator_uuid, sum(n) FROM lead_counts GROUP BY 1, 2`},
	} {
		statements = append(statements, `DELETE FROM `+c.table, `INSERT INTO `+c.table+` (`+c.columns+`) `+c.query)
	}
	return statements
}

func cohortsQuery() string {
	return `SELECT ` + axisKeys("l") + `, ` + sums(cohortCounts("l", 1)) + ` FROM leads l, report_axes a GROUP BY 1, 2, 3, 4, 5`
}

func stayCountsQuery() string {
	return `SELECT ` + axisKeys("l") + `, t.step, ` + sums(stayCounts("t", 1)) + ` FROM lead_stays t JOIN leads l ON l.app_uuid = t.app_uuid, report_axes a GROUP BY 1, 2, 3, 4, 5, 6`
}
