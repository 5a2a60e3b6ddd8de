package sqldb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hearthline/internal/filelock"
)

// backupFolders is the pattern of the folders in which backups are written. The file is renamed when it is complete,
// so a file with its final name always is.
const backupFolders = ".portal-backup-*"

// backup uses its own connection, so no write waits for it.
func (s sqlite) backup(ctx context.Context, path string, finish func(ctx context.Context, copied *DB) error) error {
	folder := filepath.Dir(path)
	removeAbandoned(folder)
	temporary, err := os.MkdirTemp(folder, backupFolders) // only its owner can open it
	if err != nil {
		return fmt.Errorf("store: backup: %w", err)
	}
	copied := filepath.Join(temporary, "copy.db")
	held, err := filelock.Acquire(copied, "backup")
	if err == nil {
		err = s.copyTo(ctx, copied, finish)
		if err == nil {
			err = moveNew(copied, path)
		}
		err = errors.Join(err, held.Release())
	}
	if err = errors.Join(err, os.RemoveAll(temporary)); err != nil {
		return fmt.Errorf("store: backup: %w", err)
	}
	return nil
}

// removeAbandoned removes what killed backup processes left in a folder: nobody holds the locks on it.
// A failure to remove something does not prevent the next backup.
func removeAbandoned(folder string) {
	left, _ := filepath.Glob(filepath.Join(escapeGlob(folder), backupFolders)) // the pattern is valid
	for _, temporary := range left {
		held, err := filelock.Acquire(filepath.Join(temporary, "copy.db"), "backup")
		if err == nil {
			_ = os.RemoveAll(temporary)
			_ = held.Release()
		}
	}
}

// escapeGlob returns a pattern that matches only this path.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // nothing can be escaped there
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// copyTo writes a consistent copy into a new file that does not need another file beside it.
func (s sqlite) copyTo(ctx context.Context, path string, finish func(ctx context.Context, copied *DB) error) (
	err error) {
	if err := createPrivateFile(path, os.O_EXCL); err != nil {
		return err
	}
	from, err := s.connect(ctx, false)
	if err != nil {
		return err
	}
	_, err = from.ExecContext(ctx, `VACUUM INTO ?`, path)
	if err = errors.Join(err, from.Close()); err != nil {
		return err
	}
	copied, err := Connect(ctx, path)
	if err != nil {
		return err
	}
	if err := errors.Join(finish(ctx, copied), copied.Close()); err != nil {
		return err
	}
	return Detach(ctx, path)
}

// moveNew renames a file to a name that must not exist, and syncs the file and its folder to disk.
func moveNew(from, to string) error {
	if err := syncFile(from); err != nil {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("%s: %w", to, fs.ErrExist), err)
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncFile(filepath.Dir(to))
}

// syncFile syncs a file, or the entries of a folder, to disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
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
