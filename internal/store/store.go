// Package store keeps the portal's data in SQLite or PostgreSQL, through sqlx. A file is named for the rows that
// it reads and writes; besides those:
//
//	store.go                     opening, the two connection pools, statements
//	write.go, changes.go         writes, and the changes that others are told about
//	engine.go                    what differs between the databases; sqlite*.go, postgres*.go
//	lead_list.go                 the pipeline: pages by key, counts
//	audit_list.go, audit_trim.go reading the audit, deleting its old rows
//	reauthorize.go               permission checks inside the transaction that writes
//	sealed.go, reencryption*.go  re-encrypting old rows with new keys
//	copy*.go                     copying everything into another database
//
// Every query for leads takes an access.Scope and lists its columns. The same code runs on the
// database and inside a transaction. The caller seals and unseals: sealed values are bytes here. Rows that
// other layers name are declared in internal/lead; rows that only this package and its callers below desk
// use are declared here.
//
// One transaction often writes rows of several kinds, so all queries are methods of one type, with a file for each kind of row.
package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/oklog/ulid/v2"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/trace"
)

// Store is an open database: one writer and a pool of readers.
type Store struct {
	queries // reads outside transactions, on the pool of readers
	write   *sqlx.DB
	read    *sqlx.DB
	writing chan struct{} // has a value while somebody writes
	ids     io.Reader     // of events: increasing within a millisecond, and used only by the one writer
}

// queries are the statements that run on the database as well as in a transaction.
type queries struct {
	db     sqlx.ExtContext
	engine engine
	Options
	span    trace.Span // of the transaction, to which its statements belong
	changes *changes   // of the transaction; nil outside one
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

// Open opens the database at an address, the path of an SQLite file or a URL of PostgreSQL, and migrates it to the newest
// schema. It creates a file that is absent. It returns ErrUnfinishedCopy for a database into which CopyTo has not copied everything,
// and ErrReleaseTooOld for one of a release that is too new.
func Open(ctx context.Context, address string, options Options) (*Store, error) {
	s, err := connect(ctx, address, options)
	if err != nil {
		return nil, err
	}
	copied, err := s.unfinishedCopyOf(ctx)
	if err == nil && copied != "" {
		err = ErrUnfinishedCopy
	}
	if err == nil {
		err = s.checkRelease(ctx)
	}
	if err == nil {
		err = s.engine.dialect().Up(ctx, s.write.DB)
	}
	if err == nil {
		err = s.raiseOldest(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// connect opens a database as it is.
func connect(ctx context.Context, address string, options Options) (*Store, error) {
	e, err := engineOf(address)
	if err != nil {
		return nil, err
	}
	write, read, err := e.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("store: open: %w", err)
	}
	return &Store{
		queries: queries{db: readers{read}, engine: e, Options: options}, write: write, read: read,
		writing: make(chan struct{}, 1), ids: ulid.Monotonic(rand.Reader, 0),
	}, nil
}

// Close closes all connections.
func (s *Store) Close() error {
	return errors.Join(s.read.Close(), s.write.Close())
}

// Ready returns nil when the database can be read.
func (s *Store) Ready(ctx context.Context) error { return s.read.PingContext(ctx) }

func isNoRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// exec runs one statement and returns the number of changed rows.
func (q queries) exec(ctx context.Context, query string, args ...any) (int64, error) {
	span := q.startStatement(ctx)
	res, err := q.db.ExecContext(ctx, q.engine.sql(query), q.engine.values(args)...)
	endStatement(span, err)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	rows, err := res.RowsAffected()
	q.changes.statement(query, rows)
	return rows, err
}

// notFoundError is the same error for rows that do not exist and for rows that the user may not see, because
// different messages would distinguish the two.
func notFoundError(cause error) error {
	return fault.Wrap(fault.NotFound, "Page not found, or you don’t have access.", cause)
}

// get reads one row; fault.NotFound when there is none.
func (q queries) get(ctx context.Context, into any, query string, args ...any) error {
	span := q.startStatement(ctx)
	err := sqlx.GetContext(ctx, q.db, into, q.engine.sql(query), q.engine.values(args)...)
	endStatement(span, err)
	if isNoRows(err) {
		return notFoundError(err)
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// list reads all rows.
func (q queries) list(ctx context.Context, into any, query string, args ...any) error {
	span := q.startStatement(ctx)
	err := sqlx.SelectContext(ctx, q.db, into, q.engine.sql(query), q.engine.values(args)...)
	endStatement(span, err)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// scan reads one row into variables; fault.NotFound when there is none.
func (q queries) scan(ctx context.Context, into []any, query string, args ...any) error {
	span := q.startStatement(ctx)
	err := q.db.QueryRowxContext(ctx, q.engine.sql(query), q.engine.values(args)...).Scan(into...)
	endStatement(span, err)
	if isNoRows(err) {
		return notFoundError(err)
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// listUpTo reads up to n rows into a slice that is allocated once, for lists with wide rows.
func listUpTo[R any](ctx context.Context, q queries, n int, query string, args ...any) ([]R, error) {
	span := q.startStatement(ctx)
	defer span.End()
	rows, err := q.db.QueryxContext(ctx, q.engine.sql(query), q.engine.values(args)...)
	if err != nil {
		span.Fail("database")
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
	text, args, err := sqlx.Named(query, arg)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	return q.exec(ctx, text, args...)
}

// Millis returns an instant as it is stored, like lead.Millis.
func Millis(t time.Time) int64 { return lead.Millis(t) }

// Instant converts a stored instant, like lead.Instant.
func Instant(ms int64) time.Time { return lead.Instant(ms) }
