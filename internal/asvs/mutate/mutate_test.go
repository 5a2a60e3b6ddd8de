package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"hearthline/internal/asvs"
)

// root is the project's folder, relative to this one.
const root = "../../.."

func TestMutants_ApplyToRowsAndResults(t *testing.T) {
	t.Parallel()
	mutants, err := loadMutants(root)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := findTests(root)
	if err != nil {
		t.Fatal(err)
	}
	results, covered, names := asvs.Results(), map[string]bool{}, map[string]bool{}
	for _, m := range mutants {
		names[m.name] = true
		if _, err := m.apply(root); err != nil {
			t.Error(err)
		}
		if err := m.check(tableByNumber()); err != nil {
			t.Error(err)
		}
		for _, number := range m.rows {
			covered[number] = true
		}
		switch r, ok := results[m.name]; {
		case !ok || !slices.Equal(r.Rows, m.rows):
			t.Errorf("%s and its rows are not in %s: run go run ./internal/asvs/mutate -only '^%s$'", m.name, resultsFile,
				m.name)
		case r.Date != "" && r.Digest != m.digest(tests):
			t.Errorf("%s or its tests have changed since %s: run go run ./internal/asvs/mutate -only '^%s$', or delete the date",
				m.name, r.Date, m.name)
		}
	}
	for name := range results {
		if !names[name] {
			t.Errorf("%s names %s, which does not exist", resultsFile, name)
		}
	}
	for _, r := range asvs.Requirements() {
		if r.Kind == asvs.Tested && !covered[r.Number] {
			t.Errorf("%s is said to be verified by tests, but no mutant removes its control", r.Number)
		}
	}
}

func TestParseMutant_Malformed_Error(t *testing.T) {
	t.Parallel()
	const head = "The control is gone.\nrows: 1.1.1\ntests: TestX\n"
	for what, text := range map[string]string{
		"no diff": head, "no rows": "x\ntests: TestX\n--- a/x.go\n", "no tests": "x\nrows: 1.1.1\n--- a/x.go\n",
		"no hunk": head + "--- a/x.go\n+++ b/x.go\n-x\n", "another line": head + "--- a/x.go\n+++ b/x.go\n@@ @@\nx\n",
	} {
		if m, err := parseMutant("x", text); err == nil {
			t.Errorf("%s: got %+v, want an error", what, m)
		}
	}
}

func TestApply_ContextChanged_Stale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tt := range []struct{ source, want string }{
		{"a\nb\nc\n", "a\nB\nc\n"},
		{"a\nbb\nc\n", ""},      // part of a line
		{"a\nB\nc\n", ""},       // applied already
		{"b\nc\nb\nc\n", ""},    // in two places
		{"b\nc\n", "B\nc\n"},    // at the beginning
		{"x\nb\nd\nc\nb\n", ""}, // without its context
	} {
		if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte(tt.source), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := parseMutant("x", "Gone.\nrows: 1.1.1\ntests: TestX\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n-b\n+B\n c\n")
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.apply(dir)
		if got["x.go"] != tt.want || (tt.want == "") != errors.Is(err, errStale) {
			t.Errorf("%q: got %q, %v, want %q", tt.source, got["x.go"], err, tt.want)
		}
	}
}

func TestJudge_OnlyFailingTestsProve(t *testing.T) {
	t.Parallel()
	m := mutant{name: "x", tests: []string{"TestA", "TestB"}}
	const failA, failB = `{"Action":"fail","Test":"TestA"}`, `{"Action":"fail","Test":"TestB"}`
	for what, tt := range map[string]struct {
		output string
		proven bool
	}{
		"both fail":   {failA + failB + `{"Action":"fail"}`, true},
		"one passes":  {failA + `{"Action":"pass","Test":"TestB"}`, false},
		"one is gone": {failA, false},
		"a subtest":   {failA + `{"Action":"fail","Test":"TestB/x"}`, false},
		"no compile":  {`{"Action":"build-fail"}{"Action":"fail","FailedBuild":"x"}`, false},
		"too slow":    {`{"Action":"output","Output":"panic: test timed out after 5m0s"}` + failA + failB, false},
		"garbage":     {`go: no such package`, false},
	} {
		if got, err := m.judge([]byte(tt.output)); (err == nil) != tt.proven {
			t.Errorf("%s: got %q, %v, want proven %v", what, got, err, tt.proven)
		}
	}
}
