package sqldb

import (
	"context"
	"database/sql"
	"net/url"
	"strings"

	"github.com/jmoiron/sqlx"

	"hearthline/migrations"
)

// IsPostgres reports whether an address of a database is a URL of PostgreSQL and not the path of a file.
func IsPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// AddressForDisplay returns an address without its password.
func AddressForDisplay(address string) string {
	if !IsPostgres(address) {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return "in PORTAL_DATABASE_URL"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// engine is what differs between the databases.
type engine interface {
	// open connects two pools, one of which only reads.
	open(ctx context.Context) (write, read *sqlx.DB, err error)
	// hasData reports whether there is a schema or more, and creates nothing.
	hasData(ctx context.Context) (bool, error)
	// inUse reports whether somebody has the database open.
	inUse(ctx context.Context) (bool, error)
	dialect() migrations.Dialect
	// sql returns a query, with ? for its arguments, as this database reads it.
	sql(query string) string
	// values returns the arguments of a query as this database accepts them.
	values(args []any) []any
	// snapshot are the options of a transaction that sees one state of the database.
	snapshot() *sql.TxOptions
	// waitForOtherWriters returns when no other transaction writes, of any process, until this one ends.
	waitForOtherWriters(ctx context.Context, tx *sqlx.Tx) error
	// isUniqueViolation reports whether a statement failed because a unique column already has the value.
	isUniqueViolation(err error) bool
	// isBusy reports whether an error means that a write timed out while waiting for other writers.
	isBusy(err error) bool
	// isUnavailable reports whether an error says that the database cannot be reached or written now.
	isUnavailable(err error) bool
	// keepIdle lets a transaction wait for longer than others may.
	keepIdle(ctx context.Context, tx *sqlx.Tx) error
	// shared reports whether several processes can use the database. Only then announce and listen work.
	shared() bool
	// name identifies this process in announcements.
	name() string
	announce(ctx context.Context, db sqlx.ExecerContext, text string) error
	listen(ctx context.Context, began func(), heard func(text string)) error
	backup(ctx context.Context, path string, finish func(ctx context.Context, copied *DB) error) error
	// scrub removes deleted data from the files of the database, if the database does not do so itself.
	scrub(ctx context.Context) error
}

// engineOf returns the engine of an address: PostgreSQL for its URLs, otherwise SQLite.
func engineOf(address string) (engine, error) {
	if IsPostgres(address) {
		return newPostgres(address)
	}
	return sqlite{path: address}, nil
}
