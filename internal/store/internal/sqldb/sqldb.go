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

	"github.com/jmoiron/sqlx"
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
func Migrate(ctx context.Context, db *DB) error { return db.engine.dialect().Up(ctx, db.write.DB) }

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
