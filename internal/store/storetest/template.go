package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"hearthline/internal/store"
)

// Template is a database that tests copy, so that one process migrates and seeds it only once. Create it with
// NewTemplate. Several tests may copy it at the same time.
type Template struct {
	image    func() ([]byte, error)
	postgres func() (address string, err error)
}

// NewTemplate returns the template of the database that seed leaves. The first copy calls seed, with an empty store
// of the newest schema.
func NewTemplate(options store.Options, seed func(s *store.Store) error) *Template {
	return &Template{
		sync.OnceValues(func() ([]byte, error) { return buildImage(options, seed) }),
		sync.OnceValues(func() (string, error) { return buildPostgres(options, seed) }),
	}
}

// buildImage returns the content of a seeded database file. Closing the store writes its log back into that file.
func buildImage(options store.Options, seed func(s *store.Store) error) (image []byte, err error) {
	dir, err := os.MkdirTemp("", "hearthline-template-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "portal.db")
	if err := build(path, options, seed); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		return nil, errors.New("storetest: the template still has a log")
	}
	return os.ReadFile(path)
}

func buildPostgres(options store.Options, seed func(s *store.Store) error) (address string, err error) {
	server, err := startedPostgres()
	if err != nil {
		return "", err
	}
	if address, err = server.create(""); err != nil {
		return "", err
	}
	return address, build(address, options, seed)
}

func build(address string, options store.Options, seed func(s *store.Store) error) error {
	// Not the context of the first test: the other tests use the result too.
	s, err := store.Open(context.Background(), address, options)
	if err != nil {
		return err
	}
	return errors.Join(seed(s), s.Close())
}

// OnPostgres reports whether tests run on PostgreSQL.
func OnPostgres() bool { return os.Getenv("PORTAL_TEST_DATABASE") == "postgres" }

// Copy returns the address of a copy, for store.Open: of an SQLite file, or of a database in PostgreSQL when
// PORTAL_TEST_DATABASE is postgres. It is deleted when the test ends.
func (m *Template) Copy(t testing.TB) (address string) {
	t.Helper()
	if OnPostgres() {
		return m.CopyPostgres(t)
	}
	return m.copyFile(t)
}

func (m *Template) copyFile(t testing.TB) (path string) {
	t.Helper()
	path = filepath.Join(TempDir(t), "portal.db")
	m.CopyTo(t, path)
	return path
}

// CopyTo writes the template's database to a new SQLite file, for store.Open.
func (m *Template) CopyTo(t testing.TB, path string) {
	t.Helper()
	image, err := m.image()
	if err == nil {
		err = os.WriteFile(path, image, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// CopyPostgres is Copy to PostgreSQL, whatever PORTAL_TEST_DATABASE is. It skips the test when there is none.
func (m *Template) CopyPostgres(t testing.TB) (address string) {
	t.Helper()
	requirePostgres(t)
	template, err := m.postgres()
	if err != nil {
		t.Fatal(err)
	}
	return createPostgres(t, template)
}

// createPostgres creates a database, empty or as a copy of another, until the test ends.
func createPostgres(t testing.TB, copyOf string) (address string) {
	t.Helper()
	server := requirePostgres(t)
	address, err := server.create(copyOf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.drop(address); err != nil {
			t.Error(err)
		}
	})
	return address
}

// migrated is the template without rows.
var migrated = NewTemplate(store.Options{}, func(*store.Store) error { return nil })

// NewDatabase returns the address of a new database with the newest schema and no rows, as Copy does.
func NewDatabase(t testing.TB) (address string) {
	t.Helper()
	return migrated.Copy(t)
}

// NewFile is NewDatabase in an SQLite file.
func NewFile(t testing.TB) (path string) {
	t.Helper()
	return migrated.copyFile(t)
}

// NewPostgres is NewDatabase in PostgreSQL. It skips the test when there is none.
func NewPostgres(t testing.TB) (address string) {
	t.Helper()
	return migrated.CopyPostgres(t)
}

// CopyOfPostgres returns the address of a copy of a database that is not in use.
func CopyOfPostgres(t testing.TB, address string) (copied string) {
	t.Helper()
	return createPostgres(t, address)
}

// EmptyPostgres returns the address of a new database in PostgreSQL without any table. It skips the test when there is
// none.
func EmptyPostgres(t testing.TB) (address string) {
	t.Helper()
	return createPostgres(t, "")
}

const (
	memoryDir = "/dev/shm" // where Linux keeps temporary files in memory
	minMemory = 256 << 20  // the free space that it must have, because containers often limit it to 64 MiB
)

// TempDir returns a folder that is deleted when the test ends: in memory where the system offers that, because the
// portal waits for the disk at every commit, otherwise t.TempDir.
func TempDir(t testing.TB) string {
	t.Helper()
	parent := temporaryFolder()
	if parent == "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(parent, "hearthline-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// temporaryFolder is the folder in memory for temporary files; empty where the system has none with enough space.
func temporaryFolder() string {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(memoryDir, &disk); err != nil || disk.Bavail*uint64(disk.Bsize) < minMemory {
		return ""
	}
	return memoryDir
}
