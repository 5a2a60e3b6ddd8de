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
var files embed.FS

// Up brings a SQLite database to the newest schema. It is safe to call at every start.
func Up(ctx context.Context, db *sql.DB) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithGoMigrations(
		goose.NewGoMigration(2, &goose.GoFunc{RunTx: appendOnlySQLite}, nil),
	), goose.WithAllowOutofOrder(true)) // files are independent, and a lower number may come later
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
