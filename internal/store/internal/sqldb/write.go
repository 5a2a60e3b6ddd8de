package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"

	"hearthline/internal/fault"
	"hearthline/internal/trace"
)

// The messages claim nothing about what was sent to the lender before: only the caller knows that.
const (
	busyMessage        = "Hearthline is busy. Try again in a moment."
	unavailableMessage = "Hearthline’s database isn’t responding. Try again in a moment."
)

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
		message := unavailableMessage
		if db.engine.isBusy(err) || ctx.Err() != nil {
			message = busyMessage
		}
		return fault.Wrap(fault.Unavailable, message, err)
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
		return failure(db.engine, fmt.Errorf("commit: %w", err))
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

// failure classifies a database error: fault.Unavailable if the cause is not the statement but that the
// database cannot be reached or written.
func failure(e engine, err error) error {
	wrapped := fmt.Errorf("store: %w", err)
	if e.isUnavailable(err) || strings.HasSuffix(err.Error(), "database is closed") { // when the portal is stopping
		return fault.Wrap(fault.Unavailable, unavailableMessage, wrapped)
	}
	return wrapped
}

func ignoreTxDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}
