package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// DefaultZone is the time zone of a company that has not chosen one.
const DefaultZone = "America/New_York"

// StayEdges are the longest stays, in milliseconds, of the groups in which the time at a step is counted. One more group
// holds everything longer.
var StayEdges = []int64{
	30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 43_200_000,
	86_400_000, 129_600_000, 172_800_000, 259_200_000, 345_600_000, 432_000_000, 604_800_000, 864_000_000, 1_209_600_000, 1_814_400_000, 2_592_000_000, 5_184_000_000,
}

// stayColumn is the column that counts the stays of a group.
func stayColumn(group int) string { return fmt.Sprintf("g%d", group) }

// StayColumns lists the columns of lead_stay_counts that count stays, shortest first.
func StayColumns() []string {
	all := make([]string, len(StayEdges)+1)
	for i := range all {
		all[i] = stayColumn(i)
	}
	return all
}

func createReports(ctx context.Context, tx *sql.Tx, d Dialect) error {
	zone, err := time.LoadLocation(DefaultZone)
	if err != nil {
		return err
	}
	if err := SetStartDays(ctx, tx, d, "", zone); err != nil {
		return err
	}
	stays := StayColumns()
	table := `CREATE TABLE lead_stay_counts (company TEXT NOT NULL, originator_uuid TEXT NOT NULL, state TEXT NOT NULL, source TEXT NOT NULL, month TEXT NOT NULL, step TEXT NOT NULL, ` +
		strings.Join(stays, " BIGINT NOT NULL, ") + ` BIGINT NOT NULL, PRIMARY KEY (company, originator_uuid, state, source, month, step)) WITHOUT ROWID`
	err = create(ctx, tx,
		d.schema(table),
		`CREATE INDEX lead_stay_counts_originators ON lead_stay_counts (company, state, source, month, originator_uuid, step)`,
		`CREATE INDEX lead_stay_counts_states ON lead_stay_counts (company, originator_uuid, source, month, state, step)`,
		`INSERT INTO lead_cohorts (`+cohortKeys+`, `+strings.Join(cohortColumns(), ", ")+`) `+cohortsQuery(),
		`INSERT INTO lead_stay_counts (`+cohortKeys+`, step, `+strings.Join(stays, ", ")+`) `+stayCountsQuery(),
	)
	if err != nil {
		return err
	}
	return createTriggers(ctx, tx, d, reportTriggers()...)
}

