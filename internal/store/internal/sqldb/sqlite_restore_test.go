package sqldb

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// databaseWith creates a database with one value.
func databaseWith(t *testing.T, path, value string) *DB {
	t.Helper()
	db, err := Connect(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`CREATE TABLE leads (app TEXT)`, `INSERT INTO leads VALUES ('` + value + `')`} {
		if _, err := db.write.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// valueOf reads the value in a database; empty if there is none.
func valueOf(t *testing.T, path string) string {
	t.Helper()
	if there, err := exists(path); err != nil || !there {
		return ""
	}
	db, err := Connect(t.Context(), path)
	if err != nil {
		return "damaged"
	}
	defer func() { _ = db.Close() }()
	var value string
	if err := db.read.Get(&value, `SELECT app FROM leads`); err != nil {
		return "damaged"
	}
	return value
}

// replacedDatabases are those that are replaced, by what is true of them.
var replacedDatabases = map[string]struct {
	create func(t *testing.T, path string)
	value  string // of the database until it is replaced
	gap    bool   // whether there is none for a moment
}{
	"closed": {func(t *testing.T, path string) {
		if err := databaseWith(t, path, "old").Close(); err != nil {
			t.Fatal(err)
		}
	}, "old", false},
	"with a log": {func(t *testing.T, path string) { // as left by a killed process
		db := databaseWith(t, path+"-running", "old")
		defer func() { _ = db.Close() }()
		for _, ending := range []string{"", "-wal"} {
			copyForTest(t, path+"-running"+ending, path+ending)
		}
	}, "old", false},
	"damaged": {func(t *testing.T, path string) { writeForTest(t, path, "no database") }, "damaged", false},
	"damaged, with a log": {func(t *testing.T, path string) {
		writeForTest(t, path, "no database")
		writeForTest(t, path+"-wal", "no log")
	}, "damaged", true},
	"damaged, with the whole log": {func(t *testing.T, path string) { // which SQLite can read
		writeForTest(t, path, "no database")
		db := databaseWith(t, path+"-running", "old")
		defer func() { _ = db.Close() }()
		copyForTest(t, path+"-running-wal", path+"-wal")
	}, "old", false},
	"missing": {func(*testing.T, string) {}, "", true},
	"missing, with a log": {func(t *testing.T, path string) {
		db := databaseWith(t, path+"-running", "log of the missing one")
		defer func() { _ = db.Close() }()
		copyForTest(t, path+"-running-wal", path+"-wal")
	}, "", true},
	"empty": {func(t *testing.T, path string) { writeForTest(t, path, "") }, "damaged", false},
}

func writeForTest(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyForTest(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	writeForTest(t, to, string(text))
}

// newReplacement returns the paths of a database to replace and of its replacement.
func newReplacement(t *testing.T, create func(t *testing.T, path string)) (path, with string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "portal.db")
	with = path + ".restoring"
	create(t, path)
	if err := databaseWith(t, with, "new").Close(); err != nil {
		t.Fatal(err)
	}
	if err := Detach(t.Context(), with); err != nil {
		t.Fatal(err)
	}
	return path, with
}

// TestReplace_EndedAfterEachStep_OldOrNew stops the replacement after each of its steps, as if the process were
// killed, and then runs Replace again.
func TestReplace_EndedAfterEachStep_OldOrNew(t *testing.T) {
	t.Parallel()
	for name, tt := range replacedDatabases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for done, all := 0, 1; done <= all; done++ {
				path, with := newReplacement(t, tt.create)
				steps, err := replaceSteps(t.Context(), path, with, path+".kept")
				if err != nil {
					t.Fatal(err)
				}
				all = len(steps)
				for _, step := range steps[:done] {
					if err := step.do(); err != nil {
						t.Fatal(err)
					}
				}
				got := valueOf(t, path)
				if got != "new" && got != tt.value && (got != "" || !tt.gap) || done == all && got != "new" {
					t.Errorf("after %d of %d steps: got %q", done, all, got)
				}
				if done == all && tt.value == "old" && valueOf(t, path+".kept") != "old" {
					t.Errorf("the replaced database: got %q", valueOf(t, path+".kept"))
				}
				if err := databaseWith(t, path+".second", "again").Close(); err != nil {
					t.Fatal(err)
				}
				if err := Detach(t.Context(), path+".second"); err != nil {
					t.Fatal(err)
				}
				if replaced, err := Replace(t.Context(), path, path+".second", path+".kept again"); err != nil || !replaced {
					t.Fatalf("once more after %d steps: got %v, %v", done, replaced, err)
				}
				if got := valueOf(t, path); got != "again" {
					t.Errorf("once more after %d steps: got %q", done, got)
				}
			}
		})
	}
}

