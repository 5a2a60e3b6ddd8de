package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/config"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// runCommand runs a command line and returns its output and exit code.
func runCommand(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out, complaints bytes.Buffer
	code := run(t.Context(), args, streams{strings.NewReader("kettle-lantern-orchard\n"), &out, &complaints})
	return out.String() + complaints.String(), code
}

func TestCommands_MissingDatabase_CreateNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "typo")
	for _, line := range []string{
		"audit verify", "audit head", "backup " + filepath.Join(t.TempDir(), "copy.db"),
		"user disable a@b.test", "user role a@b.test admin", "user reset a@b.test",
		"keys rotate", "keys finish", "keys retire", "embed list", "hold list", "doctor",
	} {
		output, code := runCommand(t, append(strings.Fields(line), "--data", dir)...)
		if code != 1 || line != "keys rotate" && !strings.Contains(output, "there is no database at "+dir) {
			t.Errorf("%s: got %d %s, want that there is no database", line, code, output)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Fatalf("%s created the folder: %v", line, err)
		}
	}
}

func TestDemo_RealDatabase_Rejected(t *testing.T) {
	dir := t.TempDir()
	if output, code := runCommand(t, "user", "add", "real@summit.test", "--name", "Rea L", "--role", "admin",
		"--password-stdin", "--data", dir); code != 0 {
		t.Fatalf("got %d %s", code, output)
	}
	output, code := runCommand(t, "demo", "--addr", "localhost:0", "--sandbox-addr", "localhost:0", "--data", dir)
	if code != 1 || !strings.Contains(output, "accounts that are not from a demo") {
		t.Errorf("got %d %s, want an error", code, output)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "sandbox*")); len(found) != 0 {
		t.Errorf("the sandbox created %v", found)
	}
	cfg := newInstallation(t)
	for range 2 { // a second start finds the marker, even if users were added meanwhile
		if err := checkDemoDatabase(t.Context(), cfg, time.Now); err != nil {
			t.Fatal(err)
		}
		withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
			service := newAccounts(db, v, cfg.Portal, time.Now)
			_, err := service.Add(t.Context(), access.User{
				Actor: access.Actor{Email: "admin@hearthline.test", Name: "Alex Kim", Role: access.Admin},
			}, "kettle-lantern-orchard")
			if err != nil && !strings.Contains(err.Error(), "Another account") {
				t.Fatal(err)
			}
		})
	}
}

func TestServe_DemoAccounts_Rejected(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PORTAL_KEK_FILE", filepath.Join(t.TempDir(), "kek"))
	for _, line := range []string{
		"user add admin@hearthline.test --name Alex --role admin",
		"user add maya@summit.test --name Maya --role manager --broker B1", "user disable maya@summit.test",
	} {
		args := append(strings.Fields(line), "--data", dir)
		if strings.HasPrefix(line, "user add") {
			args = append(args, "--password-stdin")
		}
		if output, code := runCommand(t, args...); code != 0 {
			t.Fatalf("%s: got %d %s", line, code, output)
		}
	}
	t.Setenv("PARTNER_BASE_URL", "https://127.0.0.1:1")
	t.Setenv("PARTNER_API_KEY", "key")
	output, _ := runCommand(t, "doctor", "--data", dir)
	if !strings.Contains(output, "ok     Accounts: no demo accounts") {
		t.Errorf("a database that is no demo's: got %s, want the accounts to be somebody's own", output)
	}
	inv, _ := config.ParsePortal([]string{"--data", dir, "doctor"}, config.IO{})
	withDatabase(t, inv.Config, func(db *store.Store, _ *vault.Vault) {
		err := db.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveSetting(t.Context(), seededSetting, "60") })
		if err != nil {
			t.Fatal(err)
		}
	})
	output, _ = runCommand(t, "doctor", "--data", dir)
	if !strings.Contains(output, "note   Accounts: admin@hearthline.test: demo users") {
		t.Errorf("on loopback: got %s, want a note", output)
	}
	t.Setenv("PORTAL_ADDR", "127.0.0.1:0")
	t.Setenv("PORTAL_BASE_URL", "https://portal.example")
	if output, _ = runCommand(t, "doctor", "--data", dir); !strings.Contains(output,
		"wrong  Accounts: admin@hearthline.test: demo users") {
		t.Errorf("doctor: got %s, want an error", output)
	}
	if output, code := runCommand(t, "serve", "--data", dir); code != 1 ||
		!strings.Contains(output, "admin@hearthline.test: demo users") {
		t.Errorf("serve: got %d %s, want an error", code, output)
	}
	if output, code := runCommand(t, "user", "disable", "admin@hearthline.test", "--data", dir); code != 0 {
		t.Fatalf("got %d %s", code, output)
	}
	if output, _ = runCommand(t, "doctor", "--data", dir); !strings.Contains(output, "ok     Accounts: no demo accounts") {
		t.Errorf("disabled: got %s", output)
	}
}
