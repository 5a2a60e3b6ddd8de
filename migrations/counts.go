package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

func createLeadCounts(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return createTriggers(ctx, tx, d, dueCount{"lead_counts", "company, originator_uuid, lane", "due_day", day}.triggers()...)
}

func createCompanyLeadCounts(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return createTriggers(ctx, tx, d, dueCount{"company_lead_counts", "company, lane", "due_day", day}.triggers()...)
}

func createDueHourCounts(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return createTriggers(ctx, tx, d, dueCount{"due_hour_counts", "company, originator_uuid, lane", "due_hour", time.Hour}.triggers()...)
}

const day = 24 * time.Hour

// dueCount is a table that counts leads in its column n by some of their columns and by when they are due, such as by the day.
// Where it is not the originator's move, the column has 0.
type dueCount struct {
	table, by, column string
	each              time.Duration // such as a day
}

// when returns the value of the column for a row of leads.
func (c dueCount) when(row string) string {
	return fmt.Sprintf(`CASE WHEN %s.lane IN ('today', 'offers') THEN %s.due_sort / %d ELSE 0 END`, row, row, c.each.Milliseconds())
}

// triggers keep the numbers equal to the leads. Every way to write a lead fires them.
func (c dueCount) triggers() []trigger {
	of := func(row string) string {
		return row + "." + strings.ReplaceAll(c.by, ", ", ", "+row+".") + `, ` + c.when(row)
	}
	columns, before, after := `(`+c.by+`, `+c.column+`)`, of("OLD"), of("NEW")
	count := `INSERT INTO ` + c.table + ` (` + c.by + `, ` + c.column + `, n) VALUES (` + after + `, 1) ON CONFLICT ` + columns + ` DO UPDATE SET n = ` + c.table + `.n + 1;`
	uncount := `UPDATE ` + c.table + ` SET n = n - 1 WHERE ` + columns + ` = (` + before + `); DELETE FROM ` + c.table + ` WHERE ` + columns + ` = (` + before + `) AND n <= 0;`
	return []trigger{
		{c.table + "_insert", "AFTER INSERT ON leads", "", count},
		{c.table + "_delete", "AFTER DELETE ON leads", "", uncount},
		{c.table + "_update", "AFTER UPDATE OF " + c.by + ", due_sort ON leads", `(` + before + `) <> (` + after + `)`, uncount + ` ` + count},
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

// leadCount is a table that counts leads in its column n by some of their columns.
type leadCount struct {
	table       string
	by          []string
	only        string   // which leads are counted, as a condition on the row @
	onlyColumns []string // the columns of only that are not in by
}

// triggers keep the numbers equal to the leads. Every way to write a lead fires them.
func (c leadCount) triggers() []trigger {
	columns := strings.Join(c.by, ", ")
	of := func(row string) string { return row + "." + strings.Join(c.by, ", "+row+".") }
	only := func(row string) string { return strings.ReplaceAll(c.only, "@", row) }
	count := `INSERT INTO ` + c.table + ` (` + columns + `, n) SELECT ` + of("NEW") + `, 1 WHERE ` + only("NEW") + ` ON CONFLICT (` + columns + `) DO UPDATE SET n = ` + c.table + `.n + 1;`
	uncount := `UPDATE ` + c.table + ` SET n = n - 1 WHERE (` + columns + `) = (` + of("OLD") + `) AND ` + only("OLD") + `;
		DELETE FROM ` + c.table + ` WHERE (` + columns + `) = (` + of("OLD") + `) AND n <= 0;`
	return []trigger{
		{c.table + "_insert", "AFTER INSERT ON leads", "", count},
		{c.table + "_delete", "AFTER DELETE ON leads", "", uncount},
		{
			c.table + "_update", "AFTER UPDATE OF " + strings.Join(append(c.by, c.onlyColumns...), ", ") + " ON leads",
			`(` + of("OLD") + `, ` + only("OLD") + `) <> (` + of("NEW") + `, ` + only("NEW") + `)`, uncount + ` ` + count,
		},
	}
}
