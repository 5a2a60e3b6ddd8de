package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jmoiron/sqlx"
)

// snapshotKey is the key of the snapshot in a context.
type snapshotKey struct{}

// snapshot is one state of the database, for one request.
type snapshot struct{ tx *sqlx.Tx }

// Snapshot returns a context with which all reads of the store see the database as it is now, in one transaction on one
// connection: the parts of a page agree with each other, and none waits for a connection. The caller writes nothing with
// this context and calls nobody, uses it from one goroutine, and ends the snapshot.
func (s *Store) Snapshot(ctx context.Context) (_ context.Context, end func(), err error) {
	if snapshotOf(ctx) != nil {
		return ctx, func() {}, nil
	}
	tx, err := s.read.BeginTxx(ctx, s.engine.snapshot())
	if err != nil {
		return nil, nil, fmt.Errorf("store: snapshot: %w", err)
	}
	return context.WithValue(ctx, snapshotKey{}, &snapshot{tx}), func() { _ = tx.Rollback() }, nil
}

// snapshotOf returns the snapshot of a context; nil for none.
func snapshotOf(ctx context.Context) *snapshot {
	s, _ := ctx.Value(snapshotKey{}).(*snapshot)
	return s
}

// readers are the read connections, or the transaction of a snapshot.
type readers struct{ *sqlx.DB }

func (r readers) at(ctx context.Context) sqlx.ExtContext {
	if s := snapshotOf(ctx); s != nil {
		return s.tx
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
