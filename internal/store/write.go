package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/trace"
)

// Tx is a transaction on the writer, or the part of one that is a single write.
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

// Most of the time of a small write is its commit. Writes that wait for each other share one, up to these limits.
const (
	sharedWrites = 16
	sharedTime   = 10 * time.Millisecond
)

// Write runs f as one write: all of it is committed when Write returns nil, and none of it after an error or a panic. The
// context ends the wait for the writer and, between the statements of f, the write; a commit that has begun goes on, because a
// canceled one could have been made or not. f must not wait for another write.
func (s *Store) Write(ctx context.Context, f func(tx *Tx) error) error {
	ctx, span := trace.Start(ctx, "store.Write")
	defer span.End()
	shared, err := s.turn(ctx)
	if err != nil {
		return err
	}
	return s.writeIn(ctx, span, shared, f)
}

// turn waits for the writer and returns the transaction to write in.
func (s *Store) turn(ctx context.Context) (*sharedTx, error) {
	_, waiting := trace.Start(ctx, "wait for the writer")
	defer waiting.End()
	shared, err := s.writers.wait(ctx)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, busyMessage, err)
	}
	if shared == nil {
		if shared, err = s.begin(ctx); err != nil {
			s.writers.pass(nil)
		}
	}
	return shared, err
}

// writeIn runs f in a transaction, which another write may have begun and another one may commit.
func (s *Store) writeIn(ctx context.Context, span trace.Span, shared *sharedTx, f func(tx *Tx) error) (err error) {
	kept := false
	defer func() { // also after a panic
		if !kept {
			err = errors.Join(err, shared.undo())
		}
		_, committing := trace.Start(ctx, "commit")
		defer committing.End()
		if shared.broken() || shared.writes >= sharedWrites || time.Since(shared.began) >= s.writers.time || !s.writers.pass(shared) {
			shared.end()
			s.writers.pass(nil)
			s.checkpoints.committed()
		}
		if kept {
			<-shared.ended
			err = shared.err
		}
	}()
	if err := shared.mark(); err != nil {
		return err
	}
	if err := f(&Tx{queries: queries{uncanceled{shared.tx}, s.engine, s.Options, span}, ids: s.ids}); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, busyMessage, err)
	}
	kept = true
	shared.writes++
	return nil
}

// begin begins a transaction that other writes may share.
func (s *Store) begin(ctx context.Context) (*sharedTx, error) {
	conn, err := s.write.Connx(ctx)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, busyMessage, err)
	}
	tx, err := conn.BeginTxx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, busyMessage, errors.Join(err, conn.Close()))
	}
	if err := s.engine.waitForOtherWriters(ctx, tx); err != nil {
		return nil, fault.Wrap(fault.Unavailable, busyMessage, errors.Join(err, ignoreTxDone(tx.Rollback()), ignoreConnDone(conn.Close())))
	}
	return &sharedTx{conn: conn, tx: tx, began: time.Now(), ended: make(chan struct{})}, nil
}

// sharedTx is a transaction of one write after the other. Only the write that has its turn uses it.
type sharedTx struct {
	conn   *sqlx.Conn
	tx     *sqlx.Tx
	began  time.Time
	writes int           // that are kept
	ended  chan struct{} // closed after the commit, or after the whole transaction was undone
	err    error         // why it was not committed; read it after ended
}

const markName = "write"

// mark begins a write: what follows can be undone without the writes before it.
func (t *sharedTx) mark() error {
	if t.writes == 0 {
		return nil // undoing it undoes everything
	}
	return t.exec("SAVEPOINT " + markName)
}

// undo undoes what was written since mark.
func (t *sharedTx) undo() error {
	if t.writes == 0 {
		t.fail(nil)
		return ignoreTxDone(t.tx.Rollback())
	}
	if err := errors.Join(t.exec("ROLLBACK TO SAVEPOINT "+markName), t.exec("RELEASE SAVEPOINT "+markName)); err != nil {
		t.fail(err) // the writes before are lost as well
	}
	return nil
}

func (t *sharedTx) exec(statement string) error {
	_, err := t.tx.ExecContext(context.Background(), statement)
	return err
}

// errUndone is the cause when a write is undone with another one of its transaction.
var errUndone = errors.New("store: the transaction of several writes was undone")

// fail says that nothing of the transaction can be committed.
func (t *sharedTx) fail(cause error) {
	t.err = fault.Wrap(fault.Unavailable, busyMessage, errors.Join(errUndone, cause))
}

func (t *sharedTx) broken() bool { return t.err != nil }

// end commits, unless the transaction has failed, and tells the writes that wait for it.
func (t *sharedTx) end() {
	defer close(t.ended)
	defer func() { _ = t.conn.Close() }() // returns it to the pool
	if t.broken() {
		_ = t.tx.Rollback()
	} else if err := t.tx.Commit(); err != nil {
		t.err = fmt.Errorf("store: commit: %w", err)
	}
}

// uncanceled runs statements to their end: a canceled one would take the whole transaction, with the writes of others, along.
type uncanceled struct{ tx *sqlx.Tx }

// DriverName, Rebind and BindNamed belong to the interface of transactions.
func (u uncanceled) DriverName() string         { return u.tx.DriverName() }
func (u uncanceled) Rebind(query string) string { return u.tx.Rebind(query) }
func (u uncanceled) BindNamed(query string, arg any) (string, []any, error) {
	return u.tx.BindNamed(query, arg)
}

func (u uncanceled) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return u.tx.ExecContext(context.WithoutCancel(ctx), query, args...)
}

func (u uncanceled) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return u.tx.QueryContext(context.WithoutCancel(ctx), query, args...)
}

func (u uncanceled) QueryxContext(ctx context.Context, query string, args ...any) (*sqlx.Rows, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return u.tx.QueryxContext(context.WithoutCancel(ctx), query, args...)
}

func (u uncanceled) QueryRowxContext(ctx context.Context, query string, args ...any) *sqlx.Row {
	return u.tx.QueryRowxContext(context.WithoutCancel(ctx), query, args...)
}

// writerQueue lets one write at a time have its turn, in the order in which they came.
type writerQueue struct {
	time    time.Duration // how long the writes of one commit may take
	mu      sync.Mutex
	busy    bool
	waiting []chan *sharedTx
}

// wait waits for the turn. It returns the transaction to go on with, or nil to begin one.
func (q *writerQueue) wait(ctx context.Context) (*sharedTx, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	q.mu.Lock()
	if !q.busy {
		q.busy = true
		q.mu.Unlock()
		return nil, nil
	}
	turn := make(chan *sharedTx, 1)
	q.waiting = append(q.waiting, turn)
	q.mu.Unlock()
	select {
	case shared := <-turn:
		return shared, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	at := slices.Index(q.waiting, turn)
	if at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	}
	q.mu.Unlock()
	if at < 0 {
		return <-turn, nil // it came at the same time, and must be passed on
	}
	return nil, context.Cause(ctx)
}

// pass gives the turn to the next write that waits, with the transaction to go on with, or with nil. Without one it
// reports false, and if the transaction was nil the queue is free.
func (q *writerQueue) pass(shared *sharedTx) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.busy = q.busy && shared != nil
		return false
	}
	next := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	next <- shared
	return true
}

func ignoreConnDone(err error) error {
	if errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}

func ignoreTxDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}
