package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hearthline/static"
)

// TestIcons_AreInTheSprite finds icons that the code names and the sprite lacks. A page shows a question mark for them.
func TestIcons_AreInTheSprite(t *testing.T) {
	t.Parallel()
	icon := regexp.MustCompile(`Icon(?:: +|\()"([a-z0-9-]+)"`)
	named := 0
	for _, root := range []string{"../../views", "../../web"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(path, "_templ.go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path) //nolint:gosec // the project's own files
			for _, found := range icon.FindAllStringSubmatch(string(text), -1) {
				named++
				if !static.HasIcon(found[1]) {
					t.Errorf("%s: the sprite has no icon %q", path, found[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if named < 100 {
		t.Errorf("found %d icons: the expression no longer finds them", named)
	}
}
