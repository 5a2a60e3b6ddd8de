package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/jmoiron/sqlx"

	"hearthline/internal/fault"
	"hearthline/internal/trace"
	"hearthline/migrations"
)

// Conn runs statements: outside transactions on the readers of a database, or in one transaction.
type Conn struct {
	tx     *sqlx.Tx // nil outside a transaction
	read   *sqlx.DB
	engine engine
	span   trace.Span // of the transaction, to which its statements belong
}

// Readers returns what reads outside transactions, or in the snapshot of the context.
func Readers(db *DB) Conn { return Conn{read: db.read, engine: db.engine} }

// at returns what runs a statement with this context.
func (c Conn) at(ctx context.Context) sqlx.ExtContext {
	if c.tx != nil {
		return c.tx
	}
	if snapshot, ok := ctx.Value(snapshotKey{}).(*sqlx.Tx); ok {
		return snapshot
	}
	return c.read
}

// Dialect returns the kind of the database.
func (c Conn) Dialect() migrations.Dialect { return c.engine.dialect() }

// IsUniqueViolation reports whether a statement failed because a unique column already has the value.
func (c Conn) IsUniqueViolation(err error) bool { return c.engine.isUniqueViolation(err) }

// Exec runs one statement and returns the number of changed rows.
func (c Conn) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	return c.ExecExact(ctx, query, c.engine.values(args)...)
}

// ExecExact is Exec for values that must be stored without any change, or not at all.
func (c Conn) ExecExact(ctx context.Context, query string, args ...any) (int64, error) {
	span := c.startStatement(ctx)
	res, err := c.at(ctx).ExecContext(ctx, c.engine.sql(query), args...)
	endStatement(span, err)
	if err != nil {
		return 0, failure(c.engine, err)
	}
	return res.RowsAffected()
}

// ExecNamed is Exec with the fields of a struct as arguments.
func (c Conn) ExecNamed(ctx context.Context, query string, arg any) (int64, error) {
	text, args, err := sqlx.Named(query, arg)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	return c.Exec(ctx, text, args...)
}

// List reads all rows: structs by the names of their columns, or single values.
func List[R any](ctx context.Context, c Conn, query string, args ...any) (all []R, err error) {
	span := c.startStatement(ctx)
	err = sqlx.SelectContext(ctx, c.at(ctx), &all, c.engine.sql(query), c.engine.values(args)...)
	endStatement(span, err)
	if err != nil {
		return nil, failure(c.engine, err)
	}
	return all, nil
}

// Find reads the first row; ok is false when there is none.
func Find[R any](ctx context.Context, c Conn, query string, args ...any) (row R, ok bool, err error) {
	span := c.startStatement(ctx)
	err = sqlx.GetContext(ctx, c.at(ctx), &row, c.engine.sql(query), c.engine.values(args)...)
	endStatement(span, err)
	if errors.Is(err, sql.ErrNoRows) {
		return row, false, nil
	}
	if err != nil {
		return row, false, failure(c.engine, err)
	}
	return row, true, nil
}

// Get reads the first row; fault.NotFound when there is none.
func Get[R any](ctx context.Context, c Conn, query string, args ...any) (R, error) {
	row, ok, err := Find[R](ctx, c, query, args...)
	if err == nil && !ok {
		err = NotFound()
	}
	return row, err
}

// NotFound is the same error for rows that do not exist and for rows that the user may not see, because
// different messages would distinguish the two.
func NotFound() error {
	return fault.New(fault.NotFound, "Page not found, or you don’t have access.")
}

// Map reads rows of two columns, a key and its value.
func Map[K comparable, V any](ctx context.Context, c Conn, query string, args ...any) (map[K]V, error) {
	all := map[K]V{}
	err := c.Each(ctx, query, args, func(scan func(into ...any) error) error {
		var key K
		var value V
		err := scan(&key, &value)
		all[key] = value
		return err
	})
	return all, err
}

// Each reads rows and calls f for each, to scan it.
func (c Conn) Each(ctx context.Context, query string, args []any, f func(scan func(into ...any) error) error) error {
	span := c.startStatement(ctx)
	err := c.each(ctx, query, args, f)
	endStatement(span, err)
	if err != nil {
		return failure(c.engine, err)
	}
	return nil
}

