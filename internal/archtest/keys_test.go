package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDigests_LookupsUseEveryKey finds digests that are made by the present key and
// nothing else: after a rotation they would not be known again. What is looked for is made
// by Digests; what is kept by its first.
func TestDigests_LookupsUseEveryKey(t *testing.T) {
	mayBe := map[string]bool{
		"internal/account/sign_in.go": true, // a mark in the audit, which is never written anew and never looked for
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
		if strings.Contains(string(text), ".Digest(") && !mayBe[name] {
			t.Errorf("%s makes a digest by the present key alone", name)
		}
		return nil
	})
	if err != nil || seen < 5 {
		t.Errorf("got %d digests, %v: the search finds too little", seen, err)
	}
}
