package migrations

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

func createLeadCounts(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return createTriggers(ctx, tx, d, dueCountTriggers("lead_counts", "company, originator_uuid, lane")...)
}

func createCompanyLeadCounts(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return createTriggers(ctx, tx, d, dueCountTriggers("company_lead_counts", "company, lane")...)
}

// dueCountTriggers keep the numbers in a table equal to the leads, which are counted by some of their columns and by
// the day on which they are due. Every way to write a lead fires them.
func dueCountTriggers(table, by string) []trigger {
	of := func(row string) string {
		return row + "." + strings.ReplaceAll(by, ", ", ", "+row+".") + `, CASE WHEN ` + row + `.lane IN ('today', 'offers') THEN ` + row + `.due_sort / 86400000 ELSE 0 END`
	}
	columns, before, after := `(`+by+`, due_day)`, of("OLD"), of("NEW")
	count := `INSERT INTO ` + table + ` (` + by + `, due_day, n) VALUES (` + after + `, 1) ON CONFLICT ` + columns + ` DO UPDATE SET n = ` + table + `.n + 1;`
	uncount := `UPDATE ` + table + ` SET n = n - 1 WHERE ` + columns + ` = (` + before + `); DELETE FROM ` + table + ` WHERE ` + columns + ` = (` + before + `) AND n <= 0;`
	return []trigger{
		{table + "_insert", "AFTER INSERT ON leads", "", count},
		{table + "_delete", "AFTER DELETE ON leads", "", uncount},
		{table + "_update", "AFTER UPDATE OF " + by + ", due_sort ON leads", `(` + before + `) <> (` + after + `)`, uncount + ` ` + count},
	}
}

func createOpenLeadCounts(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return createTriggers(ctx, tx, d, leadCount{
		table: "open_lead_counts", by: []string{"company", "originator_uuid"}, only: "@.lane <> 'ended'", onlyColumns: []string{"lane"},
	}.triggers()...)
}

func createLaneCounts(ctx context.Context, tx *sql.Tx, d Dialect) error {
	lanes := leadCount{table: "lane_counts", by: []string{"company", "originator_uuid", "lane"}, only: "1 = 1"}
	departed := leadCount{table: "departed_lead_counts", by: []string{"company", "left_by"}, only: "@.left_by <> '' AND @.lane <> 'ended'", onlyColumns: []string{"lane"}}
	return createTriggers(ctx, tx, d, append(lanes.triggers(), departed.triggers()...)...)
}

func createDueHourCounts(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return createTriggers(ctx, tx, d, leadCount{table: "due_hour_counts", by: []string{"company", "originator_uuid", "lane"}, dueHour: true, only: "@.lane IN ('today', 'offers')"}.triggers()...)
}

// leadCount is a table that counts leads in its column n by some of their columns.
type leadCount struct {
	table       string
	by          []string
	dueHour     bool     // also by the hour in which they are due, in the column due_hour
	only        string   // which leads are counted, as a condition on the row @
	onlyColumns []string // the columns of only that are not in by
}

// triggers keep the numbers equal to the leads. Every way to write a lead fires them.
func (c leadCount) triggers() []trigger {
	columns, read := strings.Join(c.by, ", "), slices.Concat(c.by, c.onlyColumns)
	if c.dueHour {
		columns, read = columns+", due_hour", append(read, "due_sort")
	}
	of := func(row string) string {
		values := row + "." + strings.Join(c.by, ", "+row+".")
		if c.dueHour {
			values += ", " + row + ".due_sort / 3600000"
		}
		return values
	}
	only := func(row string) string { return strings.ReplaceAll(c.only, "@", row) }
	count := `INSERT INTO ` + c.table + ` (` + columns + `, n) SELECT ` + of("NEW") + `, 1 WHERE ` + only("NEW") + ` ON CONFLICT (` + columns + `) DO UPDATE SET n = ` + c.table + `.n + 1;`
	uncount := `UPDATE ` + c.table + ` SET n = n - 1 WHERE (` + columns + `) = (` + of("OLD") + `) AND ` + only("OLD") + `;
		DELETE FROM ` + c.table + ` WHERE (` + columns + `) = (` + of("OLD") + `) AND n <= 0;`
	return []trigger{
		{c.table + "_insert", "AFTER INSERT ON leads", "", count},
		{c.table + "_delete", "AFTER DELETE ON leads", "", uncount},
		{
			c.table + "_update", "AFTER UPDATE OF " + strings.Join(read, ", ") + " ON leads",
			`(` + of("OLD") + `, ` + only("OLD") + `) <> (` + of("NEW") + `, ` + only("NEW") + `)`, uncount + ` ` + count,
		},
	}
}
