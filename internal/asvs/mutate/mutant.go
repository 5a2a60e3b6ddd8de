package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"hearthline/internal/asvs"
)

// mutantsDir is the path of the mutants below the root of the module.
const mutantsDir = "internal/asvs/mutants"

// mutant removes one control.
type mutant struct {
	name    string // of its file, without ".diff"
	control string // what no longer holds, as a sentence
	rows    []string
	tests   []string // each of them must fail
	patches []patch
	text    string // the whole file
}

// patch changes one file.
type patch struct {
	path  string // below the root of the module
	hunks []hunk
}

// hunk replaces old, which must occur once in the file. Both consist of whole lines.
type hunk struct{ old, new string }

// parseMutant reads a mutant's file: the control, "rows:", "tests:", then a unified diff. Line numbers are ignored.
func parseMutant(name, text string) (mutant, error) {
	m := mutant{name: name, text: text}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		last := len(m.patches) - 1
		switch {
		case strings.HasPrefix(line, "--- a/"):
			m.patches = append(m.patches, patch{path: strings.TrimPrefix(line, "--- a/")})
		case last < 0 && strings.HasPrefix(line, "rows: "):
			m.rows = strings.Fields(line)[1:]
		case last < 0 && strings.HasPrefix(line, "tests: "):
			m.tests = strings.Fields(line)[1:]
		case last < 0:
			m.control = strings.TrimSpace(m.control + " " + line)
		case strings.HasPrefix(line, "+++ b/"):
		case strings.HasPrefix(line, "@@"):
			m.patches[last].hunks = append(m.patches[last].hunks, hunk{})
		case len(m.patches[last].hunks) == 0:
			return mutant{}, fmt.Errorf("%s: no @@ before %q", name, line)
		default:
			h := &m.patches[last].hunks[len(m.patches[last].hunks)-1]
			if err := h.add(line); err != nil {
				return mutant{}, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if m.control == "" || len(m.rows) == 0 || len(m.tests) == 0 || len(m.patches) == 0 {
		return mutant{}, fmt.Errorf("%s: a control, rows, tests and a diff are needed", name)
	}
	return m, nil
}

// add adds one line of a diff.
func (h *hunk) add(line string) error {
	if line == "" {
		line = " "
	}
	switch line[0] {
	case ' ':
		h.old += line[1:] + "\n"
		h.new += line[1:] + "\n"
	case '-':
		h.old += line[1:] + "\n"
	case '+':
		h.new += line[1:] + "\n"
	default:
		return fmt.Errorf("not a line of a diff: %q", line)
	}
	return nil
}

// errStale means that the code has changed and the mutant must be rewritten.
var errStale = errors.New("stale mutant")

// apply returns the changed files by their paths below root.
func (m mutant) apply(root string) (map[string]string, error) {
	changed := map[string]string{}
	for _, p := range m.patches {
		source, err := os.ReadFile(filepath.Join(root, p.path)) //nolint:gosec // the paths are in the repository
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", m.name, errStale, err)
		}
		text := "\n" + string(source) // a hunk begins with a line, not within one
		for _, h := range p.hunks {
			if n := countLines(text, "\n"+h.old); n != 1 || h.old == h.new {
				return nil, fmt.Errorf("%s: %w: %d places in %s are\n%s", m.name, errStale, n, p.path, h.old)
			}
			text = strings.Replace(text, "\n"+h.old, "\n"+h.new, 1)
		}
		changed[p.path] = text[1:]
	}
	return changed, nil
}

// countLines counts occurrences in text as whole lines. Two of them may share the line break between them.
func countLines(text, lines string) (n int) {
	for at := strings.Index(text, lines); at >= 0; at = strings.Index(text, lines) {
		n, text = n+1, text[at+1:]
	}
	return n
}

// check compares a mutant with the table: its rows must be marked as tested, and both must name the same tests.
func (m mutant) check(table map[string]asvs.Requirement) error {
	named := map[string]bool{}
	for _, number := range m.rows {
		tests := table[number].Tests()
		if !slices.ContainsFunc(tests, func(name string) bool { return slices.Contains(m.tests, name) }) {
			return fmt.Errorf("%s: row %s is not verified by %s", m.name, number, strings.Join(m.tests, " or "))
		}
		for _, name := range tests {
			named[name] = true
		}
	}
	for _, name := range m.tests {
		if !named[name] {
			return fmt.Errorf("%s: none of its rows names %s", m.name, name)
		}
	}
	return nil
}

// loadMutants reads all mutants, by name.
func loadMutants(root string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(root, mutantsDir, "*.diff"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range files {
		text, err := os.ReadFile(path) //nolint:gosec // a path that Glob found
		if err != nil {
			return nil, err
		}
		m, err := parseMutant(strings.TrimSuffix(filepath.Base(path), ".diff"), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// testFunc is a test in the source. Two packages may have a test of the same name.
type testFunc struct{ dir, source string }

var testStart = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)

// findTests returns the tests of the module by name.
func findTests(root string) (map[string][]testFunc, error) {
	found := map[string][]testFunc{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path) //nolint:gosec // a path that WalkDir found
		dir, _ := filepath.Rel(root, filepath.Dir(path))
		text := string(source)
		for _, at := range testStart.FindAllStringSubmatchIndex(text, -1) {
			body, _, _ := strings.Cut(text[at[0]:], "\n}\n") // gofmt ends a function with a brace in the first column
			name := text[at[2]:at[3]]
			found[name] = append(found[name], testFunc{dir, body})
		}
		return err
	})
	return found, err
}

// digest changes with the mutant and with the functions of its tests.
func (m mutant) digest(tests map[string][]testFunc) string {
	sum := sha256.New()
	fmt.Fprintln(sum, m.text)
	for _, name := range m.tests {
		for _, one := range tests[name] {
			fmt.Fprintln(sum, one.dir, one.source)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
