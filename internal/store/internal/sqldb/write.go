package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"hearthline/internal/fault"
	"hearthline/internal/trace"
)

const busyMessage = "Hearthline is busy. Nothing was changed. Try again in a moment."

// Write runs f in one transaction: all of it is committed when Write returns nil, and none of it after an error or a
// panic. The context ends the wait for the writer and, between the statements of f, the write; a commit that has
// begun is not canceled, because its outcome would be unknown. f must not call Write.
func Write(ctx context.Context, db *DB, f func(c Conn) error) (err error) {
	ctx, span := trace.Start(ctx, "store.Write")
	defer span.End()
	if err := db.waitForWriter(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, busyMessage, err)
	}
	defer func() { <-db.writing }()
	tx, err := db.begin(ctx)
	if err != nil {
		return fault.Wrap(fault.Unavailable, busyMessage, err)
	}
	defer func() { err = errors.Join(err, ignoreTxDone(tx.Rollback())) }() // also after a panic
	if err := f(Conn{tx: tx, engine: db.engine, span: span}); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, busyMessage, err)
	}
	_, committing := trace.Start(ctx, "commit")
	defer committing.End()
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("store: commit: %w", err)
	}
	return nil
}

// waitForWriter waits until it is this write's turn. Writes are served in the order of arrival.
func (db *DB) waitForWriter(ctx context.Context) error {
	_, waiting := trace.Start(ctx, "wait for the writer")
	defer waiting.End()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	select {
	case db.writing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// begin begins a transaction that is not rolled back when the context ends.
func (db *DB) begin(ctx context.Context) (*sqlx.Tx, error) {
	tx, err := db.write.BeginTxx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, err
	}
	if err := db.engine.waitForOtherWriters(ctx, tx); err != nil {
		return nil, errors.Join(err, ignoreTxDone(tx.Rollback()))
	}
	return tx, nil
}

func ignoreTxDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}
