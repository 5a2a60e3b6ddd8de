package store

import (
	"context"
	"errors"
	"fmt"
	"os"
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

// createPrivateFile creates an empty file that only the current operating-system user can read. SQLite would
// apply the umask instead, and it gives its additional files the same permissions as the database file.
func createPrivateFile(path string, flag int) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|flag, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
