package migrations

import (
	"context"
	"database/sql"
	_ "embed"
	"strings"
)

// counts is the schema of version countsVersion.
//
//go:embed counts.sql
var counts string

const countsVersion = 130

func createCounts(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, counts); err != nil {
		return err
	}
	if err := (leadCount{table: "lane_counts", by: []string{"company", "originator_uuid", "lane"}}).createTriggers(ctx, tx); err != nil {
		return err
	}
	return leadCount{
		table: "departed_lead_counts", by: []string{"company", "left_by"}, only: "@.left_by <> '' AND @.lane <> 'ended'", onlyColumns: []string{"lane"},
	}.createTriggers(ctx, tx)
}

// leadCount is a table that counts leads in its column n by some of their columns.
type leadCount struct {
	table       string
	by          []string
	only        string   // which leads are counted, as a condition on the row @; empty for all
	onlyColumns []string // the columns of only that are not in by
}

// createTriggers keeps the numbers equal to the leads. Every way to write a lead fires them.
func (c leadCount) createTriggers(ctx context.Context, tx *sql.Tx) error {
	if c.only == "" {
		c.only = "1 = 1"
	}
	columns := strings.Join(c.by, ", ")
	of := func(row string) string { return row + "." + strings.Join(c.by, ", "+row+".") }
	only := func(row string) string { return strings.ReplaceAll(c.only, "@", row) }
	count := `INSERT INTO ` + c.table + ` (` + columns + `, n) SELECT ` + of("NEW") + `, 1 WHERE ` + only("NEW") + ` ON CONFLICT (` + columns + `) DO UPDATE SET n = n + 1;`
	uncount := `UPDATE ` + c.table + ` SET n = n - 1 WHERE (` + columns + `) = (` + of("OLD") + `) AND ` + only("OLD") + `;
		DELETE FROM ` + c.table + ` WHERE (` + columns + `) = (` + of("OLD") + `) AND n <= 0;`
	for _, statement := range []string{
		`CREATE TRIGGER ` + c.table + `_insert AFTER INSERT ON leads BEGIN ` + count + ` END`,
		`CREATE TRIGGER ` + c.table + `_delete AFTER DELETE ON leads BEGIN ` + uncount + ` END`,
		`CREATE TRIGGER ` + c.table + `_update AFTER UPDATE OF ` + strings.Join(append(c.by, c.onlyColumns...), ", ") + ` ON leads
			WHEN (` + of("OLD") + `, ` + only("OLD") + `) <> (` + of("NEW") + `, ` + only("NEW") + `) BEGIN ` + uncount + ` ` + count + ` END`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
