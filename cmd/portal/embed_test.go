package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCRMsAreAddedByCommand(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("a secret of twenty-four bytes and more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tell := func(args ...string) (string, int) {
		var out, complaints bytes.Buffer
		code := run(t.Context(), append(args, "--data", dir), streams{strings.NewReader(""), &out, &complaints})
		return out.String() + complaints.String(), code
	}
	if got, code := tell("migrate"); code != 0 {
		t.Fatalf("migrate: got %d %s", code, got)
	}
	add := []string{"embed", "add", "sf", "--name", "Salesforce", "--broker", "B1", "--kind", "canvas", "--organization", "00DA", "--secret-file", secret}
	if got, code := tell(append(add, "--origin", "https://*.salesforce.com")...); code != 1 || !strings.Contains(got, "is not an origin") {
		t.Errorf("a pattern: got %d %s", code, got)
	}
	for _, step := range []struct{ args, want string }{
		{"embed attest sf --by Quinn", "as Quinn approved"}, {"embed list", "Quinn"}, {"embed close sf", "shut out"}, {"embed list", "closed"}, {"embed open sf", "let in again"},
	} {
		if step.args == "embed attest sf --by Quinn" {
			if got, code := tell(append(add, "--origin", "https://a.my.salesforce.com")...); code != 0 || !strings.Contains(got, "/launch/canvas/sf") {
				t.Fatalf("add: got %d %s", code, got)
			}
		}
		if got, code := tell(strings.Fields(step.args)...); code != 0 || !strings.Contains(got, step.want) {
			t.Errorf("%s: got %d %s, want %s", step.args, code, got, step.want)
		}
	}
	again := append(add, "--origin", "https://b.my.salesforce.com")
	if got, code := tell(again...); code != 1 || !strings.Contains(got, "This key is taken") {
		t.Errorf("added again: got %d %s", code, got)
	}
	if got, code := tell(append(again, "--replace")...); code != 0 {
		t.Errorf("changed: got %d %s", code, got)
	}
	if got, code := tell("embed", "list"); code != 0 || !strings.Contains(got, "https://b.my.salesforce.com") {
		t.Errorf("got %d %s", code, got)
	}
	if got, code := tell("embed", "retire", "sf"); code != 1 || !strings.Contains(got, "no next secret") {
		t.Errorf("retire: got %d %s", code, got)
	}
}
