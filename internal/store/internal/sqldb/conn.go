package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

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
