package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"hearthline/internal/store/storetest"
)

// TestReplicas_TwoReleases_ShareDatabase updates one portal after the other to the next release while users start
// inquiries, and one of them back. PORTAL_TEST_PREVIOUS is the program of the release before; without it, a next
// release is made of this one.
func TestReplicas_TwoReleases_ShareDatabase(t *testing.T) {
	t.Parallel()
	this, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	before, next := os.Getenv("PORTAL_TEST_PREVIOUS"), this
	if before == "" {
		before, next = this, buildNextRelease(t)
	}
	r := startReplicas(t, before, 2)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	done, progress := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		// Each portal serves some starts beside the other one before the next update.
		for _, update := range []struct {
			portal  int
			program string
		}{{0, next}, {1, next}, {0, before}} {
			r.update(update.portal, update.program)
			for range 6 {
				select {
				case <-progress:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	r.checkStarts(r.startInquiriesUntil(ctx, cancel, done, progress))
	if before == this && storetest.Count(t, r.database, `SELECT count(*) FROM next_release`) != 1 {
		t.Error("the next release did not update the database")
	}
}

// buildNextRelease builds a program that has another style sheet and a larger schema than this one.
func buildNextRelease(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	style, err := os.ReadFile(filepath.Join(root, "static/css/tokens.css"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	replace := map[string]string{
		filepath.Join(root, "static/css/tokens.css"): write("tokens.css",
			append(style, "\n:root { --next-release: 1; }\n"...)),
	}
	change := write("0990_next_release.sql", []byte(`-- +goose Up
ALTER TABLE leads ADD COLUMN next_release TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN next_release BIGINT;
CREATE TABLE next_release (id BIGINT PRIMARY KEY);
INSERT INTO next_release (id) VALUES (1);
`))
	for _, database := range []string{"sqlite", "postgres"} {
		replace[filepath.Join(root, "migrations", database, "0990_next_release.sql")] = change
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "portal")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-overlay",
		write("overlay.json", overlay), "-o", path, "hearthline/cmd/portal").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}
