// Package migrations holds the schema as portable SQL: a baseline, and numbered files that follow
// it. Instants are BIGINT milliseconds since 1970, calendar days TEXT YYYY-MM-DD, booleans INTEGER 0 or 1,
// encrypted columns BLOB. What differs between databases (triggers) is in Go.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"strings"

	"github.com/pressly/goose/v3"
)

// baseline is the schema of version baselineVersion. Versions before it were development steps;
// a database that took them one by one has the same schema.
//
//go:embed baseline.sql
var baseline string

const baselineVersion = 49

// team is the schema of version teamVersion.
//
//go:embed team.sql
var team string

const teamVersion = 80

// people is the schema of version peopleVersion.
//
//go:embed people.sql
var people string

const peopleVersion = 101

//go:embed 0*.sql
var files embed.FS

// errTooOld is returned for a database from before the baseline.
var errTooOld = errors.New("migrations: this database was made by a development version that can no longer be updated")

// Up brings a SQLite database to the newest schema. It is safe to call at every start.
func Up(ctx context.Context, db *sql.DB) error {
	if err := checkNotTooOld(ctx, db); err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithGoMigrations(
		goose.NewGoMigration(baselineVersion, &goose.GoFunc{RunTx: createBaseline}, nil),
		goose.NewGoMigration(teamVersion, &goose.GoFunc{RunTx: createTeam}, nil),
		goose.NewGoMigration(peopleVersion, &goose.GoFunc{RunTx: createPeople}, nil),
		goose.NewGoMigration(reportsVersion, &goose.GoFunc{RunTx: createReports}, nil),
		goose.NewGoMigration(listsVersion, &goose.GoFunc{RunTx: createLists}, nil),
		goose.NewGoMigration(countsVersion, &goose.GoFunc{RunTx: createCounts}, nil),
	), goose.WithAllowOutofOrder(true)) // two numbers can be written at the same time, and a build can have only the later one
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}

// checkNotTooOld refuses a database that has tables but not all development steps.
func checkNotTooOld(ctx context.Context, db *sql.DB) error {
	var tables, current int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'leads'`).Scan(&tables); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if tables == 0 {
		return nil
	}
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM goose_db_version WHERE version_id = ?`, baselineVersion).Scan(&current); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if current == 0 {
		return errTooOld
	}
	return nil
}

func createBaseline(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, baseline); err != nil {
		return err
	}
	return createAuditTriggers(ctx, tx)
}

// createAuditTriggers makes the audit append-only. Rows may be deleted only up to the audit's base,
// which only moves forward, and none is inserted behind it. INSERT OR REPLACE would bypass these
// triggers without recursive triggers, which every connection turns on.
func createAuditTriggers(ctx context.Context, tx *sql.Tx) error {
	const base = `coalesce((SELECT max(seq) FROM audit_base), 0)`
	for _, statement := range []string{
		`CREATE TRIGGER audit_no_UPDATE BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
		`CREATE TRIGGER audit_no_DELETE BEFORE DELETE ON audit WHEN OLD.seq > ` + base + ` BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
		`CREATE TRIGGER audit_no_INSERT BEFORE INSERT ON audit WHEN NEW.seq <= ` + base + ` BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
		`CREATE TRIGGER audit_base_no_DELETE BEFORE DELETE ON audit_base BEGIN SELECT RAISE(ABORT, 'the base of the audit stays'); END`,
		`CREATE TRIGGER audit_base_forward BEFORE UPDATE ON audit_base WHEN NEW.seq <= OLD.seq BEGIN SELECT RAISE(ABORT, 'the base of the audit moves forward'); END`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

func createTeam(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, team); err != nil {
		return err
	}
	return createCountTriggers(ctx, tx, "lead_counts", "company, originator_uuid, lane")
}

// createCountTriggers keeps the numbers in a table equal to the leads, which are counted by some of their columns and by
// the day on which they are due. Every way to write a lead fires them.
func createCountTriggers(ctx context.Context, tx *sql.Tx, table, by string) error {
	of := func(row string) string {
		return row + "." + strings.ReplaceAll(by, ", ", ", "+row+".") + `, CASE WHEN ` + row + `.lane IN ('today', 'offers') THEN ` + row + `.due_sort / 86400000 ELSE 0 END`
	}
	columns, before, after := `(`+by+`, due_day)`, of("OLD"), of("NEW")
	count := `INSERT INTO ` + table + ` (` + by + `, due_day, n) VALUES (` + after + `, 1) ON CONFLICT ` + columns + ` DO UPDATE SET n = n + 1;`
	uncount := `UPDATE ` + table + ` SET n = n - 1 WHERE ` + columns + ` = (` + before + `); DELETE FROM ` + table + ` WHERE ` + columns + ` = (` + before + `) AND n <= 0;`
	for _, statement := range []string{
		`CREATE TRIGGER ` + table + `_insert AFTER INSERT ON leads BEGIN ` + count + ` END`,
		`CREATE TRIGGER ` + table + `_delete AFTER DELETE ON leads BEGIN ` + uncount + ` END`,
		`CREATE TRIGGER ` + table + `_update AFTER UPDATE OF ` + by + `, due_sort ON leads WHEN (` + before + `) <> (` + after + `) BEGIN ` + uncount + ` ` + count + ` END`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

func createPeople(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, people); err != nil {
		return err
	}
	return leadCount{
		table: "open_lead_counts", by: []string{"company", "originator_uuid"}, only: "@.lane <> 'ended'", onlyColumns: []string{"lane"},
	}.createTriggers(ctx, tx)
}
