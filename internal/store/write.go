package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"github.com/jmoiron/sqlx"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/trace"
)

// Tx is a transaction on the writer.
type Tx struct {
	queries
	ids io.Reader
	// Unassigned are the leads that lost their originator in this transaction, as they were before.
	Unassigned []lead.Row
	// Returned are the leads that an originator got back in this transaction, as they were before.
	Returned []lead.Row
	// Notified are the users who have a new notification because of this transaction.
	Notified []string
	// CoversEnded are the absences whose deputy no longer covers, because the absent user's account closed or moved in this
	// transaction.
	CoversEnded []lead.Absence
}

const busyMessage = "Hearthline is busy. Nothing was changed. Try again in a moment."

// Write runs f in one transaction: all of it is committed when Write returns nil, and none of it after an error or a panic. The
// context ends the wait for the writer and, between the statements of f, the write; a commit that has begun is not
// canceled, because its outcome would be unknown. f must not call Write.
func (s *Store) Write(ctx context.Context, f func(tx *Tx) error) (err error) {
	ctx, span := trace.Start(ctx, "store.Write")
	defer span.End()
	if err := s.waitForWriter(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, busyMessage, err)
	}
	defer func() { <-s.writing }()
	db, err := s.begin(ctx)
	if err != nil {
		return fault.Wrap(fault.Unavailable, busyMessage, err)
	}
	defer func() { err = errors.Join(err, ignoreTxDone(db.Rollback())) }() // also after a panic
	tx := &Tx{queries: queries{db: db, engine: s.engine, Options: s.Options, span: span, changes: &changes{}}, ids: s.ids}
	if err := f(tx); err != nil {
		return err
	}
	if err := tx.publishChanges(ctx); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, busyMessage, err)
	}
	_, committing := trace.Start(ctx, "commit")
	defer committing.End()
	if err := db.Commit(); err != nil {
		return fmt.Errorf("store: commit: %w", err)
	}
	return nil
}

// waitForWriter waits until it is this write's turn. Writes are served in the order of arrival.
func (s *Store) waitForWriter(ctx context.Context) error {
	_, waiting := trace.Start(ctx, "wait for the writer")
	defer waiting.End()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	select {
	case s.writing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// begin begins a transaction that is not rolled back when the context ends.
func (s *Store) begin(ctx context.Context) (*sqlx.Tx, error) {
	tx, err := s.write.BeginTxx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, err
	}
	if err := s.engine.waitForOtherWriters(ctx, tx); err != nil {
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
