// Package store keeps what the portal knows, in SQLite through sqlx.
//
//	store.go       opening, transactions, the two pools
//	lead.go        leads: one row each, saved with its standing
//	lead_list.go   the pipeline: pages by key, counts, search candidates
//	lead_part.go   sealed parts of a lead, each with its age
//	lead_event.go  what happened to a lead
//	notification.go  what people are told, each fact once
//	operation.go   the journal's rows and leases
//	reassignment.go   leads handed on, with their briefs; job.go, background work and its rows
//	credential.go  second factors and passkeys; ceremony.go, what a browser has begun
//	rate_limit.go     how much an address tries; alert.go, what a person should hear of
//	consent.go, draft.go, quote.go, choice.go, webhook.go, setting.go, audit.go, audit_list.go, user.go, session.go, originator.go
//
// Every query about leads takes an access.Scope and lists its columns. The same code
// runs on the database and inside a transaction. Sealing is the caller's: what is
// sealed arrives and leaves as bytes.
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
	"hearthline/migrations"
)

// Store is an open database: one writer and a pool of readers.
type Store struct {
	queries // reads outside transactions, on the pool of readers
	write   *sqlx.DB
	read    *sqlx.DB
	path    string
	ids     io.Reader // of events: rising within a millisecond, and used by the one writer alone
}

// Tx is a transaction on the writer.
type Tx struct {
	queries
	ids io.Reader
	// Unassigned are the leads that lost their originator in it, as they were before.
	Unassigned []Lead
	// Returned are the leads that an originator has back in it, as they were before.
	Returned []Lead
	// Departed are the people who have gone from a company in it.
	Departed []DepartedUser
}

// queries are the statements that run alike on the database and in a transaction.
type queries struct {
	db sqlx.ExtContext
	Options
}

// Options of a store. The zero value keeps real time and an audit without marks.
type Options struct {
	MAC       MACFunc       // chains the audit; a vault makes it
	VerifyMAC VerifyMACFunc // knows the marks of older keys too; without it a mark is made anew and compared
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

func (o Options) verifyMAC(mark string, parts ...string) bool {
	if o.VerifyMAC != nil {
		return o.VerifyMAC(mark, parts...)
	}
	return mark == o.mac(parts...)
}

// Open opens the database file, creates it when absent, and brings it to the newest schema.
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
	return &Store{queries: queries{read, options}, write: write, read: read, path: path, ids: ulid.Monotonic(rand.Reader, 0)}, nil
}

func open(ctx context.Context, path string, readOnly bool) (*sqlx.DB, error) {
	q := url.Values{}
	for key, value := range map[string]string{
		"_journal_mode": "WAL", "_synchronous": "FULL", "_foreign_keys": "1", "_recursive_triggers": "1",
		"_busy_timeout": "5000", "_txlock": "immediate", "_secure_delete": "1", "_cache_size": "-16000",
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

// Ready answers nil when the database can be read.
func (s *Store) Ready(ctx context.Context) error { return s.read.PingContext(ctx) }

// Write runs f in one transaction on the writer; an error or a panic rolls back.
func (s *Store) Write(ctx context.Context, f func(tx *Tx) error) (err error) {
	tx, err := s.write.BeginTxx(ctx, nil)
	if err != nil {
		return fault.Wrap(fault.Unavailable, "Our own database is busy. Nothing was changed; try again in a moment.", err)
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

// exec runs one statement and reports how many rows it touched.
func (q queries) exec(ctx context.Context, query string, args ...any) (int64, error) {
	res, err := q.db.ExecContext(ctx, rebind(q.db, query), args...)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	return res.RowsAffected()
}

// notFoundError is the one answer for what does not exist and for what is not for the person:
// two sentences would tell them apart.
func notFoundError(cause error) error {
	return fault.Wrap(fault.NotFound, "This does not exist, or not for you.", cause)
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

// execNamed runs one statement with the fields of a struct.
func (q queries) execNamed(ctx context.Context, query string, arg any) error {
	_, err := q.execNamedRows(ctx, query, arg)
	return err
}

// execNamedRows is named, and reports how many rows were touched.
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

// Millis is an instant as it is kept; the zero time is 0.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Instant is the instant of kept milliseconds; 0 is the zero time.
func Instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
