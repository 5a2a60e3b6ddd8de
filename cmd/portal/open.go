package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/filelock"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/vault"
	"hearthline/migrations"
)

// openExisting opens the keys and the database for a command that may run beside a portal. It creates nothing,
// because a command with a mistyped path would otherwise create a new installation and report that it is fine, and
// migrates nothing, because the portal may be of another release.
func openExisting(ctx context.Context, cfg config.Config, now store.Clock) (*store.Store, *vault.Vault, error) {
	s, v, err := openUnchanged(ctx, cfg, now)
	if s != nil && err != nil {
		err = errors.Join(errCannotOpen(databaseAddress(cfg), err), s.Close())
	}
	return s, v, err
}

// openUnchanged is openExisting for callers that can use or migrate a database with an older schema: for such a
// database, it returns the open database with a *store.OlderSchemaError.
func openUnchanged(ctx context.Context, cfg config.Config, now store.Clock) (*store.Store, *vault.Vault, error) {
	address := databaseAddress(cfg)
	if err := checkNotRestoring(address); err != nil {
		return nil, nil, err
	}
	switch filled, err := store.HasData(ctx, address); {
	case err != nil:
		return nil, nil, errCannotOpen(address, err)
	case !filled:
		return nil, nil, errNoDatabase(cfg)
	}
	v, err := vault.Open(keyFiles(cfg))
	if err != nil {
		return nil, nil, err
	}
	s, err := store.OpenUnchanged(ctx, address, storeOptions(v, now))
	if s == nil {
		return nil, nil, errCannotOpen(address, err)
	}
	if keysErr := checkKeys(ctx, s, v, cfg); keysErr != nil {
		return nil, nil, errors.Join(keysErr, s.Close())
	}
	return s, v, err
}

func storeOptions(v *vault.Vault, now store.Clock) store.Options {
	return store.Options{MAC: v.MAC, VerifyMAC: v.VerifyMAC, Now: now, Hub: &pubsub.Hub{}}
}

// openOrCreate opens the keys and the database and migrates it. It creates a new installation if there is none.
func openOrCreate(ctx context.Context, cfg config.Config, now store.Clock) (*store.Store, *vault.Vault, error) {
	if err := createMissing(ctx, cfg); err != nil {
		return nil, nil, err
	}
	s, v, err := openUnchanged(ctx, cfg, now)
	if s == nil {
		return nil, nil, err
	}
	if err := s.Update(ctx); err != nil {
		return nil, nil, errors.Join(errCannotOpen(databaseAddress(cfg), err), s.Close())
	}
	err = s.BindKeys(ctx)
	if errors.Is(err, store.ErrOtherKeys) {
		err = errOtherKeys(cfg)
	}
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return s, v, nil
}

