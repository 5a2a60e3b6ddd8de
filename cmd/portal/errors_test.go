package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// TestCommands_InvalidInput_PlainErrors gives every command invalid input. Each ends with an error that the operator
// can act on, and changes nothing.
func TestCommands_InvalidInput_PlainErrors(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	runWith := commandRunner(t, dir)
	if got, code := runWith("migrate"); code != 0 {
		t.Fatal(got)
	}
	file := filepath.Join(elsewhere, "file")
	if err := os.WriteFile(file, []byte("no database\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const lead = "0f0e0d0c-0000-4000-8000-000000000001"
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"user", "add", "x@y.test", "--name", "", "--role", "admin"}, "portal: name: Enter the person’s name"},
		{[]string{"user", "add", "", "--name", "X", "--role", "admin"}, "portal: email: Enter an email"},
		{[]string{"user", "add", "x@y.test", "--name", "X", "--role", "root"}, `portal: "root" is not a role`},
		{[]string{"user", "add", "x@y.test", "--name", "X", "--role", "originator", "--originator", "zzz"},
			"portal: --originator must be the person's UUID"},
		{[]string{"user", "add", "x@y.test", "--name", "X", "--role", "manager"},
			"portal: broker: A manager or assistant belongs"},
		{[]string{"user", "add", "x@y.test", "--name", "X", "--role", "admin", "--password-stdin"},
			"portal: password: Use at least"},
		{[]string{"user", "disable", "nobody@y.test"}, "portal: No account has this email."},
		{[]string{"user", "role", "nobody@y.test", "admin"}, "portal: No account has this email."},
		{[]string{"user", "reset", ""}, "portal: No account has this email."},
		{[]string{"user", "sign-out"}, "portal: specify an email address"},
		{[]string{"hold", "add", ""}, `portal: no lead has the id ""`},
		{[]string{"hold", "lift", lead}, "portal: no lead has the id"},
		{[]string{"audit", "verify", "--head", ""}, "--head is empty"},
		{[]string{"audit", "verify", "--head", "7"}, "portal: a head has the form ROW:HASH"},
		{[]string{"backup", elsewhere}, "portal: " + elsewhere + " is a folder"},
		{[]string{"backup", file}, "portal: " + file + " already exists"},
		{[]string{"backup", filepath.Join(elsewhere, "no", "b.db")}, "portal: the folder "},
		{[]string{"backup", filepath.Join(file, "b.db")}, "portal: the folder "},
	} {
		got, code := runWith(tt.args...)
		if code == 0 || !strings.HasPrefix(got, tt.want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%q: got %d, %q, want one line that begins %q", tt.args, code, got, tt.want)
		}
		checkPlainText(t, tt.args, got)
	}
	for _, place := range []string{file, filepath.Join(file, "below"), ""} {
		for _, command := range []string{"migrate", "audit verify", "keys rotate", "hold list", "embed list",
			"user add x@y.test --name X --role admin"} {
			args := append(strings.Fields(command), "--data", place)
			got, code := runCommand(t, args...)
			if code == 0 || !strings.Contains(got, "--data") || strings.Contains(got, "Password") {
				t.Errorf("%q: got %d, %q, want an error about --data", args, code, got)
			}
			checkPlainText(t, args, got)
		}
	}
	t.Setenv("PORTAL_DATABASE_URL", file)
	if got, code := runWith("migrate"); code == 0 || !strings.Contains(got, file) ||
		!strings.Contains(got, "PORTAL_DATABASE_URL") {
		t.Errorf("not a database: got %d, %q", code, got)
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "no database\n" {
		t.Errorf("a file that is not a database was changed: %q, %v", content, err)
	}
}

// checkPlainText checks that the output contains nothing of the program's internals.
func checkPlainText(t *testing.T, args []string, output string) {
	t.Helper()
	for _, internal := range []string{"sql:", "goroutine", "*fault", "panic", "<nil>", "%!", "invalid:", "not found:",
		"internal:"} {
		if strings.Contains(output, internal) {
			t.Errorf("%q prints %q: %s", args, internal, output)
		}
	}
}

func TestErrorText(t *testing.T) {
	cause := errors.New("sql: no rows in result set")
	for want, err := range map[string]error{
		"This CRM doesn’t exist.": fmt.Errorf("embed: %w", fault.Wrap(fault.NotFound, "This CRM doesn’t exist.", cause)),
		"name: Give it\nkey: Taken": errors.Join(
			fault.InvalidFields(fault.Field{Name: "name", Message: "Give it"}, fault.Field{Name: "key", Message: "Taken"}), nil),
		"one\ntwo": errors.Join(errors.New("one"), errors.Join(errors.New("two"))),
		"The keys do not open. The cause: read: gone": fault.Wrap(fault.Unavailable, "The keys do not open.",
			errors.New("read: gone")),
		"a disk is full": errors.New("a disk is full"),
	} {
		if got := errorText(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCommands_EarlierBuild_SaysHowToStartFresh: every command that opens such a database refuses it in one sentence.
func TestCommands_EarlierBuild_SaysHowToStartFresh(t *testing.T) {
	dir := t.TempDir()
	if _, err := vault.Open(vault.Files{Keyset: filepath.Join(dir, "keyset.json"),
		KEK: vault.FileKEK(filepath.Join(dir, "kek")), Create: true}); err != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, filepath.Join(dir, "portal.db"), `CREATE TABLE goose_db_version (version_id INTEGER); INSERT INTO
		goose_db_version VALUES (49); CREATE TABLE leads (app_uuid TEXT)`)
	runWith := commandRunner(t, dir)
	for _, command := range []string{"migrate", "audit verify", "keys rotate", "user add x@y.test --name X --role admin"} {
		got, code := runWith(strings.Fields(command)...)
		if code != 1 || !strings.Contains(got, "earlier build of Hearthline") ||
			!strings.Contains(got, "start again with an empty one") || strings.Contains(got, "permissions") ||
			strings.Count(got, "\n") != 1 {
			t.Errorf("%s: got %d, %q, want one sentence that says how to start fresh", command, code, got)
		}
	}
}