// Execer runs a statement, in a transaction or outside one.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// SetStartDays computes again, in a time zone, on which days the leads of a company started; an empty company means
// all. A lead that was started elsewhere has the lender's day, if the lender gave one.
func SetStartDays(ctx context.Context, db Execer, d Dialect, company string, zone *time.Location) error {
	if _, err := db.ExecContext(ctx, d.rebind(`UPDATE leads SET started_on = created_date WHERE (? = '' OR company = ?) AND source NOT IN ('portal', 'crm') AND created_date <> '' AND started_on <> created_date`), company, company); err != nil {
		return err
	}
	// Each period with one offset from UTC is one statement.
	const days = 24 * time.Hour
	for from, end := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Now().Add(2*days); from.Before(end); {
		to := samePeriodUntil(from, zone, end)
		_, offset := from.In(zone).Zone()
		day := d.Day(fmt.Sprintf(`created_at / 1000 + (%d)`, offset))
		if _, err := db.ExecContext(ctx, d.rebind(`UPDATE leads SET started_on = `+day+` WHERE (? = '' OR company = ?) AND created_at >= ? AND created_at < ?
			AND (source IN ('portal', 'crm') OR created_date = '') AND started_on <> `+day), company, company, from.UnixMilli(), to.UnixMilli()); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// samePeriodUntil returns an instant after from, and at most end, until which the zone has one offset from UTC.
func samePeriodUntil(from time.Time, zone *time.Location, end time.Time) time.Time {
	_, to := from.In(zone).ZoneBounds()
	if !to.IsZero() && !to.After(from) {
		// For a zone whose later changes are a rule, as in the data within the program, the last day of a leap year has no
		// end that is after it: Go takes each year for 365 days there. No zone changes its clocks on that day in UTC.
		to = from.Add(24 * time.Hour)
	}
	if to.IsZero() || to.After(end) {
		to = end
	}
	return to
}

const cohortKeys = `company, originator_uuid, state, source, month`

// axisKeys are the keys under which a lead is counted, in a statement that joins report_axes as a.
func axisKeys(row string) string {
	return strings.ReplaceAll(`@.company, CASE a.of_originator WHEN 1 THEN @.originator_uuid ELSE '*' END, CASE a.of_state WHEN 1 THEN @.state ELSE '*' END,
		CASE a.of_source WHEN 1 THEN @.source ELSE '*' END, substr(@.started_on, 1, 7)`, "@", row)
}

func cohortColumns() []string {
	return []string{"inquiries", "offers", "selected", "applications", "funded", "declined", "withdrawn", "canceled", "expired", "closed", "app_declined", "app_withdrawn", "app_canceled", "app_expired"}
}

// cohortCounts are the values with which a lead is counted in cohortColumns; sign is -1 to undo that.
func cohortCounts(row string, sign int) []string {
	conditions := []string{"1 = 1", "@.reached >= 1", "@.reached >= 2", "@.reached >= 3", "@.reached >= 4"}
	for _, outcome := range []string{"declined", "withdrawn", "canceled", "expired", "closed"} {
		conditions = append(conditions, "@.outcome = '"+outcome+"'")
	}
	for _, outcome := range []string{"declined", "withdrawn", "canceled", "expired"} {
		conditions = append(conditions, "@.outcome = '"+outcome+"' AND @.reached >= 3")
	}
	return counted(conditions, row, sign)
}

// stayCounts are the values with which a stay is counted in StayColumns.
func stayCounts(row string, sign int) []string {
	var conditions []string
	for i := range len(StayEdges) + 1 {
		condition := "1 = 1"
		if i > 0 {
			condition = fmt.Sprintf("@.ms > %d", StayEdges[i-1])
		}
		if i < len(StayEdges) {
			condition += fmt.Sprintf(" AND @.ms <= %d", StayEdges[i])
		}
		conditions = append(conditions, condition)
	}
	return counted(conditions, row, sign)
}

func counted(conditions []string, row string, sign int) []string {
	all := make([]string, len(conditions))
	for i, condition := range conditions {
		all[i] = fmt.Sprintf("CASE WHEN %s THEN %d ELSE 0 END", strings.ReplaceAll(condition, "@", row), sign)
	}
	return all
}

func sums(expressions []string) string { return "sum(" + strings.Join(expressions, "), sum(") + ")" }

// added is the end of a statement that adds to rows of a table that exist.
func added(table, keys string, columns []string) string {
	set := make([]string, len(columns))
	for i, c := range columns {
		set[i] = c + " = " + table + "." + c + " + excluded." + c
	}
	return ` ON CONFLICT (` + keys + `) DO UPDATE SET ` + strings.Join(set, ", ") + `;`
}

// reportTriggers keep the counts of reports equal to the leads. Every way to write a lead or an event fires them.
func reportTriggers() []trigger {
	count := func(row string, sign int) string {
		return `INSERT INTO lead_cohorts (` + cohortKeys + `, ` + strings.Join(cohortColumns(), ", ") + `) SELECT ` + axisKeys(row) + `, ` + strings.Join(cohortCounts(row, sign), ", ") +
			` FROM report_axes a WHERE 1 = 1` + added("lead_cohorts", cohortKeys, cohortColumns())
	}
	// count the stays that from and where select, of a lead that row names, with the step and the duration of stay.
	stays := func(row, stay, from, where string, sign int) string {
		return `INSERT INTO lead_stay_counts (` + cohortKeys + `, step, ` + strings.Join(StayColumns(), ", ") + `) SELECT ` + axisKeys(row) + `, ` + stay + `.step, ` +
			strings.Join(stayCounts(stay, sign), ", ") + ` FROM ` + from + `, report_axes a WHERE ` + where + added("lead_stay_counts", cohortKeys+", step", StayColumns())
	}
	all := func(row string, sign int) string {
		return stays(row, "t", `lead_stays t`, `t.app_uuid = `+row+`.app_uuid`, sign)
	}
	one := func(stay string, sign int) string {
		return stays("l", stay, `leads l`, `l.app_uuid = `+stay+`.app_uuid`, sign)
	}
	const gone = `DELETE FROM lead_cohorts WHERE company = OLD.company AND originator_uuid IN ('*', OLD.originator_uuid) AND state IN ('*', OLD.state) AND source IN ('*', OLD.source)
		AND month = substr(OLD.started_on, 1, 7) AND inquiries = 0;`
	none := strings.Join(StayColumns(), " = 0 AND ") + " = 0"
	goneStays := `DELETE FROM lead_stay_counts WHERE company = OLD.company AND originator_uuid IN ('*', OLD.originator_uuid) AND state IN ('*', OLD.state) AND source IN ('*', OLD.source)
		AND month = substr(OLD.started_on, 1, 7) AND ` + none + `;`
	const keys = `company, originator_uuid, state, source, started_on`
	of := func(row, columns string) string {
		return `(` + row + `.` + strings.ReplaceAll(columns, ", ", ", "+row+".") + `)`
	}
	changed := func(columns string) string { return of("OLD", columns) + ` <> ` + of("NEW", columns) }
	return []trigger{
		{"lead_cohorts_insert", "AFTER INSERT ON leads", "", count("NEW", 1)},
		{"lead_cohorts_delete", "BEFORE DELETE ON leads", "", all("OLD", -1) + goneStays + count("OLD", -1) + gone},
		{"lead_cohorts_update", "AFTER UPDATE OF " + keys + ", reached, outcome ON leads", changed(keys + ", reached, outcome"), count("OLD", -1) + count("NEW", 1) + gone},
		{"lead_stays_move", "AFTER UPDATE OF " + keys + " ON leads", changed(keys), all("OLD", -1) + all("NEW", 1) + goneStays},
		{"lead_stays_insert", "AFTER INSERT ON lead_stays", "", one("NEW", 1)},
		{"lead_stays_update", "AFTER UPDATE OF ms ON lead_stays", "OLD.ms <> NEW.ms", one("OLD", -1) + one("NEW", 1)},
		{"lead_events_stay", "AFTER INSERT ON lead_events", "NEW.stayed_ms > 0", `
			INSERT INTO lead_stays (app_uuid, step, ms) SELECT NEW.app_uuid, s.step, NEW.stayed_ms FROM report_steps s WHERE s.step = CASE NEW.step_from WHEN '' THEN 'UNKNOWN' ELSE NEW.step_from END
				ON CONFLICT (app_uuid, step) DO UPDATE SET ms = lead_stays.ms + excluded.ms;
			UPDATE leads SET left_steps = left_steps | (SELECT bit FROM report_steps WHERE step = CASE NEW.step_from WHEN '' THEN 'UNKNOWN' ELSE NEW.step_from END)
				WHERE app_uuid = NEW.app_uuid AND NEW.step_from IN (SELECT '' UNION ALL SELECT step FROM report_steps);`},
	}
}
