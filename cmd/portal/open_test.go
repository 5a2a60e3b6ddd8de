package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

func addAdmin(p *processes) {
	p.t.Helper()
	p.mustRun("user", "add", "ann@broker.test", "--name", "Ann Lee", "--role", "admin")
}

// TestServe_SecondProcess_RefusedUntilFirstEnds starts what needs an SQLite database for itself beside a portal, and
// what may run beside it. A portal that was killed keeps nobody out.
func TestServe_SecondProcess_RefusedUntilFirstEnds(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	addAdmin(p)
	backup := filepath.Join(t.TempDir(), "copy.db")
	p.mustRun("backup", backup)
	first := p.start("listens on", "serve")
	for _, line := range []string{"serve", "demo --addr 127.0.0.1:0 --sandbox-addr 127.0.0.1:0", "migrate",
		"restore --from " + backup} {
		got, code := p.run(strings.Fields(line)...)
		want := fmt.Sprintf("the database %s is in use by portal serve (process %d): stop it", p.database(),
			first.Process.Pid)
		if code != 1 || !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: got %d, %s, want %q", line, code, got, want)
		}
	}
	if got, code := p.run("migrate", "--to", filepath.Join(t.TempDir(), "new.db")); code != 1 ||
		!strings.Contains(got, "stop the portal") {
		t.Errorf("migrate --to: got %d, %s, want it refused", code, got)
	}
	for _, line := range []string{"user add bea@broker.test --name Bea --role admin", "user disable bea@broker.test",
		"user sign-out --all", "hold list", "embed list", "audit verify", "audit head", "keys rotate",
		"backup " + filepath.Join(t.TempDir(), "second.db")} {
		p.mustRun(strings.Fields(line)...)
	}
	if got, _ := p.run("doctor"); !strings.Contains(got, "ok     Keys and database") ||
		!strings.Contains(got, "ok     Audit log") {
		t.Errorf("doctor: got %s", got)
	}
	p.kill(first)
	p.mustRun("migrate")
	p.kill(p.start("listens on", "serve"))
}

// TestOpen_DatabaseLost_RefusedBesideKeys: where the keys exist, no command creates a database.
func TestOpen_DatabaseLost_RefusedBesideKeys(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(path string) error{
		"missing": os.Remove,
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"without tables": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return storetest.TryExec(t, path, `PRAGMA user_version = 1`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProcesses(t)
			addAdmin(p)
			if err := lose(p.database()); err != nil {
				t.Fatal(err)
			}
			before := p.state()
			for _, line := range []string{"serve", "demo --addr 127.0.0.1:0 --sandbox-addr 127.0.0.1:0", "migrate",
				"user add bea@broker.test --name Bea --role admin", "audit verify", "doctor", "keys rotate",
				"backup " + filepath.Join(t.TempDir(), "copy.db"), "migrate --to " + filepath.Join(t.TempDir(), "new.db")} {
				got, code := p.run(strings.Fields(line)...)
				if code != 1 || !strings.Contains(got, "but its keys exist") || !strings.Contains(got, "portal restore") ||
					strings.Contains(got, "is empty") != (name != "missing") {
					t.Errorf("%s: got %d, %s", line, code, got)
				}
			}
			if after := p.state(); !maps.Equal(before, after) {
				t.Errorf("got the files %v, want only %v, unchanged", slices.Sorted(maps.Keys(after)),
					slices.Sorted(maps.Keys(before)))
			}
		})
	}
}

