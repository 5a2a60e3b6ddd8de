package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Postgres is the dialect of PostgreSQL.
var Postgres Dialect = postgres{}

type postgres struct{}

// types are the types of columns, and what only SQLite knows. Text is compared by its bytes, as in SQLite: pages are read
// by key, and another order on another machine would skip rows.
var types = []struct {
	sqlite   *regexp.Regexp
	postgres string
}{
	{regexp.MustCompile(`\bTEXT\b`), `TEXT COLLATE "C"`},
	{regexp.MustCompile(`\bBLOB\b`), `BYTEA`},
	{regexp.MustCompile(`\bINTEGER\b`), `BIGINT`},
	{regexp.MustCompile(`\) WITHOUT ROWID`), `)`},
}

func (postgres) schema(text string) string {
	for _, t := range types {
		text = t.sqlite.ReplaceAllString(text, t.postgres)
	}
	return text
}

func (postgres) trigger(t trigger) string {
	when, result := "", "NEW"
	if t.when != "" {
		when = ` WHEN (` + t.when + `)`
	}
	if strings.Contains(t.on, " DELETE ") {
		result = "OLD"
	}
	return `CREATE FUNCTION ` + t.name + `() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN ` + t.do + ` RETURN ` + result + `; END $body$;
		CREATE TRIGGER ` + t.name + ` ` + t.on + ` FOR EACH ROW` + when + ` EXECUTE FUNCTION ` + t.name + `()`
}

// A guard's condition is in the function, because conditions of triggers may not read tables. Tables that may not lose
// rows may not be truncated either.
func (d postgres) guard(g guard) string {
	refuse := `RAISE EXCEPTION '` + g.message + `';`
	if g.when != "" {
		refuse = `IF ` + g.when + ` THEN ` + refuse + ` END IF;`
	}
	created := d.trigger(trigger{name: g.name, on: g.on, do: refuse})
	if _, table, deletes := strings.Cut(g.on, " DELETE ON "); deletes {
		created += `; CREATE FUNCTION ` + g.name + `_all() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN RAISE EXCEPTION '` + g.message + `'; END $body$;
			CREATE TRIGGER ` + g.name + `_all BEFORE TRUNCATE ON ` + table + ` EXECUTE FUNCTION ` + g.name + `_all()`
	}
	return created
}

func (postgres) rebind(statement string) string { return sqlx.Rebind(sqlx.DOLLAR, statement) }

func (postgres) Day(seconds string) string {
	return `to_char(to_timestamp(` + seconds + `) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
}

// WritersLock is the number of the advisory lock that every writing transaction holds on PostgreSQL.
const WritersLock = 0x6865617274686c69

func (postgres) waitForWriters() string {
	return fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d)`, WritersLock)
}

func (postgres) HasTable() string {
	return `SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ?`
}

// Up holds a lock, so that of several processes that start at once one migrates and the others wait.
func (d postgres) Up(ctx context.Context, db *sql.DB) error {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	p, err := provider(goose.DialectPostgres, db, d, newest, goose.WithSessionLocker(locker))
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}
