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

	"github.com/pressly/goose/v3"
)

// baseline is the schema of version baselineVersion. Versions before it were development steps;
// a database that took them one by one has the same schema.
//
//go:embed baseline.sql
var baseline string

const baselineVersion = 49

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
	))
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
