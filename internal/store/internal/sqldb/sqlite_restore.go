package sqldb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hearthline/internal/filelock"
)

// companions are the suffixes of the files that SQLite may keep beside a database. They belong to that database:
// beside another database, SQLite would apply them to it.
var companions = []string{"-wal", "-shm", "-journal"}

// ErrUsed is returned for a file that another connection has open.
var ErrUsed = errors.New("store: another process has the database open")

// CheckFile checks that a file is a complete SQLite database that needs no other file, and reads nothing but it. A
// damaged file is an error.
func CheckFile(ctx context.Context, path string) (err error) {
	for _, ending := range companions {
		if info, err := os.Stat(path + ending); err == nil && info.Size() > 0 && ending != "-shm" {
			return fmt.Errorf("beside it is %s with changes that it does not contain, so it is not a backup but a database "+
				"that was copied or moved by other means", filepath.Base(path)+ending)
		}
	}
	db, err := sqlite{path}.dial(ctx, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var findings []string
	if err := db.SelectContext(ctx, &findings, `PRAGMA integrity_check(3)`); err != nil {
		return err
	}
	if len(findings) != 1 || findings[0] != "ok" {
		return fmt.Errorf("it is damaged: %s", strings.ReplaceAll(strings.Join(findings, "; "), "\n", " "))
	}
	return nil
}

// CopyFile copies a database that CheckFile has accepted, to a path where it replaces what an interrupted call left.
// Only the owner of the database beside it can read the copy.
func CopyFile(from, to, beside string) (err error) {
	if err := RemoveFile(to); err != nil {
		return err
	}
	source, err := os.Open(from) //nolint:gosec // the operator names it
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	filelock.InheritOwner(target, beside)
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

// RemoveFile deletes a database and the files beside it, if they exist.
func RemoveFile(path string) (err error) {
	for _, ending := range append([]string{""}, companions...) {
		if removed := os.Remove(path + ending); !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	return err
}

// Detach makes a database a single file until it is opened again. It returns ErrUsed while another connection
// has it open.
func Detach(ctx context.Context, path string) (err error) {
	db, err := sqlite{path}.dial(ctx, url.Values{"mode": {"rw"}, "_busy_timeout": {"0"}, "_synchronous": {"FULL"}})
	if isBusy(err) {
		return ErrUsed
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	var mode string
	err = db.GetContext(ctx, &mode, `PRAGMA journal_mode = DELETE`)
	if isBusy(err) || err == nil && mode != "delete" {
		return ErrUsed
	}
	return err
}

// Replace replaces a database with another that is a single file, and keeps the old one under a new name in the same
// folder. The old one may be damaged or missing. A process that is killed during Replace leaves the old database, the
// new one or, only if the old one is damaged and has a log beside it, neither; then Replace can be called again. The
// caller ensures that nobody opens the database in the meantime; Replace returns ErrUsed if somebody has it open. It
// reports whether the new database is in place, which an error at the end does not undo.
func Replace(ctx context.Context, path, with, kept string) (replaced bool, err error) {
	if err := syncFile(with); err != nil {
		return false, err
	}
	steps, err := replaceSteps(ctx, path, with, kept)
	if err != nil {
		return false, err
	}
	if err := runSteps(steps); err != nil {
		return false, err
	}
	return true, syncFile(filepath.Dir(path))
}

// runSteps runs all steps, or undoes those that were done when one fails.
func runSteps(steps []replaceStep) error {
	for i, step := range steps {
		err := step.do()
		if err == nil {
			continue
		}
		for _, earlier := range slices.Backward(steps[:i]) {
			err = errors.Join(err, earlier.undo())
		}
		return err
	}
	return nil
}

// replaceStep is one rename or link.
type replaceStep struct{ do, undo func() error }

// moveStep renames a file, if it exists.
func moveStep(from, to string) replaceStep {
	move := func(from, to string) func() error {
		return func() error {
			if err := os.Rename(from, to); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
	}
	return replaceStep{move(from, to), move(to, from)}
}

// replaceSteps returns the steps of Replace in order.
func replaceSteps(ctx context.Context, path, with, kept string) (steps []replaceStep, err error) {
	place := replaceStep{do: func() error { return os.Rename(with, path) }}
	if there, err := exists(kept); err != nil || there {
		return nil, errors.Join(fmt.Errorf("%s: %w", kept, fs.ErrExist), err)
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.Size() > 0: // beside an empty file, SQLite would delete the log
		if err := Detach(ctx, path); errors.Is(err, ErrUsed) {
			return nil, err
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	there, err := exists(path)
	if err != nil {
		return nil, err
	}
	beside, err := companionOf(path)
	if err != nil {
		return nil, err
	}
	if there && beside == "" {
		// The whole database is in its file, which is linked under a second name before the new database takes over the
		// first one.
		link := replaceStep{func() error { return os.Link(path, kept) }, func() error { return os.Remove(kept) }}
		return []replaceStep{link, place}, nil
	}
	// A database that SQLite cannot read is moved together with its companion files, which must be gone before the new
	// database is in place.
	for _, ending := range append([]string{""}, companions...) {
		steps = append(steps, moveStep(path+ending, kept+ending))
	}
	return append(steps, place), nil
}

// companionOf returns a file beside a database that belongs to it; empty if there is none.
func companionOf(path string) (string, error) {
	for _, ending := range companions {
		if there, err := exists(path + ending); err != nil || there {
			return path + ending, err
		}
	}
	return "", nil
}

func exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