// TestOpen_CreationInterrupted_Continued starts on what is left by a process that was killed while it created an
// installation.
func TestOpen_CreationInterrupted_Continued(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(t *testing.T, p *processes) error{
		"before the tables": func(_ *testing.T, p *processes) error { return os.WriteFile(p.database(), nil, 0o600) },
		"before the keys": func(t *testing.T, p *processes) error {
			t.Helper()
			s, err := store.Open(t.Context(), p.database(), store.Options{})
			if err != nil {
				return err
			}
			return s.Close()
		},
		"before the database is bound to them": func(t *testing.T, p *processes) error {
			t.Helper()
			p.mustRun("migrate")
			storetest.Exec(t, p.database(), `DELETE FROM settings`)
			return nil
		},
		"between the keys": func(t *testing.T, p *processes) error {
			t.Helper()
			p.mustRun("migrate")
			storetest.Exec(t, p.database(), `DELETE FROM settings`)
			return os.Remove(filepath.Join(p.dir, "keyset.json"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProcesses(t)
			if err := leave(t, p); err != nil {
				t.Fatal(err)
			}
			addAdmin(p)
			p.mustRun("audit", "verify")
			p.mustRun("migrate")
			if storetest.Count(t, p.database(), `SELECT count(*) FROM settings WHERE name = 'keys.check'`) != 1 {
				t.Error("the database is not bound to its keys")
			}
		})
	}
}

// TestOpen_NoKeysBesideUsedDatabase_NoneCreated: new keys could not read what is stored.
func TestOpen_NoKeysBesideUsedDatabase_NoneCreated(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	addAdmin(p)
	if err := os.Remove(filepath.Join(p.dir, "keyset.json")); err != nil {
		t.Fatal(err)
	}
	before := p.state()
	for _, command := range []string{"serve", "migrate", "audit verify"} {
		if got, code := p.run(strings.Fields(command)...); code != 1 || !strings.Contains(got, "keys could not be opened") {
			t.Errorf("%s: got %d, %s", command, code, got)
		}
	}
	if after := p.state(); !maps.Equal(before, after) {
		t.Errorf("got the files %v, want %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
}

func TestOpen_KeysOfAnotherInstallation_Refused(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(p *processes){
		"": func(*processes) {},
		"only with audit": func(p *processes) {
			storetest.Exec(t, p.database(), `DELETE FROM settings WHERE name = 'keys.check'`)
		},
		"without audit": func(p *processes) {
			storetest.Exec(t, p.database(), `DROP TRIGGER audit_no_delete`)
			storetest.Exec(t, p.database(), `DELETE FROM audit`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, other := newProcesses(t), newProcesses(t)
			addAdmin(p)
			addAdmin(other)
			prepare(p)
			for _, file := range []string{"keyset.json", "kek"} {
				if err := os.Rename(filepath.Join(other.dir, file), filepath.Join(p.dir, file)); err != nil {
					t.Fatal(err)
				}
			}
			before := storetest.Rows(t, p.database())
			for _, line := range []string{"serve", "demo --addr 127.0.0.1:0 --sandbox-addr 127.0.0.1:0", "migrate",
				"user add bea@broker.test --name Bea --role admin", "audit verify", "doctor", "keys rotate",
				"backup " + filepath.Join(t.TempDir(), "copy.db"), "migrate --to " + filepath.Join(t.TempDir(), "new.db")} {
				if got, code := p.run(strings.Fields(line)...); code != 1 ||
					!strings.Contains(got, "do not belong to the database "+p.database()) {
					t.Errorf("%s: got %d, %s", line, code, got)
				}
			}
			if after := storetest.Rows(t, p.database()); !maps.EqualFunc(before, after, slices.Equal) {
				t.Error("the database was changed")
			}
		})
	}
}

// TestOpen_KeysetBeforeRotation_Refused restores a keyset that lacks the key the portal encrypts with.
func TestOpen_KeysetBeforeRotation_Refused(t *testing.T) {
	cfg := newInstallation(t)
	earlier := mustReadFile(t, cfg.Portal.KeysetFile)
	if err := runOn(t, cfg, streams{out: &strings.Builder{}, err: &strings.Builder{}}, "keys rotate"); err != nil {
		t.Fatal(err)
	}
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		if err := useKeys(t.Context(), db, v, reencrypt.New(db, v, time.Now)); err != nil {
			t.Fatal(err)
		}
	})
	withDatabase(t, cfg, func(*store.Store, *vault.Vault) {}) // with both keys
	if err := os.WriteFile(cfg.Portal.KeysetFile, earlier, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openOrCreate(t.Context(), cfg, time.Now); err == nil ||
		!strings.Contains(err.Error(), "does not have the key with which the portal encrypted last") {
		t.Errorf("got %v, want it refused", err)
	}
}

// TestOpen_OtherSchema_NotMigrated opens databases of other releases with commands that may run beside a portal.
func TestOpen_OtherSchema_NotMigrated(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	addAdmin(p)
	storetest.Exec(t, p.database(), `DELETE FROM goose_db_version WHERE version_id > 0`)
	before := storetest.Rows(t, p.database())
	for _, line := range []string{"doctor", "audit verify", "hold list", "user disable ann@broker.test", "keys rotate"} {
		if got, code := p.run(strings.Fields(line)...); code != 1 ||
			!strings.Contains(got, "has the schema of an earlier release (version 0; this release has ") ||
			!strings.Contains(got, "portal migrate") {
			t.Errorf("%s: got %d, %s", line, code, got)
		}
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if got := p.mustRun("backup", copied); !strings.Contains(got, "have the schema of an earlier release (version 0;") {
		t.Errorf("backup: got %s, want it to say so", got)
	}
	for _, path := range []string{p.database(), copied} {
		if n := storetest.Count(t, path, `SELECT count(*) FROM goose_db_version WHERE version_id > 0`); n != 0 {
			t.Errorf("%s was migrated", path)
		}
	}
	if after := storetest.Rows(t, p.database()); !maps.EqualFunc(before, after, slices.Equal) {
		t.Error("the database was changed")
	}
	storetest.Exec(t, p.database(), `UPDATE installation SET oldest_schema = 998000`)
	for _, line := range []string{"doctor", "backup " + filepath.Join(t.TempDir(), "copy.db"), "serve"} {
		if got, code := p.run(strings.Fields(line)...); code != 1 || !strings.Contains(got, "too old for the database") {
			t.Errorf("%s: got %d, %s", line, code, got)
		}
	}
}
