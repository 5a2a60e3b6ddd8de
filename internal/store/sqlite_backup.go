package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// backup uses its own connection, so no write waits for it.
func (e sqlite) backup(ctx context.Context, path string) (err error) {
	if err := createPrivateFile(path, os.O_EXCL); err != nil {
		return fmt.Errorf("store: backup: %w", err)
	}
	from, err := e.connect(ctx, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if _, err := from.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return fmt.Errorf("store: backup: %w", err)
	}
	return nil
}

// A scrub holds up writers only while it truncates the log, and waits for readers meanwhile for scrubTimeout at most. It
// tries a few times.
const (
	scrubTimeout = 20 * time.Millisecond
	scrubTries   = 10
)

// scrub checkpoints the write-ahead log into the database file and truncates the log, which still contains
// rows that were deleted since. SQLite overwrites deleted rows in the database file. Writers and readers continue while the
// log is copied, which takes longest. While a reader still uses an old snapshot, the log is not truncated; the next scrub
// does it.
func (e sqlite) scrub(ctx context.Context) (err error) {
	own, err := e.connect(ctx, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.Close()) }()
	own.SetMaxOpenConns(1)
	if _, err := own.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, scrubTimeout.Milliseconds())); err != nil {
		return fmt.Errorf("store: scrub: %w", err)
	}
	var busy, log, moved int
	for range scrubTries {
		for _, mode := range []string{"PASSIVE", "TRUNCATE"} {
			if err := own.QueryRowContext(ctx, `PRAGMA wal_checkpoint(`+mode+`)`).Scan(&busy, &log, &moved); err != nil {
				return fmt.Errorf("store: scrub: %w", err)
			}
		}
		if busy == 0 {
			return nil
		}
	}
	return nil
}

// createPrivateFile creates an empty file that only the current operating-system user can read. SQLite would
// apply the umask instead, and it gives its additional files the same permissions as the database file.
func createPrivateFile(path string, flag int) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|flag, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