// TestReplace_StepFails_Undone makes the last step fail because the replacement is missing.
func TestReplace_StepFails_Undone(t *testing.T) {
	t.Parallel()
	for name, tt := range replacedDatabases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, with := newReplacement(t, tt.create)
			steps, err := replaceSteps(t.Context(), path, with, path+".kept")
			if err != nil {
				t.Fatal(err)
			}
			before := filesBeside(t, path)
			steps[len(steps)-1].do = func() error { return fs.ErrPermission }
			if err := runSteps(steps); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("got %v, want the error", err)
			}
			if after := filesBeside(t, path); after != before {
				t.Errorf("got the files %s, want %s", after, before)
			}
		})
	}
}

func filesBeside(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

func TestReplace_InUseOrNameTaken_NothingChanged(t *testing.T) {
	t.Parallel()
	path, with := newReplacement(t, func(*testing.T, string) {})
	db := databaseWith(t, path, "old")
	if replaced, err := Replace(t.Context(), path, with, path+".kept"); replaced || !errors.Is(err, ErrUsed) {
		t.Errorf("in use: got %v, %v, want it refused", replaced, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	writeForTest(t, path+".kept", "something")
	if replaced, err := Replace(t.Context(), path, with, path+".kept"); replaced || !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: got %v, %v, want it refused", replaced, err)
	}
	if got := valueOf(t, path); got != "old" {
		t.Errorf("got %q, want the database unchanged", got)
	}
}

// TestCheckFile_IncompleteDatabase_Rejected checks files that cannot be restored, and that nothing is written beside
// them.
func TestCheckFile_IncompleteDatabase_Rejected(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	db := databaseWith(t, file("running"), "a")
	for range 12 { // enough pages that damage can be in the middle
		if _, err := db.write.Exec(`INSERT INTO leads SELECT hex(randomblob(3000)) FROM leads`); err != nil {
			t.Fatal(err)
		}
	}
	if err := CheckFile(t.Context(), file("running")); err == nil || !strings.Contains(err.Error(), "running-wal") {
		t.Errorf("with a log: got %v, want it refused", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := CheckFile(t.Context(), file("running")); err != nil {
		t.Errorf("closed: got %v", err)
	}
	whole, err := os.ReadFile(file("running"))
	if err != nil {
		t.Fatal(err)
	}
	writeForTest(t, file("text"), "no database")
	writeForTest(t, file("short"), string(whole[:len(whole)-4096*20]))
	middle := len(whole) / 2 / 4096 * 4096
	writeForTest(t, file("damaged"), string(whole[:middle])+strings.Repeat("x", 4096)+string(whole[middle+4096:]))
	before := filesBeside(t, file("text"))
	for _, name := range []string{"text", "short", "damaged"} {
		if err := CheckFile(t.Context(), file(name)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if after := filesBeside(t, file("text")); after != before {
		t.Errorf("got the files %s, want %s", after, before)
	}
}

// TestBackup_Fails_NoFile makes a backup fail at each of its steps.
func TestBackup_Fails_NoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := databaseWith(t, filepath.Join(dir, "portal.db"), "a")
	t.Cleanup(func() { _ = db.Close() })
	folder := filepath.Join(dir, "back [up]")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(folder, "copy.db")
	wantNothing := func(what string, err error) {
		t.Helper()
		if err == nil {
			t.Errorf("%s: got no error", what)
		}
		if got := filesBeside(t, to); got != "" {
			t.Errorf("%s: left %s", what, got)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	nothing := func(context.Context, *DB) error { return nil }
	wantNothing("canceled", Backup(canceled, db, to, nothing))
	full := errors.New("disk full")
	wantNothing("at the end", Backup(t.Context(), db, to, func(context.Context, *DB) error { return full }))
	during, stop := context.WithCancel(t.Context())
	wantNothing("canceled at the end", Backup(during, db, to, func(context.Context, *DB) error {
		stop()
		return nil
	}))

	// Files left by a killed process are removed; those of a running process are not.
	abandoned := filepath.Join(folder, ".portal-backup-1")
	if err := os.Mkdir(abandoned, 0o700); err != nil {
		t.Fatal(err)
	}
	writeForTest(t, filepath.Join(abandoned, "copy.db"), "half a copy")
	err := Backup(t.Context(), db, to, func(context.Context, *DB) error {
		return Backup(t.Context(), db, filepath.Join(folder, "other.db"), nothing)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := filesBeside(t, to); got != "copy.db other.db" {
		t.Errorf("got %s, want the two backups", got)
	}
	for _, name := range []string{"copy.db", "other.db"} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %v, %v, want a file that only its owner can read", name, info, err)
		}
		if err := CheckFile(t.Context(), filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	if err := Backup(t.Context(), db, to, nothing); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over another file: got %v, want it refused", err)
	}
}
