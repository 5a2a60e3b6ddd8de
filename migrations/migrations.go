// Package migrations contains the schema as numbered, embedded, portable SQL for both databases. Instants are
// BIGINT milliseconds since 1970, calendar days TEXT YYYY-MM-DD, booleans INTEGER 0 or 1, encrypted columns
// BLOB. What must differ between the databases (triggers that make the audit append-only) is a Go migration.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"

	"github.com/pressly/goose/v3"
)

//go:embed *.sql
var sqlFiles embed.FS

// Up migrates a SQLite database to the newest schema. It is safe to call at every start.
func Up(ctx context.Context, db *sql.DB) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, db, sqlFiles, goose.WithGoMigrations(
		goose.NewGoMigration(2, &goose.GoFunc{RunTx: appendOnlySQLite}, nil),
		goose.NewGoMigration(34, &goose.GoFunc{RunTx: retentionDeletesSQLite}, nil),
	), goose.WithAllowOutofOrder(true)) // the files are independent, and a lower number may be added later
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}

// appendOnlySQLite rejects every change to a written audit row. INSERT OR REPLACE would bypass it without
// recursive triggers, which the connection enables.
func appendOnlySQLite(ctx context.Context, tx *sql.Tx) error {
	for _, act := range []string{"UPDATE", "DELETE"} {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(
			`CREATE TRIGGER audit_no_%s BEFORE %s ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`, act, act))
		if err != nil {
			return err
		}
	}
	return nil
}

// retentionDeletesSQLite allows deleting rows at or before the audit's base, and no others. The base only
// moves forward, and nothing is inserted before it.
func retentionDeletesSQLite(ctx context.Context, tx *sql.Tx) error {
	const base = `coalesce((SELECT max(seq) FROM audit_base), 0)`
	for _, statement := range []string{
		`DROP TRIGGER audit_no_DELETE`,
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
