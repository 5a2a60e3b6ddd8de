package migrations

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
)

// SQLite is the dialect of SQLite, in which the files are written.
var SQLite Dialect = sqlite{}

type sqlite struct{}

func (sqlite) schema(text string) string { return text }

func (sqlite) trigger(t trigger) string {
	when := ""
	if t.when != "" {
		when = ` WHEN ` + t.when
	}
	return `CREATE TRIGGER ` + t.name + ` ` + t.on + when + ` BEGIN ` + t.do + ` END`
}

// INSERT OR REPLACE would bypass a guard against deleting, were it not for the recursive triggers that every connection
// turns on.
func (d sqlite) guard(g guard) string {
	return d.trigger(trigger{g.name, g.on, g.when, `SELECT RAISE(ABORT, '` + g.message + `');`})
}

func (sqlite) rebind(statement string) string { return statement }

func (sqlite) Day(seconds string) string { return `date(` + seconds + `, 'unixepoch')` }

func (sqlite) HasTable() string {
	return `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?`
}

func (sqlite) waitForWriters() string { return "" }

func (d sqlite) Up(ctx context.Context, db *sql.DB) error { return d.upTo(ctx, db, newest) }

func (d sqlite) upTo(ctx context.Context, db *sql.DB, last int64) error {
	if err := d.checkNotTooOld(ctx, db); err != nil {
		return err
	}
	p, err := provider(goose.DialectSQLite3, db, d, last)
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}

// checkNotTooOld refuses a database that has tables but not all development steps.
func (d sqlite) checkNotTooOld(ctx context.Context, db *sql.DB) error {
	var tables, current int
	if err := db.QueryRowContext(ctx, d.HasTable(), "leads").Scan(&tables); err != nil {
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
