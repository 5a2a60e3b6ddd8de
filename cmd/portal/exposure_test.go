package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearthline/internal/vault/vaulttest"
)

// TestServe_ExposedFiles_RefusedOffLoopback starts the portal with files that others can read or change.
func TestServe_ExposedFiles_RefusedOffLoopback(t *testing.T) {
	for name, value := range map[string]string{"PORTAL_ADDR": "127.0.0.1:0", "PARTNER_BASE_URL": "https://127.0.0.1:1",
		"PARTNER_API_KEY": "key"} {
		t.Setenv(name, value)
	}
	type place struct{ data, kek, keyset, database string }
	for _, tt := range []struct {
		what   string
		change func(t *testing.T, p *place)
		want   string // part of the only line; empty: accepted
	}{
		{"nothing exists yet", func(*testing.T, *place) {}, ""},
		{"all private", func(t *testing.T, p *place) { write(t, 0o600, p.kek, p.keyset, p.database) }, ""},
		{"the default place", func(_ *testing.T, p *place) { p.kek = filepath.Join(p.data, "kek") },
			"is in the data folder"},
		{"a folder below", func(_ *testing.T, p *place) { p.kek = filepath.Join(p.data, "a", "b", "kek") },
			"is in the data folder"},
		{"a link into the data folder", func(t *testing.T, p *place) {
			write(t, 0o600, filepath.Join(p.data, "kek"))
			link(t, filepath.Join(p.data, "kek"), p.kek)
		}, "is in the data folder"},
		{"a data folder behind a link", func(t *testing.T, p *place) {
			p.kek = filepath.Join(p.data, "kek")
			link(t, p.data, p.data+".link")
			p.data += ".link"
		}, "is in the data folder"},
		{"a folder with a similar name", func(_ *testing.T, p *place) { p.kek = p.data + "-keys/kek" }, ""},
		{"the folder of another database", func(t *testing.T, p *place) {
			if err := os.Mkdir(filepath.Join(filepath.Dir(p.data), "elsewhere"), 0o700); err != nil {
				t.Fatal(err)
			}
			p.kek = filepath.Join(filepath.Dir(p.data), "elsewhere", "kek")
			p.database = filepath.Join(filepath.Dir(p.data), "elsewhere", "other.db")
		}, "is in the data folder"},
		{"a KEK that the group reads", func(t *testing.T, p *place) { write(t, 0o640, p.kek) },
			"can be read by other users of this machine (mode 0640)"},
		{"a keyset that others read", func(t *testing.T, p *place) { write(t, 0o604, p.keyset) },
			"can be read by other users of this machine (mode 0604)"},
		{"a keyset of systemd", func(t *testing.T, p *place) {
			write(t, 0o440, p.keyset)
			t.Setenv("CREDENTIALS_DIRECTORY", filepath.Dir(p.keyset))
		}, ""},
		{"a database that others write", func(t *testing.T, p *place) { write(t, 0o606, p.database) },
			"the database "},
		{"a folder that others write", func(t *testing.T, p *place) {
			if err := os.Chmod(p.data, 0o777); err != nil { //nolint:gosec // that is what is refused
				t.Fatal(err)
			}
		}, "the folder of the database "},
	} {
		t.Run(tt.what, func(t *testing.T) {
			dir := t.TempDir()
			p := place{data: filepath.Join(dir, "data"), kek: filepath.Join(dir, "kek"),
				keyset: filepath.Join(dir, "keyset.json"), database: filepath.Join(dir, "data", "portal.db")}
			if err := os.Mkdir(p.data, 0o700); err != nil {
				t.Fatal(err)
			}
			tt.change(t, &p)
			t.Setenv("PORTAL_KEK_FILE", p.kek)
			t.Setenv("PORTAL_KEYSET_FILE", p.keyset)
			t.Setenv("PORTAL_DATABASE_URL", p.database)
			command := func(name, base string) string {
				t.Setenv("PORTAL_BASE_URL", base)
				ctx, stop := context.WithCancel(t.Context())
				stop() // if the portal starts, it stops at once
				var out bytes.Buffer
				run(ctx, []string{name, "--data", p.data}, streams{out: &out, err: &out})
				return out.String()
			}
			got := command("doctor", "https://portal.test")
			if tt.want == "" && !strings.Contains(got, "ok     Key and database files") ||
				tt.want != "" && !strings.Contains(got, "wrong  Key and database files: ") || !strings.Contains(got, tt.want) {
				t.Errorf("doctor: got %s, want %q", got, tt.want)
			}
			if got := command("doctor", "http://localhost"); tt.want != "" &&
				!strings.Contains(got, "note   Key and database files: ") {
				t.Errorf("doctor on loopback: got %s, want a note", got)
			}
			if tt.want == "" {
				return
			}
			if got := command("serve", "https://portal.test"); !strings.Contains(got, tt.want) ||
				strings.Count(got, "\n") != 1 {
				t.Errorf("got %s, want one line with %q", got, tt.want)
			}
			if got := command("serve", "http://localhost"); strings.Contains(got, tt.want) {
				t.Errorf("on loopback: got %s, want it accepted", got)
			}
		})
	}
}

func write(t *testing.T, mode os.FileMode, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
}

func link(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Symlink(from, to); err != nil {
		t.Fatal(err)
	}
}

// TestKeysRewrap_FileToToken moves the key-encryption key into a token and rotates the keys there.
func TestKeysRewrap_FileToToken(t *testing.T) {
	tokens := vaulttest.SoftHSM(t, "hearthline", "kek")
	p := newProcesses(t)
	kek := filepath.Join(t.TempDir(), "kek")
	p.env = append(p.env, "PORTAL_KEK_FILE="+kek, "SOFTHSM2_CONF="+os.Getenv("SOFTHSM2_CONF"))
	addAdmin(p)
	p.env = append(p.env, "PORTAL_PKCS11_MODULE="+vaulttest.Module, "PORTAL_PKCS11_PIN="+vaulttest.PIN,
		"PORTAL_PKCS11_KEY=pkcs11:token=hearthline;object=kek")
	if got, code := p.run("keys", "rotate"); code != 1 || !strings.Contains(got, "does not open with this KEK") {
		t.Errorf("before: got %d, %s", code, got)
	}
	p.mustRun("keys", "rewrap", "--from", kek)
	if err := os.Remove(kek); err != nil {
		t.Fatal(err)
	}
	p.mustRun("keys", "rotate")
	p.mustRun("audit", "verify")
	p.kill(p.start("listens on", "serve"))
	p.mustRun("keys", "finish")
	before := p.state()
	if err := os.Rename(tokens, tokens+".gone"); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"serve", "keys rotate", "keys retire",
		"user add bea@broker.test --name Bea --role admin"} {
		if got, code := p.run(strings.Fields(command)...); code != 1 || !strings.Contains(got, `the token "hearthline"`) {
			t.Errorf("%s: got %d, %s, want the token's label", command, code, got)
		}
	}
	if after := p.state(); !maps.Equal(before, after) {
		t.Error("a command without the token changed the files")
	}
	if err := os.Rename(tokens+".gone", tokens); err != nil {
		t.Fatal(err)
	}
	p.mustRun("keys", "retire")
	p.mustRun("audit", "verify")
}
