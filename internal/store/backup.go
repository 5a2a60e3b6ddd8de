package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// Backup writes a consistent copy of the database to a file that must not exist, while
// everything goes on: it has a connection of its own, so that no write waits for it.
// Sealed columns stay sealed in the copy, which only this user may read.
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

// scrubTimeout is how long a scrub waits for readers; it stands in the way of writers then.
const scrubTimeout = 250 * time.Millisecond

// Scrub moves what was written into the database file and empties the log beside it, where
// what was deleted since stands yet. Deleted rows are overwritten in the file itself. While
// somebody reads what was before, nothing is emptied: the next scrub will.
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

// createPrivateFile makes an empty file that nobody else may read; SQLite would leave that to
// the umask, and gives the rights of the database to the files beside it.
func createPrivateFile(path string, flag int) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|flag, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
