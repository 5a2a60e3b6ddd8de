package main

import (
	"bytes"
	"context"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// demoOutput ends a demo as soon as it is ready.
type demoOutput struct {
	mu   sync.Mutex
	text bytes.Buffer
	stop func()
}

func (d *demoOutput) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.text.Write(b)
	if strings.Contains(d.text.String(), "Ready: ") {
		d.stop()
	}
	return len(b), nil
}

// demoFolder returns the folder of a demo that has run.
func demoFolder(t *testing.T) string {
	t.Helper()
	dir := storetest.TempDir(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out := &demoOutput{stop: stop}
	if code := run(ctx, []string{"demo", "--data", dir, "--addr", "127.0.0.1:0", "--sandbox-addr", "127.0.0.1:0"},
		streams{out: out, err: out}); code != 0 || !strings.Contains(out.text.String(), "Ready: ") {
		t.Fatalf("got %d, %s", code, out.text.String())
	}
	return dir
}

var decrypted = regexp.MustCompile(`all \d+ can be decrypted`)

// doctorFindings runs doctor, and returns what it says about encrypted values and the audit.
func doctorFindings(t *testing.T, dir string) []string {
	t.Helper()
	t.Setenv("SANDBOX_ADDR", "127.0.0.1:1") // nothing listens there
	got, code := runCommand(t, "doctor", "--data", dir)
	values := decrypted.FindString(got)
	audit := regexp.MustCompile(`verified, \d+ rows`).FindString(got)
	if code != 0 || strings.Contains(got, "wrong ") || values == "" || audit == "" {
		t.Errorf("doctor: got %d, %s", code, got)
	}
	return []string{values, audit}
}

// TestMigrateTo_Demo_ThereAndBack copies a demo's database to PostgreSQL and back. Every command then works on each.
func TestMigrateTo_Demo_ThereAndBack(t *testing.T) {
	dir := demoFolder(t)
	first, third := filepath.Join(dir, "portal.db"), filepath.Join(dir, "back.db")
	u, err := url.Parse(storetest.NewPostgres(t))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), "hunter2")
	second := u.String()
	want, findings := storetest.Rows(t, first), doctorFindings(t, dir)
	got, code := runCommand(t, "migrate", "--data", dir, "--to", second)
	if code != 0 || !strings.Contains(got, "Set PORTAL_DATABASE_URL") ||
		!strings.Contains(got, "leads                    60 of 60 rows") {
		t.Fatalf("to PostgreSQL: got %d, %s", code, got)
	}
	if strings.Contains(got, "hunter2") {
		t.Errorf("the password is printed: %s", got)
	}
	if got, code := runCommand(t, "migrate", "--data", dir, "--to", second); code != 1 ||
		!strings.Contains(got, "not empty") || strings.Count(got, "\n") != 2 {
		t.Errorf("a second time: got %d, %s, want it refused", code, got)
	}
	t.Setenv("PORTAL_DATABASE_URL", second)
	if got := doctorFindings(t, dir); !slices.Equal(got, findings) {
		t.Errorf("on PostgreSQL: got %q, want %q", got, findings)
	}
	if got, code := runCommand(t, "migrate", "--data", dir, "--to", third); code != 0 {
		t.Fatalf("back: got %d, %s", code, got)
	}
	t.Setenv("PORTAL_DATABASE_URL", third)
	if got := doctorFindings(t, dir); !slices.Equal(got, findings) {
		t.Errorf("back in a file: got %q, want %q", got, findings)
	}
	for _, address := range []string{second, third} {
		if got := storetest.Rows(t, address); !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s has other rows than the demo's database", store.AddressForDisplay(address))
		}
	}
}

func TestMigrateTo_Refused_PlainErrors(t *testing.T) {
	cfg := newInstallation(t)
	t.Setenv("PORTAL_KEYSET_FILE", cfg.Portal.KeysetFile)
	t.Setenv("PORTAL_KEK_FILE", cfg.Portal.KEK.File)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("no database\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := func(want string, args ...string) {
		t.Helper()
		got, code := runCommand(t, append([]string{"migrate", "--data"}, args...)...)
		if code != 1 || !strings.Contains(got, want) || strings.Contains(got, "hunter2") {
			t.Errorf("%q: got %d, %s, want an error with %q", args, code, got, want)
		}
		checkPlainText(t, args, got)
	}
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	refused("there is no database at "+nowhere, nowhere, "--to", "new.db")
	refused("the new database "+file+" cannot be opened", cfg.Data, "--to", file)
	refused("cannot be opened", cfg.Data, "--to", filepath.Join(file, "new.db"))
	refused("cannot be opened", cfg.Data, "--to", "postgres://u:hunter2@127.0.0.1:1/x")
	refused("not empty", cfg.Data, "--to", databaseAddress(cfg))
	if got := string(mustReadFile(t, file)); got != "no database\n" {
		t.Errorf("a file that is not a database was changed: %q", got)
	}
	withDatabase(t, cfg, func(*store.Store, *vault.Vault) {
		refused("stop the portal", cfg.Data, "--to", filepath.Join(t.TempDir(), "new.db"))
	})
}
