package sqldb

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
)

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
