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
type Template struct{ image func() ([]byte, error) }

// NewTemplate returns the template of the database that seed leaves. The first copy calls seed, with an empty store
// of the newest schema.
func NewTemplate(options store.Options, seed func(s *store.Store) error) *Template {
	return &Template{sync.OnceValues(func() ([]byte, error) { return buildImage(options, seed) })}
}

// buildImage returns the content of a seeded database file. Closing the store writes its log back into that file.
func buildImage(options store.Options, seed func(s *store.Store) error) (image []byte, err error) {
	dir, err := os.MkdirTemp("", "hearthline-template-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "portal.db")
	// Not the context of the first test: the other tests use the result too.
	s, err := store.Open(context.Background(), path, options)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(seed(s), s.Close()); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		return nil, errors.New("storetest: the template still has a log")
	}
	return os.ReadFile(path)
}

// CopyTo writes the template's database to a new file, for store.Open.
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

// migrated is the template without rows.
var migrated = NewTemplate(store.Options{}, func(*store.Store) error { return nil })

// NewFile returns the path of a new database file that has the newest schema and no rows, for store.Open. It is
// deleted when the test ends.
func NewFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(TempDir(t), "portal.db")
	migrated.CopyTo(t, path)
	return path
}

const (
	memoryDir = "/dev/shm" // where Linux keeps temporary files in memory
	minMemory = 256 << 20  // the free space that it must have, because containers often limit it to 64 MiB
)

// TempDir returns a folder that is deleted when the test ends: in memory where the system offers that, because the
// portal waits for the disk at every commit, otherwise t.TempDir.
func TempDir(t testing.TB) string {
	t.Helper()
	var disk syscall.Statfs_t
	if err := syscall.Statfs(memoryDir, &disk); err != nil || disk.Bavail*uint64(disk.Bsize) < minMemory {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memoryDir, "hearthline-test-")
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
