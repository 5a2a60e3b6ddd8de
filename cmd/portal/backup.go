package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/store"
)

// backup writes a copy of the database while the portal is running, and does not change the database. The copy does not
// contain the keys: store the keyset and the key that wraps it elsewhere.
func backup(ctx context.Context, cfg config.Config, to string, s streams) error {
	db, _, err := openUnchanged(ctx, cfg, time.Now)
	older, isOlder := errors.AsType[*store.OlderSchemaError](err)
	if err != nil && !isOlder {
		return err
	}
	if err = checkWritable(to); err == nil {
		if err = db.Backup(ctx, to); err != nil && !errors.Is(err, store.ErrOwnBackup) {
			err = fmt.Errorf("the backup %s could not be written, and no file was left: %w", to, err)
		}
	}
	switch {
	case errors.Is(err, store.ErrOwnBackup):
		err = errors.New("this database is PostgreSQL, which has its own tools for backups: " +
			"use pg_dump or an archive of its log, as OPERATIONS.md describes. Nothing was written")
	case ctx.Err() != nil && err != nil:
		err = errors.New("interrupted: nothing was written")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "The database was copied to %s. The copy does not contain the keys.\n", to)
	if isOlder {
		fmt.Fprintf(s.out, "The database and the copy have the schema of an earlier release (version %d; this release has "+
			"%d). They are updated when this release starts, or restores the copy.\n", older.Version, older.Newest)
	}
	return nil
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
