// Package store keeps the portal's data in SQLite, through sqlx. A file is named for the rows that
// it reads and writes; besides those:
//
//	store.go                     opening, transactions, the two connection pools
//	lead_list.go                 the pipeline: pages by key, counts
//	audit_list.go, audit_trim.go reading the audit, deleting its old rows
//	reauthorize.go               permission checks inside the transaction that writes
//	sealed.go, reencryption*.go  re-encrypting old rows with new keys
//	backup.go                    copies of the database, scrubbing deleted rows
//
// Every query for leads takes an access.Scope and lists its columns. The same code runs on the
// database and inside a transaction. The caller seals and unseals: sealed values are bytes here. Rows that
// other layers name are declared in internal/lead; rows that only this package and its callers below desk
// use are declared here.
//
// The package is large on purpose: one transaction often writes rows of several kinds, so all queries are methods of one
// type, with a file for each kind of row.
package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"runtime"
	"time"

	"github.com/jmoiron/sqlx"
	_ "github.com/mattn/go-sqlite3" // the embedded database
	"github.com/oklog/ulid/v2"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/migrations"
)

// Store is an open database: one writer and a pool of readers.
type Store struct {
	queries // reads outside transactions, on the pool of readers
	write   *sqlx.DB
	read    *sqlx.DB
	path    string
	lists   *listCache
	ids     io.Reader // of events: increasing within a millisecond, and used only by the one writer
}

// Tx is a transaction on the writer.
type Tx struct {
	queries
	ids io.Reader
	// Unassigned are the leads that lost their originator in this transaction, as they were before.
	Unassigned []lead.Row
	// Returned are the leads that an originator got back in this transaction, as they were before.
	Returned []lead.Row
	// Departed are the users who have left a company in this transaction.
	Departed []DepartedUser

	// CoversEnded are the absences whose deputy no longer covers, because the absent user's account closed or moved in this
	// transaction.
	CoversEnded []lead.Absence
}

// queries are the statements that run on the database as well as in a transaction.
type queries struct {
	db sqlx.ExtContext
	Options
}

// Options configure a store. The zero value uses real time and an audit without MACs.
type Options struct {
	MAC       MACFunc       // chains the audit; the vault provides it
	VerifyMAC VerifyMACFunc // accepts MACs of older keys too; without it a MAC is computed again and compared
	Now       Clock
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

func (o Options) mac(parts ...string) string {
	if o.MAC == nil {
		return ""
	}
	return o.MAC(parts...)
}

func (o Options) verifyMAC(code string, parts ...string) bool {
	if o.VerifyMAC != nil {
		return o.VerifyMAC(code, parts...)
	}
	return code == o.mac(parts...)
}

// Open opens the database file, creates it when absent, and migrates it to the newest schema.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	if err := createPrivateFile(path, 0); err != nil {
		return nil, fmt.Errorf("store: open: %w", err)
	}
	write, err := open(ctx, path, false)
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := migrations.Up(ctx, write.DB); err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read, err := open(ctx, path, true)
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(max(4, runtime.NumCPU()))
	read.SetMaxIdleConns(max(4, runtime.NumCPU()))
	return &Store{queries: queries{readers{read}, options}, write: write, read: read, path: path, lists: newListCache(), ids: ulid.Monotonic(rand.Reader, 0)}, nil
}

func open(ctx context.Context, path string, readOnly bool) (*sqlx.DB, error) {
	q := url.Values{}
	for key, value := range map[string]string{
		"_journal_mode": "WAL", "_synchronous": "FULL", "_foreign_keys": "1", "_recursive_triggers": "1",
		"_busy_timeout": "5000", "_txlock": "immediate", "_secure_delete": "1", "_cache_size": "-16000", "_stmt_cache_size": "200",
	} {
		q.Set(key, value)
	}
	if readOnly {
		q.Set("_query_only", "1")
		q.Set("_txlock", "deferred")
	}
	db, err := sqlx.Open("sqlite3", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, fmt.Errorf("store: open: %w", err)
	}
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("store: open: %w", err), db.Close())
	}
	return db, nil
}

// Close closes both pools.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// Ready returns nil when the database can be read.
func (s *Store) Ready(ctx context.Context) error { return s.read.PingContext(ctx) }

// Write runs f in one transaction on the writer; an error or a panic rolls back.
func (s *Store) Write(ctx context.Context, f func(tx *Tx) error) (err error) {
	tx, err := s.write.BeginTxx(ctx, nil)
	if err != nil {
		return fault.Wrap(fault.Unavailable, "Hearthline is busy. Nothing was changed. Try again in a moment.", err)
	}
	defer func() { err = errors.Join(err, ignoreTxDone(tx.Rollback())) }()
	if err := f(&Tx{queries: queries{tx, s.Options}, ids: s.ids}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("store: commit: %w", err)
	}
	return nil
}

func ignoreTxDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// exec runs one statement and returns the number of changed rows.
func (q queries) exec(ctx context.Context, query string, args ...any) (int64, error) {
	res, err := q.db.ExecContext(ctx, rebind(q.db, query), args...)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	return res.RowsAffected()
}

// notFoundError is the same error for rows that do not exist and for rows that the user may not see, because
// different messages would distinguish the two.
func notFoundError(cause error) error {
	return fault.Wrap(fault.NotFound, "Page not found, or you don’t have access.", cause)
}

// get reads one row; fault.NotFound when there is none.
func (q queries) get(ctx context.Context, into any, query string, args ...any) error {
	err := sqlx.GetContext(ctx, q.db, into, rebind(q.db, query), args...)
	if errors.Is(err, sql.ErrNoRows) {
		return notFoundError(err)
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// list reads all rows.
func (q queries) list(ctx context.Context, into any, query string, args ...any) error {
	if err := sqlx.SelectContext(ctx, q.db, into, rebind(q.db, query), args...); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// listUpTo reads up to n rows into a slice that is allocated once, for lists with wide rows.
func listUpTo[R any](ctx context.Context, q queries, n int, query string, args ...any) ([]R, error) {
	rows, err := q.db.QueryxContext(ctx, rebind(q.db, query), args...)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer func() { _ = rows.Close() }()
	all := make([]R, 0, n)
	for rows.Next() {
		var r R
		all = append(all, r)
		if err := rows.StructScan(&all[len(all)-1]); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return all, nil
}

// execNamed runs one statement with the fields of a struct as arguments.
func (q queries) execNamed(ctx context.Context, query string, arg any) error {
	_, err := q.execNamedRows(ctx, query, arg)
	return err
}

// execNamedRows is execNamed, and returns the number of changed rows.
func (q queries) execNamedRows(ctx context.Context, query string, arg any) (int64, error) {
	res, err := sqlx.NamedExecContext(ctx, q.db, query, arg)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	return res.RowsAffected()
}

func rebind(db sqlx.ExtContext, query string) string {
	return sqlx.Rebind(sqlx.BindType(db.DriverName()), query)
}

// Millis returns an instant as it is stored, like lead.Millis.
func Millis(t time.Time) int64 { return lead.Millis(t) }

// Instant converts a stored instant, like lead.Instant.
func Instant(ms int64) time.Time { return lead.Instant(ms) }
