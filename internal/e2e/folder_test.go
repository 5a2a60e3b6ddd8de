package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"hearthline/internal/store/storetest"
)

// seededFiles are the files of a new demo's folder after its start, by name. The demo seeds an empty folder once for
// all tests; TestMainJob_PlainHTTP and a few others start with an empty one.
var seededFiles = sync.OnceValues(func() (files map[string][]byte, err error) {
	dir, err := os.MkdirTemp("", "hearthline-e2e-folder-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	d, err := runDemo(dir, nil)
	if err != nil {
		return nil, err
	}
	d.stop()
	entries, err := os.ReadDir(dir)
	files = map[string][]byte{}
	for _, entry := range entries {
		content, readErr := os.ReadFile(filepath.Join(dir, entry.Name()))
		files[entry.Name()], err = content, errors.Join(err, readErr)
	}
	return files, err
})

// seededFolder returns a folder with the people and leads of a new demo, for startDemo.
func seededFolder(t *testing.T) string {
	t.Helper()
	files, err := seededFiles()
	if err != nil {
		t.Fatal(err)
	}
	dir := storetest.TempDir(t)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
