package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"hearthline/internal/store"
)

// backup writes a copy of the database while the portal runs. The copy does not contain the keys: store the keyset
// and the key that wraps it elsewhere.
func (i *installation) backup(ctx context.Context, to string) error {
	if err := checkWritable(to); err != nil {
		return err
	}
	err := i.db.Backup(ctx, to)
	if errors.Is(err, store.ErrOwnBackup) {
		err = errors.New("this database is PostgreSQL, which has its own tools for backups: " +
			"use pg_dump or an archive of its log, as OPERATIONS.md describes. Nothing was written")
	}
	return i.report(err, "The database was copied to %s. The copy does not contain the keys.\n", to)
}

// checkWritable rejects a path that no backup can be written to, before the backup begins.
func checkWritable(path string) error {
	folder := filepath.Dir(path)
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder: specify a file", path)
	case err == nil:
		return fmt.Errorf("%s already exists, and a backup never overwrites a file: choose another name", path)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("the folder %s does not exist: create it or choose another", folder)
	}
	return nil
}