// createMissing creates the folder, the tables and the keys of a new installation, and continues where an earlier
// call was interrupted. Keys are created last, and only for a database that was never used with keys: new keys beside
// encrypted rows could decrypt none of them, and would encrypt later rows separately from them.
func createMissing(ctx context.Context, cfg config.Config) error {
	if err := createFolder(cfg); err != nil {
		return err
	}
	address := databaseAddress(cfg)
	filled, err := store.HasData(ctx, address)
	if err != nil {
		return errCannotOpen(address, err)
	}
	keys, err := hasKeys(cfg)
	if err != nil || filled && keys {
		return err
	}
	// The keys of several portals may be there before their PostgreSQL database is. A file, however, is always created
	// before its keys.
	if !filled && keys && !store.IsPostgres(address) {
		return errNoDatabase(cfg)
	}
	if !filled {
		s, err := store.Open(ctx, address, store.Options{})
		if err != nil {
			return errCannotOpen(address, err)
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
	files := keyFiles(cfg)
	if files.Create, err = neverUsed(ctx, address); err != nil {
		return errCannotOpen(address, err)
	}
	_, err = vault.Open(files)
	return err
}

func createFolder(cfg config.Config) error {
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return fmt.Errorf("the folder %s cannot be created (%w): check --data", cfg.Data, err)
	}
	return nil
}

// neverUsed reports whether a database was never written with keys.
func neverUsed(ctx context.Context, address string) (bool, error) {
	s, err := store.OpenUnchanged(ctx, address, store.Options{})
	if s == nil {
		return false, err
	}
	if err != nil { // it has an older schema
		return false, s.Close()
	}
	used, err := s.UsedWithKeys(ctx)
	return !used, errors.Join(err, s.Close())
}

func hasKeys(cfg config.Config) (bool, error) {
	_, err := os.Stat(cfg.Portal.KeysetFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// errNoDatabase explains what to do if the database is missing or empty.
func errNoDatabase(cfg config.Config) error {
	address := databaseAddress(cfg)
	name := store.AddressForDisplay(address)
	if keys, err := hasKeys(cfg); err != nil || !keys || store.IsPostgres(address) {
		return fmt.Errorf("there is no database at %s: check --data and PORTAL_DATABASE_URL; "+
			"serve, demo, migrate and user add create one", name)
	}
	what := "there is no database at " + name
	if _, err := os.Stat(address); err == nil {
		what = "the database " + name + " is empty"
	}
	return fmt.Errorf("%s, but its keys exist (%s), so it was lost or is elsewhere, and nothing was created: "+
		"check --data and PORTAL_DATABASE_URL. If it was lost, restore a backup with portal restore. "+
		"To begin a new installation, move the keys away", what, cfg.Portal.KeysetFile)
}

// checkKeys refuses keys that do not belong to the database, and a keyset without the key with which the portal
// encrypted last.
func checkKeys(ctx context.Context, s *store.Store, v *vault.Vault, cfg config.Config) error {
	err := s.CheckKeys(ctx)
	if errors.Is(err, store.ErrOtherKeys) {
		return errOtherKeys(cfg)
	}
	if err != nil {
		return err
	}
	used, err := s.Setting(ctx, currentKeySetting)
	if err == nil && used != "" && !v.HasKey(used) {
		return fmt.Errorf("the keyset %s does not have the key with which the portal encrypted last in this database, "+
			"and nothing was changed: it is older than the last keys rotate, or that key was deleted by keys retire later. "+
			"Use the keyset of the database's time", cfg.Portal.KeysetFile)
	}
	return err
}

func errOtherKeys(cfg config.Config) error {
	return fmt.Errorf("the keys in %s do not belong to the database %s, and nothing was changed: "+
		"use the keyset and the key-encryption key with which it was created (PORTAL_KEYSET_FILE, PORTAL_KEK_FILE), "+
		"or the database of these keys", cfg.Portal.KeysetFile, store.AddressForDisplay(databaseAddress(cfg)))
}

func errCannotOpen(address string, err error) error {
	name := store.AddressForDisplay(address)
	if errors.Is(err, store.ErrUnfinishedCopy) {
		return fmt.Errorf("the database %s is not complete: %w", name, err)
	}
	if errors.Is(err, migrations.ErrEarlierBuild) { // nothing else would help
		return fmt.Errorf("%s: %w", name, migrations.ErrEarlierBuild)
	}
	if errors.Is(err, store.ErrReleaseTooOld) {
		return fmt.Errorf("%s: %w", name, store.ErrReleaseTooOld)
	}
	if older, ok := errors.AsType[*store.OlderSchemaError](err); ok {
		return fmt.Errorf("the database %s has the schema of an earlier release (version %d; this release has %d), "+
			"and nothing was changed: start the portal of this release or run portal migrate, which update it, "+
			"or run this command with the earlier release", name, older.Version, older.Newest)
	}
	return fmt.Errorf("the database %s cannot be opened (%w): check its permissions, --data and PORTAL_DATABASE_URL",
		name, err)
}

// databaseAddress returns the path of the database file, or the URL of PostgreSQL.
func databaseAddress(cfg config.Config) string {
	if address := cfg.Portal.DatabaseURL.Value(); address != "" {
		return address
	}
	return filepath.Join(cfg.Data, "portal.db")
}

// restoring is the purpose for which portal restore locks a database: even commands that run beside a portal must not
// use it then.
const restoring = "portal restore"

// runAlone runs a command that needs an SQLite database for itself, unless another such command of any process has
// it. Several portals can share PostgreSQL.
func runAlone(cfg config.Config, command string, run func() error) error {
	address := databaseAddress(cfg)
	if store.IsPostgres(address) {
		return run()
	}
	lock, err := filelock.Acquire(address, "portal "+command)
	if held, ok := errors.AsType[*filelock.HeldError](err); ok {
		return errHeld(address, held)
	}
	if err != nil {
		return errCannotOpen(address, err)
	}
	return errors.Join(run(), lock.Release())
}

// createAlone is runAlone for a command that creates an installation where there is none.
func createAlone(cfg config.Config, command string, run func() error) error {
	if err := createFolder(cfg); err != nil {
		return err
	}
	return runAlone(cfg, command, run)
}

// createForUser creates the installation of the first user. With a database, user add may run beside a portal.
func createForUser(ctx context.Context, cfg config.Config) error {
	address := databaseAddress(cfg)
	filled, err := store.HasData(ctx, address)
	if err != nil {
		return errCannotOpen(address, err)
	}
	if keys, err := hasKeys(cfg); err != nil || filled && keys {
		return err
	}
	return createAlone(cfg, "user add", func() error {
		db, _, err := openOrCreate(ctx, cfg, time.Now)
		if err != nil {
			return err
		}
		return db.Close()
	})
}

// checkNotRestoring returns an error while portal restore replaces a database.
func checkNotRestoring(address string) error {
	if store.IsPostgres(address) {
		return nil
	}
	err := filelock.HeldFor(address, restoring)
	if held, ok := errors.AsType[*filelock.HeldError](err); ok {
		return errHeld(address, held)
	}
	if err != nil {
		return errCannotOpen(address, err)
	}
	return nil
}

func errHeld(address string, held *filelock.HeldError) error {
	by := "another process"
	if held.PID != 0 {
		by = fmt.Sprintf("%s (process %d)", held.Purpose, held.PID)
	}
	return fmt.Errorf("the database %s is in use by %s: stop it, or wait until it has ended. "+
		"Only PostgreSQL can be shared by several portals", address, by)
}
