package store

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
)

// A checkpoint follows every checkpointCommits commits, after checkpointPause, in which more commits can come. Not each commit: the
// one after a checkpoint begins the log again, and waits for one more sync.
const (
	checkpointCommits = 32
	checkpointPause   = 100 * time.Millisecond
)

// writerPages is the length of the log, 32 MB, at which the writer makes a checkpoint, too. The log begins again at its start
// when a write finds that all of it was copied and nobody reads it; while there is always another write, only the writer's
// checkpoint copies all. From longPages on, a checkpoint follows each commit after longPause, so that little is left for the writer.
const (
	writerPages = 8_000
	longPages   = 4_000
	longPause   = 10 * time.Millisecond
)

// A scrub holds up writers only while it truncates the log, and waits for readers meanwhile for scrubTimeout at most. It
// tries a few times.
const (
	scrubTimeout = 20 * time.Millisecond
	scrubTries   = 10
)

// checkpoints copy commits from the write-ahead log of SQLite into the database file beside the writes, on another connection than
// the writer's. Otherwise the commit that makes the log too long does it, and the writes after it wait. A nil
// pointer is a database that needs none.
type checkpoints struct {
	db      *sqlx.DB // one connection, because a checkpoint does nothing while another one runs
	commits atomic.Int64
	long    atomic.Bool   // the log had longPages at the last checkpoint
	due     chan struct{} // has a value until the checkpoint that is due begins
	stop    context.CancelFunc
	stopped chan struct{} // closed by run
}

func (e sqlite) startCheckpoints(ctx context.Context) (*checkpoints, error) {
	db, err := e.connect(ctx, false)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, scrubTimeout.Milliseconds())); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	c := &checkpoints{db: db, due: make(chan struct{}, 1), stop: stop, stopped: make(chan struct{})}
	go c.run(running)
	return c, nil
}

// committed says that something was committed.
func (c *checkpoints) committed() {
	if c == nil || c.commits.Add(1)%checkpointCommits != 0 && !c.long.Load() {
		return
	}
	select {
	case c.due <- struct{}{}:
	default:
	}
}

func (c *checkpoints) run(ctx context.Context) {
	defer close(c.stopped)
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.due:
		}
		pause := checkpointPause
		if c.long.Load() {
			pause = longPause
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		select { // what became due meanwhile is copied too
		case <-c.due:
		default:
		}
		if done, err := c.checkpoint(ctx, "PASSIVE"); err == nil { // after an error the next one copies the same pages
			c.long.Store(done.pages >= longPages)
		}
	}
}

// checkpointed is what a checkpoint did.
type checkpointed struct {
	busy  bool // it could not do all that its mode asks for
	pages int  // in the log, also those that were copied before
}

// checkpoint makes a checkpoint. PASSIVE waits for nobody, and nobody waits for it. A checkpoint that has begun is finished.
func (c *checkpoints) checkpoint(ctx context.Context, mode string) (done checkpointed, err error) {
	var copied int
	err = c.db.QueryRowContext(context.WithoutCancel(ctx), `PRAGMA wal_checkpoint(`+mode+`)`).Scan(&done.busy, &done.pages, &copied)
	return done, err
}

// scrub copies the log into the database file and truncates the log, which still contains rows that were deleted since. SQLite
// overwrites deleted rows in the database file. Writers and readers continue while the log is copied, which takes longest. While a
// reader still uses an old snapshot, the log is not truncated; the next scrub does it.
func (c *checkpoints) scrub(ctx context.Context) error {
	if c == nil {
		return nil
	}
	for range scrubTries {
		done, err := c.checkpoint(ctx, "PASSIVE")
		if err == nil {
			done, err = c.checkpoint(ctx, "TRUNCATE")
		}
		if err != nil {
			return fmt.Errorf("store: scrub: %w", err)
		}
		if !done.busy {
			return nil
		}
		select { // another process may be making a checkpoint
		case <-ctx.Done():
			return fmt.Errorf("store: scrub: %w", context.Cause(ctx))
		case <-time.After(scrubTimeout):
		}
	}
	return nil
}

// Close waits for a checkpoint that has begun.
func (c *checkpoints) Close() error {
	if c == nil {
		return nil
	}
	c.stop()
	<-c.stopped
	return c.db.Close()
}
