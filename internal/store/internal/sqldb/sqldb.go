// Package sqldb opens SQLite and PostgreSQL databases and runs statements on them, through sqlx. A statement has the
// same text, with ? for its arguments, on both databases; it runs on the readers, in a transaction of the writer, or
// in a snapshot. The package knows no tables.
//
// The methods of DB are also methods of a Store. Anything that only the packages below internal/store may do, such as
// running a statement, is a function, and the compiler keeps other packages from calling it.
package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jmoiron/sqlx"

	"hearthline/migrations"
)

// DB is an open database: one writer and a pool of readers.
type DB struct {
	engine  engine
	write   *sqlx.DB
	read    *sqlx.DB
	writing chan struct{} // has a value while somebody writes
}

// Connect opens the database at an address without migrating it. The address is the path of an SQLite file, which is
// created when it is absent, or a URL of PostgreSQL.
func Connect(ctx context.Context, address string) (*DB, error) {
	e, err := engineOf(address)
	if err != nil {
		return nil, err
	}
	write, read, err := e.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("store: open: %w", err)
	}
	return &DB{engine: e, write: write, read: read, writing: make(chan struct{}, 1)}, nil
}

// Close closes all connections.
func (db *DB) Close() error { return errors.Join(db.read.Close(), db.write.Close()) }

// Pools returns the use of both pools of connections.
func (db *DB) Pools() (write, read sql.DBStats) { return db.write.Stats(), db.read.Stats() }

// Migrate updates the schema to the newest version.
func Migrate(ctx context.Context, db *DB) error { return db.engine.migrate(ctx, db.write) }

// Applied returns the version of the schema, and the oldest version whose programs can use it.
func Applied(ctx context.Context, db *DB) (version, oldest int64, err error) {
	return db.engine.dialect().Applied(ctx, db.write.DB)
}

// HasData reports whether the address has a database with a schema. It creates nothing.
func HasData(ctx context.Context, address string) (bool, error) {
	e, err := engineOf(address)
	if err != nil {
		return false, err
	}
	return e.hasData(ctx)
}

// InUse reports whether a portal, of this process or another, has the database at an address open.
func InUse(ctx context.Context, address string) (bool, error) {
	e, err := engineOf(address)
	if err != nil {
		return false, err
	}
	if filled, err := e.hasData(ctx); err != nil || !filled {
		return false, err
	}
	return e.inUse(ctx)
}

// ErrOwnBackup is returned for a database that is backed up with its own tools.
var ErrOwnBackup = errors.New("store: PostgreSQL is backed up with its own tools, such as pg_dump")

// Backup writes a consistent copy of the database to a file that must not exist, while the portal keeps running and
// writing, or returns ErrOwnBackup. finish can write to the copy. Sealed columns stay sealed in the copy, which only
// this operating-system user can read. After a failure there is no file.
func Backup(ctx context.Context, db *DB, path string, finish func(ctx context.Context, copied *DB) error) error {
	return db.engine.backup(ctx, path, finish)
}

// Scrub erases deleted data from the database's files, as far as the database leaves that to its users.
func (db *DB) Scrub(ctx context.Context) error { return db.engine.scrub(ctx) }

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
	// migrate updates the schema.
	migrate(ctx context.Context, write *sqlx.DB) error
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

// Shared reports whether other processes can use the database at the same time and hear announcements.
func (db *DB) Shared() bool { return db.engine.shared() }

// ProcessName identifies this process in the announcements of leads.
func (db *DB) ProcessName() string { return db.engine.name() }

// Announce sends a text to all processes that are listening, including this one. A process that is not listening at
// that moment misses it. PostgreSQL refuses a text of 8,000 bytes or more.
func (db *DB) Announce(ctx context.Context, text string) error {
	return db.engine.announce(ctx, db.read, text)
}

// Listen calls began when it hears announcements, and then heard for each of them, until the context ends or the
// connection is lost. Announcements before began may have been missed.
func (db *DB) Listen(ctx context.Context, began func(), heard func(text string)) error {
	return db.engine.listen(ctx, began, heard)
}

// Announce is DB.Announce in a transaction: the text is sent when the transaction commits.
func (c Conn) Announce(ctx context.Context, text string) error {
	return c.engine.announce(ctx, c.tx, text)
}
