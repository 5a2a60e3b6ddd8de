// Package migrations holds the schema, numbered and embedded, as portable SQL for
// both databases. Instants are BIGINT milliseconds since 1970, calendar days TEXT
// YYYY-MM-DD, booleans INTEGER 0 or 1, sealed columns BLOB. What must differ between
// the databases (triggers that keep the audit append-only) is a Go migration.
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

// Up brings a SQLite database to the newest schema. It is safe to call at every start.
func Up(ctx context.Context, db *sql.DB) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, db, sqlFiles, goose.WithGoMigrations(
		goose.NewGoMigration(2, &goose.GoFunc{RunTx: appendOnlySQLite}, nil),
		goose.NewGoMigration(34, &goose.GoFunc{RunTx: retentionDeletesSQLite}, nil),
	), goose.WithAllowOutofOrder(true)) // sqlFiles are independent, and a lower number may come later
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}

// appendOnlySQLite refuses every change of a written audit row. INSERT OR REPLACE
// would slip past without recursive triggers, which the connection turns on.
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

// retentionDeletesSQLite lets rows go that lie at or before the audit's base, and no other. The base
// moves forward alone, and nothing is written behind it.
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
