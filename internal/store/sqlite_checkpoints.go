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

// writerPages is the length of the log, 200 MB, at which the writer makes a checkpoint, too. The log begins again at its start
// when a write finds that all of it was copied and nobody reads it; while there is always another write, only the writer's
// checkpoint copies all.
const writerPages = 50_000

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
	if c == nil || c.commits.Add(1)%checkpointCommits != 0 {
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
		select {
		case <-ctx.Done():
			return
		case <-time.After(checkpointPause):
		}
		select { // what became due meanwhile is copied too
		case <-c.due:
		default:
		}
		_, _ = c.checkpoint(ctx, "PASSIVE") // after an error the next one copies the same pages
	}
}

// checkpoint reports whether it did all that its mode asks for. PASSIVE waits for nobody, and nobody waits for it. A checkpoint
// that has begun is finished.
func (c *checkpoints) checkpoint(ctx context.Context, mode string) (complete bool, err error) {
	var busy, pages, copied int
	err = c.db.QueryRowContext(context.WithoutCancel(ctx), `PRAGMA wal_checkpoint(`+mode+`)`).Scan(&busy, &pages, &copied)
	return busy == 0, err
}

// scrub copies the log into the database file and truncates the log, which still contains rows that were deleted since. SQLite
// overwrites deleted rows in the database file. Writers and readers continue while the log is copied, which takes longest. While a
// reader still uses an old snapshot, the log is not truncated; the next scrub does it.
func (c *checkpoints) scrub(ctx context.Context) error {
	if c == nil {
		return nil
	}
	for try := range scrubTries {
		if err := c.beforeTry(ctx, try); err != nil {
			return fmt.Errorf("store: scrub: %w", err)
		}
		_, err := c.checkpoint(ctx, "PASSIVE")
		truncated := false
		if err == nil {
			truncated, err = c.checkpoint(ctx, "TRUNCATE")
		}
		if err != nil {
			return fmt.Errorf("store: scrub: %w", err)
		}
		if truncated {
			return nil
		}
	}
	return nil
}

// beforeTry waits, before all but the first try, because another process may make a checkpoint.
func (c *checkpoints) beforeTry(ctx context.Context, try int) error {
	pause := time.Duration(0)
	if try > 0 {
		pause = scrubTimeout
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pause):
		return nil
	}
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
