package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

func TestEmbedCommands(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("a secret of twenty-four bytes and more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runWith := commandRunner(t, dir)
	if got, code := runWith("migrate"); code != 0 {
		t.Fatalf("migrate: got %d %s", code, got)
	}
	addCompany(t, dir, "B1")
	add := []string{"embed", "add", "sf", "--name", "Salesforce", "--broker", "B1", "--kind", "canvas", "--organization",
		"00DA", "--secret-file", secret}
	if got, code := runWith(append(add, "--origin", "https://*.salesforce.com")...); code != 1 ||
		!strings.Contains(got, "is not an origin") {
		t.Errorf("a pattern: got %d %s", code, got)
	}
	for _, step := range []struct{ args, want string }{
		{"embed attest sf --by Quinn", "approved by Quinn"}, {"embed list", "Quinn"}, {"embed close sf", "is disabled"},
		{"embed list", "closed"}, {"embed open sf", "is enabled"},
	} {
		if step.args == "embed attest sf --by Quinn" {
			if got, code := runWith(append(add, "--origin", "https://a.my.salesforce.com")...); code != 0 ||
				!strings.Contains(got, "/launch/canvas/sf") {
				t.Fatalf("add: got %d %s", code, got)
			}
		}
		if got, code := runWith(strings.Fields(step.args)...); code != 0 || !strings.Contains(got, step.want) {
			t.Errorf("%s: got %d %s, want %s", step.args, code, got, step.want)
		}
	}
	again := append(add, "--origin", "https://b.my.salesforce.com")
	if got, code := runWith(again...); code != 1 || !strings.Contains(got, "Another CRM uses this key") {
		t.Errorf("added again: got %d %s", code, got)
	}
	if got, code := runWith(append(again, "--replace")...); code != 0 {
		t.Errorf("changed: got %d %s", code, got)
	}
	if got, code := runWith("embed", "attest", "sf", "--by", " NOBODY "); code != 0 ||
		!strings.Contains(got, "no longer counts as a second factor") {
		t.Errorf("revoked: got %d %s", code, got)
	}
	if got, code := runWith("embed", "list"); code != 0 || !strings.Contains(got, "https://b.my.salesforce.com") {
		t.Errorf("got %d %s", code, got)
	}
	if got, code := runWith("embed", "retire", "sf"); code != 1 || !strings.Contains(got, "no new secret") {
		t.Errorf("retire: got %d %s", code, got)
	}
}

// TestEmbedAdd_KeysURL reads the keys before it saves their URL.
func TestEmbedAdd_KeysURL(t *testing.T) {
	dir := t.TempDir()
	runWith := commandRunner(t, dir)
	runWith("migrate")
	addCompany(t, dir, "B1")
	published := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k1",` +
			`"x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`))
	}))
	t.Cleanup(published.Close)
	add := []string{"embed", "add", "acme", "--name", "Acme", "--broker", "B1", "--kind", "jwt", "--origin",
		"https://crm.example", "--issuer", "acme", "--record-url", "https://crm.example/{record}", "--keys-url"}
	if got, code := runWith(append(add, "http://crm.example/jwks")...); code != 1 ||
		!strings.Contains(got, "must begin with https") {
		t.Errorf("without TLS: got %d %s", code, got)
	}
	if got, code := runWith(append(add, published.URL)...); code != 0 || !strings.Contains(got, "/launch/jwt/acme") {
		t.Errorf("got %d %s", code, got)
	}
}

// addCompany adds a broker company as if the lender had named it.
func addCompany(t *testing.T, data, company string) {
	t.Helper()
	inv, err := config.ParsePortal([]string{"migrate", "--data", data}, config.IO{})
	if err != nil {
		t.Fatal(err)
	}
	withDatabase(t, inv.Config, func(db *store.Store, _ *vault.Vault) {
		one := heloc.Originator{ID: "o-1", FirstName: "Olivia", Broker: &heloc.BrokerCompany{ID: company, Name: "Summit"}}
		err := db.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveOriginator(t.Context(), one, time.Now()) })
		if err != nil {
			t.Fatal(err)
		}
	})
}

// Invalid input is rejected with one line for each problem and changes nothing.
func TestEmbedAdd_InvalidInput_ChangesNothing(t *testing.T) {
	dir := t.TempDir()
	runWith := commandRunner(t, dir)
	runWith("migrate")
	addCompany(t, dir, "B1")
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("a secret of twenty-four bytes and more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	add := []string{"embed", "add", "sf", "--name", "Salesforce", "--broker", "B1", "--kind", "canvas", "--organization",
		"00DA", "--secret-file", secret, "--origin", "https://a.example"}
	with := func(pairs ...string) []string {
		changed := slices.Clone(add)
		for i := 0; i < len(pairs); i += 2 {
			changed[slices.Index(changed, pairs[i])+1] = pairs[i+1]
		}
		return changed
	}
	if got, code := runWith(add...); code != 0 {
		t.Fatalf("add: got %d %s", code, got)
	}
	before, _ := runWith("embed", "list")
	for what, tt := range map[string]struct {
		args []string
		want string
	}{
		"approved by nothing": {[]string{"embed", "attest", "sf", "--by", ""},
			"approver: Enter the name of the person who approved it"},
		"approved by blanks": {[]string{"embed", "attest", "sf", "--by", " \t"},
			"approver: Enter the name of the person who approved it"},
		"approved by a bell": {[]string{"embed", "attest", "sf", "--by", "Quinn\a"}, "approver: Enter one line"},
		"an unknown company": {with("--broker", "nosuchbroker", "add", "two"),
			"brokerId: The lender’s directory has no company with this ID. It lists B1 (Summit)"},
		"three origins": {with("--origin", "crm.example,https://*.x,https://a/b", "add", "two"),
			"origins: crm.example, https://*.x and https://a/b are not origins"},
		"an unknown kind":           {with("--kind", "saml", "add", "two"), "kind: Choose a signing method"},
		"a mistyped key to replace": {append(with("add", "fs"), "--replace"), "key: No CRM has this key"},
		"no such CRM to retire":     {[]string{"embed", "retire", "nosuch"}, "This CRM doesn’t exist."},
		"no such CRM to close":      {[]string{"embed", "close", "nosuch"}, "This CRM doesn’t exist."},
		"an unknown email": {[]string{"embed", "disconnect", "sf", "nobody@summit.test"},
			"No account has this email."},
	} {
		got, code := runWith(tt.args...)
		if lines := strings.Count(got, "\n"); code != 1 || lines != 1 || !strings.HasPrefix(got, "portal: "+tt.want) {
			t.Errorf("%s: got %d, %q, want 1 and one line: %q", what, code, got, tt.want)
		}
	}
	if after, _ := runWith("embed", "list"); after != before {
		t.Errorf("got\n%s\nwant the previous list\n%s", after, before)
	}
}

// commandRunner returns a function that runs commands on one folder and returns their output and exit code.
func commandRunner(t *testing.T, dir string) func(args ...string) (string, int) {
	return func(args ...string) (string, int) {
		t.Helper()
		var out, complaints bytes.Buffer
		code := run(t.Context(), append(args, "--data", dir), streams{strings.NewReader(""), &out, &complaints})
		return out.String() + complaints.String(), code
	}
}
