package asvs

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testNames returns the names of all tests in the project.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	test := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9_]+)\(`)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range test.FindAllStringSubmatch(string(source), -1) {
			found[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestRequirements_NamedTestsExist(t *testing.T) {
	tests := testNames(t)
	if len(tests) < 100 {
		t.Fatalf("got %d tests in the project: the pattern finds too few", len(tests))
	}
	weekly, err := os.ReadFile("../../.ci/weekly")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w+`)
	for _, r := range Requirements() {
		if (r.Kind == Tested || r.Kind == Deviation) && len(r.Tests()) == 0 {
			t.Errorf("%s names no test", r.Number)
		}
		if r.Kind == Deviation && r.Note == "" {
			t.Errorf("%s deviates without a reason", r.Number)
		}
		for _, name := range append(named.FindAllString(r.Answer+" "+r.Note, -1), r.Tests()...) {
			if !tests[name] {
				t.Errorf("%s names %s, which does not exist", r.Number, name)
			}
		}
		for _, check := range regexp.MustCompile(`\.ci/\w+`).FindAllString(r.Answer+" "+r.Note, -1) {
			if !strings.Contains(string(weekly), "\n"+check+"\n") {
				t.Errorf("%s names %s, which .ci/weekly does not run", r.Number, check)
			}
		}
	}
}

func TestRequirements_Complete(t *testing.T) {
	perLevel, seen := map[string]int{}, map[string]bool{}
	for _, r := range Requirements() {
		if seen[r.Number] || !slices.Contains([]Kind{Tested, ByDesign, OperatorDuty, Deviation, NotMet}, r.Kind) ||
			r.Text == "" || strings.HasSuffix(r.Chapter(), " ") {
			t.Errorf("%+v is a duplicate, or is incomplete", r)
		}
		seen[r.Number] = true
		perLevel[r.Level]++
	}
	for level, want := range map[string]int{"1": 62, "2": 144, "3": 12} {
		if perLevel[level] != want {
			t.Errorf("level %s: got %d, want the %d that apply or were selected", level, perLevel[level], want)
		}
	}
}

func TestRequirements_TestsNamedOnce(t *testing.T) {
	t.Parallel()
	for _, r := range Requirements() {
		if names := r.Tests(); len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
			t.Errorf("%s names a test twice: %s", r.Number, r.Answer)
		}
	}
}

func TestProofs_OldestOfAllControls(t *testing.T) {
	t.Parallel()
	got := Proofs(maps.Values(ParseResults("# a comment\na|1.1.1 1.1.2|2026-11-28|d\nb|1.1.1|2026-11-21|d\n" +
		"c|1.1.2 1.1.3||\n")))
	if want := map[string]string{"1.1.1": "2026-11-21", "1.1.2": "", "1.1.3": ""}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
