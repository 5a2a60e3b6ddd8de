// Package migrations holds the schema of the portal's database as plain SQL: for each database a baseline and then
// numbered changes, which goose applies. Tests check that both databases have the same tables and columns, and that
// the columns have the names of their Go fields. Instants are BIGINT milliseconds since 1970, calendar days TEXT
// YYYY-MM-DD, booleans 0 or 1.
//
// While portals are updated one after another, programs of the previous release use the new schema, so a change only
// adds to it (see Oldest). A change for PostgreSQL begins with the lock that every writing transaction holds.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// Oldest is the oldest schema version whose programs can use a database of this program. A test checks that every
// later version only adds to the schema. To remove or change something, one release stops using it, and the next
// release raises Oldest to the newest version of that release and removes it.
const Oldest = 1

// WritersLock is the number of the advisory lock that every writing transaction holds on PostgreSQL.
const WritersLock = 0x6865617274686c69

// ErrEarlierBuild is returned for a database of a pre-release build.
var ErrEarlierBuild = errors.New("this database was made by an earlier build of Hearthline, " +
	"which this one cannot read: move the file or the data folder away, and start again with an empty one")

// Dialect is a kind of database.
type Dialect struct {
	kind     goose.Dialect
	folder   string
	hasTable string // the query for how many tables have the name ?
	bind     int    // the placeholders of sqlx
}

// The dialects.
var (
	SQLite = Dialect{goose.DialectSQLite3, "sqlite", `SELECT count(*) FROM sqlite_master
		WHERE type = 'table' AND name = ?`, sqlx.QUESTION}
	Postgres = Dialect{
		goose.DialectPostgres, "postgres",
		`SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ?`,
		sqlx.DOLLAR,
	}
)

// Up brings a database to the newest schema. It is safe to call at every start, and of several processes: on
// PostgreSQL one migrates and the others wait.
func (d Dialect) Up(ctx context.Context, db *sql.DB) error {
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if d == Postgres {
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return fmt.Errorf("migrations: %w", err)
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	p, err := d.provider(db, options...)
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}

func (d Dialect) provider(db *sql.DB, options ...goose.ProviderOption) (*goose.Provider, error) {
	folder, err := fs.Sub(files, d.folder)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	p, err := goose.NewProvider(d.kind, db, folder, options...)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return p, nil
}

// HasTable is the query for how many tables have the name ?.
func (d Dialect) HasTable() string { return d.hasTable }

// Newest is the version of the schema that this program creates.
func Newest() (int64, error) {
	entries, err := files.ReadDir(SQLite.folder)
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	newest := int64(math.MinInt64)
	for _, entry := range entries {
		version, err := goose.NumericComponent(entry.Name())
		if err != nil {
			return 0, fmt.Errorf("migrations: %w", err)
		}
		newest = max(newest, version)
	}
	return newest, nil
}

// Applied returns the version of a database's schema, and the oldest version whose programs can use it; both are zero
// for a database without a schema. It returns ErrEarlierBuild for a database of a pre-release build.
func (d Dialect) Applied(ctx context.Context, db *sql.DB) (version, oldest int64, err error) {
	tables := map[string]bool{}
	for _, name := range []string{"goose_db_version", "installation", "leads"} {
		var n int
		if err := db.QueryRowContext(ctx, sqlx.Rebind(d.bind, d.hasTable), name).Scan(&n); err != nil {
			return 0, 0, fmt.Errorf("migrations: %w", err)
		}
		tables[name] = n > 0
	}
	switch {
	case tables["leads"] && !tables["installation"]:
		return 0, 0, ErrEarlierBuild
	case !tables["goose_db_version"] || !tables["installation"]:
		return 0, 0, nil
	}
	err = db.QueryRowContext(ctx, `SELECT (SELECT coalesce(max(version_id), 0) FROM goose_db_version), oldest_schema
		FROM installation`).Scan(&version, &oldest)
	if err != nil {
		return 0, 0, fmt.Errorf("migrations: %w", err)
	}
	return version, oldest, nil
}
