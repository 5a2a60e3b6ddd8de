package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// Backup writes a consistent copy of the database to a file that must not exist, while the portal keeps
// running: it uses its own connection, so no write waits for it. Sealed columns stay sealed in the copy,
// which only this operating-system user can read.
func (s *Store) Backup(ctx context.Context, path string) (err error) {
	if err := createPrivateFile(path, os.O_EXCL); err != nil {
		return fmt.Errorf("store: backup: %w", err)
	}
	from, err := open(ctx, s.path, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if _, err := from.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return fmt.Errorf("store: backup: %w", err)
	}
	return nil
}

// scrubTimeout is how long a scrub waits for readers; writers have to wait for it meanwhile.
const scrubTimeout = 250 * time.Millisecond

// Scrub checkpoints the write-ahead log into the database file and truncates the log, which still contains
// rows that were deleted since. SQLite overwrites deleted rows in the database file. While a reader still
// uses the old snapshot, the log is not truncated; the next scrub does it.
func (s *Store) Scrub(ctx context.Context) (err error) {
	own, err := open(ctx, s.path, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.Close()) }()
	own.SetMaxOpenConns(1)
	if _, err := own.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, scrubTimeout.Milliseconds())); err != nil {
		return fmt.Errorf("store: scrub: %w", err)
	}
	var busy, log, moved int
	if err := own.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved); err != nil {
		return fmt.Errorf("store: scrub: %w", err)
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
