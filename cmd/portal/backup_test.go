package main

import (
	"os"
	"path/filepath"
	"testing"

	"hearthline/internal/store/storetest"
)

// TestBackup_Killed_NoFile kills a backup while it writes. Its file does not exist, and the next backup removes what
// it has left.
func TestBackup_Killed_NoFile(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	addAdmin(p)
	storetest.Exec(t, p.database(), `INSERT INTO static_files (url, body, used_at)
		VALUES ('large', randomblob(60000000), 0)`)
	folder := t.TempDir()
	names := func() (all []string) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			all = append(all, entry.Name())
		}
		return all
	}
	first := p.command("backup", filepath.Join(folder, "first.db"))
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the backup does not begin", func() bool { return len(names()) > 0 })
	p.kill(first)
	if got := names(); len(got) != 1 || got[0] == "first.db" {
		t.Fatalf("got %v, want only what is not finished", got)
	}
	p.mustRun("backup", filepath.Join(folder, "second.db"))
	if got := names(); len(got) != 1 || got[0] != "second.db" {
		t.Errorf("got %v, want only the second backup", got)
	}
}

// TestBackup_Interrupted_FailsWithoutFile: an interrupted backup must not look like a finished one.
func TestBackup_Interrupted_FailsWithoutFile(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	addAdmin(p)
	storetest.Exec(t, p.database(), `INSERT INTO static_files (url, body, used_at)
		VALUES ('large', randomblob(60000000), 0)`)
	folder := t.TempDir()
	left := func() int {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	backup := p.command("backup", filepath.Join(folder, "copy.db"))
	if err := backup.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the backup does not begin", func() bool { return left() > 0 })
	if err := backup.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := backup.Wait(); err == nil {
		t.Error("an interrupted backup ended without an error")
	}
	if n := left(); n != 0 {
		t.Errorf("got %d files, want none", n)
	}
}
