package sqldb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// backup uses its own connection, so no write waits for it.
func (s sqlite) backup(ctx context.Context, path string) (err error) {
	if err := createPrivateFile(path, os.O_EXCL); err != nil {
		return fmt.Errorf("store: backup: %w", err)
	}
	from, err := s.connect(ctx, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if _, err := from.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return fmt.Errorf("store: backup: %w", err)
	}
	return nil
}

// scrubWait is how long writers wait for readers while the log is truncated; scrubTries is the number of attempts.
const (
	scrubWait  = 100 * time.Millisecond
	scrubTries = 5
)

// scrub copies the write-ahead log into the database file and truncates the log, which still contains rows that were
// deleted since; SQLite overwrites deleted rows in the database file. While a reader uses an old snapshot, the log is
// not truncated: the next scrub does it.
func (s sqlite) scrub(ctx context.Context) (err error) {
	db, err := s.connect(ctx, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, scrubWait.Milliseconds())); err != nil {
		return fmt.Errorf("store: scrub: %w", err)
	}
	for range scrubTries {
		var busy bool
		var pages, copied int
		if err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &copied); err != nil {
			return fmt.Errorf("store: scrub: %w", err)
		}
		if !busy {
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
