package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hearthline/internal/config"
	"hearthline/internal/store"
)

// checkFiles refuses a key-encryption key that a copy of the data would include, keys that other users of the machine
// can read, and a database that they can write to. Missing files are fine: the portal creates them as private.
func checkFiles(cfg config.Config) error {
	errs := []error{checkPrivate("the keyset", cfg.Portal.KeysetFile)}
	if file := cfg.Portal.PushKeyFile; file != "" {
		errs = append(errs, checkPrivate("the key for browser notifications", file))
	}
	if kek := cfg.Portal.KEK; kek.Token == "" {
		errs = append(errs, checkApart(kek.File, cfg), checkPrivate("the key-encryption key", kek.File))
	}
	if database := databaseAddress(cfg); !store.IsPostgres(database) {
		errs = append(errs, checkNotWritable("the database", database),
			checkNotWritable("the folder of the database", filepath.Dir(database)))
	}
	return errors.Join(errs...)
}

// checkApart refuses a key-encryption key in or below a folder with data.
func checkApart(kek string, cfg config.Config) error {
	folders := []string{cfg.Data}
	if database := databaseAddress(cfg); !store.IsPostgres(database) {
		folders = append(folders, filepath.Dir(database))
	}
	for _, folder := range folders {
		if isBelow(realPath(kek), realPath(folder)) {
			return fmt.Errorf("the key-encryption key %s is in the data folder %s, so anyone who copies the folder can decrypt "+
				"the data: move the key, and set PORTAL_KEK_FILE to its new path", kek, folder)
		}
	}
	return nil
}

// checkPrivate refuses a file that the group or others can read. systemd gives the files of CREDENTIALS_DIRECTORY to
// one service only, partly by an access list that makes them look readable by the group.
func checkPrivate(what, path string) error {
	if folder := os.Getenv("CREDENTIALS_DIRECTORY"); folder != "" && isBelow(realPath(path), realPath(folder)) {
		return nil
	}
	if mode := modeOf(path); mode&0o044 != 0 {
		return fmt.Errorf("%s %s can be read by other users of this machine (mode %#o): run chmod go-rwx on it",
			what, path, mode)
	}
	return nil
}

func checkNotWritable(what, path string) error {
	if mode := modeOf(path); mode&0o002 != 0 {
		return fmt.Errorf("%s %s can be changed by every user of this machine (mode %#o): run chmod o-w on it",
			what, path, mode)
	}
	return nil
}

// modeOf returns the permissions of a file; 0 if they cannot be read, as for a file that does not exist yet.
func modeOf(path string) fs.FileMode {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Mode().Perm()
}

// realPath resolves the symbolic links of a path whose last elements may not exist.
func realPath(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		if absolute, err := filepath.Abs(resolved); err == nil {
			return absolute
		}
	}
	folder := filepath.Dir(path)
	if folder == path {
		return path
	}
	return filepath.Join(realPath(folder), filepath.Base(path))
}

func isBelow(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}