func (c Conn) each(ctx context.Context, query string, args []any, f func(scan func(into ...any) error) error) error {
	rows, err := c.at(ctx).QueryxContext(ctx, c.engine.sql(query), c.engine.values(args)...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// snapshotKey is the key of the transaction of a snapshot in a context.
type snapshotKey struct{}

// Snapshot returns a context with which all reads of the store see the database as it is now, in one transaction on
// one connection: the parts of a page agree with each other, and none waits for a connection. The caller writes
// nothing with this context and calls nobody, uses it from one goroutine, and ends the snapshot.
func (db *DB) Snapshot(ctx context.Context) (_ context.Context, end func(), err error) {
	if ctx.Value(snapshotKey{}) != nil {
		return ctx, func() {}, nil
	}
	tx, err := db.read.BeginTxx(ctx, db.engine.snapshot())
	if err != nil {
		return nil, nil, failure(db.engine, err)
	}
	return context.WithValue(ctx, snapshotKey{}, tx), func() { _ = tx.Rollback() }, nil
}

// Held is a database to which nobody can write until Release; all reads see one state of it.
type Held struct {
	Conn
	lock *sqlx.Tx
}

// Hold waits for the writers of a database and stops them until Release.
func Hold(ctx context.Context, db *DB) (*Held, error) {
	lock, err := db.write.BeginTxx(ctx, nil)
	if err != nil {
		return nil, err
	}
	if err := db.engine.waitForOtherWriters(ctx, lock); err != nil {
		return nil, errors.Join(err, lock.Rollback())
	}
	snapshot, err := db.read.BeginTxx(ctx, db.engine.snapshot())
	if err != nil {
		return nil, errors.Join(err, lock.Rollback())
	}
	h := &Held{Conn{tx: snapshot, engine: db.engine}, lock}
	if err := errors.Join(db.engine.keepIdle(ctx, lock), db.engine.keepIdle(ctx, snapshot)); err != nil {
		return nil, errors.Join(err, h.Release())
	}
	return h, nil
}

// Check returns an error when the connection that holds the lock was lost, because others may have written since.
func (h *Held) Check(ctx context.Context) error {
	_, err := h.lock.ExecContext(ctx, `SELECT 1`)
	return err
}

// Release lets others write again.
func (h *Held) Release() error {
	return errors.Join(ignoreTxDone(h.tx.Rollback()), ignoreTxDone(h.lock.Rollback()))
}

// startStatement starts the span of a statement, which is named for the function that contains it. Its text and its
// arguments are not in it.
func (c Conn) startStatement(ctx context.Context) trace.Span {
	if ctx = c.span.In(ctx); !trace.Recording(ctx) {
		return trace.Span{}
	}
	system := "sqlite"
	if c.engine.dialect() == migrations.Postgres {
		system = "postgresql"
	}
	return trace.StartStatement(ctx, statementName(), system)
}

// endStatement ends the span of a statement. A row that does not exist is not a failure.
func endStatement(span trace.Span, err error) {
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		span.Fail("database")
	}
	span.End()
}

// statementName returns the name of the function that called the helpers that called startStatement. Methods of a
// transaction and of the pool of readers are the same, so it leaves out the type.
func statementName() string {
	const skip, most = 3, 12 // runtime.Callers, this function and startStatement
	var found [most]uintptr
	frames := runtime.CallersFrames(found[:runtime.Callers(skip, found[:])])
	for {
		frame, more := frames.Next()
		name := trace.FunctionName(frame.Function)
		if !strings.HasPrefix(name, "sqldb.") && !isHelper(frame) {
			return "store." + name[strings.LastIndexByte(name, '.')+1:]
		}
		if !more {
			return "store"
		}
	}
}

// isHelper reports whether a frame is in statements.go, whose functions send all statements of the store, or in a
// method that the compiler generated for an embedded type.
func isHelper(frame runtime.Frame) bool {
	return path.Base(frame.File) == "statements.go" || frame.File == "<autogenerated>"
}
