package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDigests_LookupsUseEveryKey finds digests that are made with the current key only: after a rotation they would
// not match. Lookups use Digests; the first of them is stored.
func TestDigests_LookupsUseEveryKey(t *testing.T) {
	mayBe := map[string]bool{
		"internal/account/sign_in.go": true, // an audit digest, which is never rewritten and never looked up
		// an audit digest, looked up only on the same day: a rotation in between adds one row
		"internal/desk/internal/core/audit_daily.go": true,
	}
	seen := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash("../../")))
		if strings.HasPrefix(name, "internal/vault/") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen += strings.Count(string(text), ".Digests(")
		if strings.Contains(string(text), `.Digests("`) {
			t.Errorf("%s names the kind of a digest itself: declare it in internal/vault/index.go", name)
		}
		if strings.Contains(string(text), "vault.StoredAAD(") && !strings.HasPrefix(name, "internal/reencrypt/") {
			t.Errorf("%s binds a value by its column: declare the binding in internal/vault/bindings.go", name)
		}
		if strings.Contains(string(text), ".Digest(") && !mayBe[name] {
			t.Errorf("%s makes a digest with the current key only", name)
		}
		return nil
	})
	if err != nil || seen < 3 {
		t.Errorf("got %d digests, %v: the pattern finds too few", seen, err)
	}
}
