package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jmoiron/sqlx"
)

// snapshotKey is the key of the snapshot in a context.
type snapshotKey struct{}

// Snapshot returns a context with which all reads of the store see the database as it is now, in one transaction on one
// connection: the parts of a page agree with each other, and none waits for a connection. The caller writes nothing with
// this context and calls nobody, and ends the snapshot.
func (s *Store) Snapshot(ctx context.Context) (_ context.Context, end func(), err error) {
	if _, ok := ctx.Value(snapshotKey{}).(*sqlx.Tx); ok {
		return ctx, func() {}, nil
	}
	tx, err := s.read.BeginTxx(ctx, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("store: snapshot: %w", err)
	}
	return context.WithValue(ctx, snapshotKey{}, tx), func() { _ = tx.Rollback() }, nil
}

// readers are the read connections, or the transaction of a snapshot.
type readers struct{ *sqlx.DB }

func (r readers) at(ctx context.Context) sqlx.ExtContext {
	if tx, ok := ctx.Value(snapshotKey{}).(*sqlx.Tx); ok {
		return tx
	}
	return r.DB
}

func (r readers) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return r.at(ctx).QueryContext(ctx, query, args...)
}

func (r readers) QueryxContext(ctx context.Context, query string, args ...any) (*sqlx.Rows, error) {
	return r.at(ctx).QueryxContext(ctx, query, args...)
}

func (r readers) QueryRowxContext(ctx context.Context, query string, args ...any) *sqlx.Row {
	return r.at(ctx).QueryRowxContext(ctx, query, args...)
}
