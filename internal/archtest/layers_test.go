package archtest

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "hearthline"

// root is the project's folder, relative to this one.
const root = "../.."

// forEachSource calls f for every source file of the project that has one of the suffixes.
func forEachSource(t *testing.T, f func(path string, content []byte), suffixes ...string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "data" || name == "testdata" ||
				name == "vendor" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(path, s) }) {
			return nil
		}
		content, err := os.ReadFile(path)
		if err == nil {
			rel, _ := filepath.Rel(root, path)
			f(filepath.ToSlash(rel), content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImports_FollowLayers(t *testing.T) {
	layers := map[string][]string{}
	for _, r := range Layers() {
		layers[r.Path] = r.Imports
	}
	seen := map[string]bool{}
	forEachSource(t, func(path string, content []byte) {
		pkg := filepath.ToSlash(filepath.Dir(path))
		seen[pkg] = true
		allowed, known := layers[pkg]
		if !known {
			t.Errorf("%s: the package %s is in no layer", path, pkg)
			return
		}
		if strings.HasSuffix(path, "_test.go") || slices.Contains(allowed, anyImport) {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.ImportsOnly)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			dependency, found := strings.CutPrefix(imported, module+"/")
			if found && !slices.Contains(allowed, dependency) {
				t.Errorf("%s imports %s, which is not below %s", path, dependency, pkg)
			}
			if imported == "net/http" && strings.HasPrefix(pkg, "views") {
				t.Errorf("%s imports net/http: a view must not use requests", path)
			}
		}
	}, ".go")
	for _, r := range Layers() {
		if !seen[r.Path] {
			t.Errorf("the package %s is in a layer but does not exist", r.Path)
		}
	}
}

// TestImports_OpenTelemetry_OnlyInTrace keeps what a span may contain in one place.
func TestImports_OpenTelemetry_OnlyInTrace(t *testing.T) {
	forEachSource(t, func(path string, content []byte) {
		if bytes.Contains(content, []byte(`"go.opentelemetry.io/`)) && !strings.HasPrefix(path, "internal/trace/") &&
			!strings.HasPrefix(path, "internal/archtest/") {
			t.Errorf("%s imports OpenTelemetry; use internal/trace", path)
		}
	}, ".go")
}

// forbidden lists what the content security policy would block in a browser, what would weaken the policy, and what
// templ misinterprets.
var forbidden = map[string]*regexp.Regexp{
	"an inline style":       regexp.MustCompile(`\sstyle\s*=|<style`),
	"an inline handler":     regexp.MustCompile(`\son[a-z]+\s*=\s*["{]`),
	"a script of htmx":      regexp.MustCompile(`hx-on|"js:|javascript:`),
	"a filter in a trigger": regexp.MustCompile(`hx-trigger="[^"]*\[`),
	"an inline script":      regexp.MustCompile(`<script(?:\s[^>]*)?>[^<\s]`),
	"raw HTML": regexp.MustCompile(`templ\.Raw|templ\.SafeScript|templ\.JSFuncCall|` +
		`templ\.JSUnsafeFuncCall`),
	"an attribute of htmx":                   regexp.MustCompile(`\shx-[a-z:-]+\s*=`),
	"something from elsewhere":               regexp.MustCompile(`(?:src|href)="https?://`),
	"an else that is taken for an attribute": regexp.MustCompile(`(?m)^\s*else\s*$`),
	"a name of htmx outside ui.Hx":           regexp.MustCompile(`\bhx-[a-z:]+`),
	"something that views must not know":     regexp.MustCompile(`internal/|net/http`),
}

// maxTemplateLines is the length beyond which a template is hard to read.
const maxTemplateLines = 150

func TestTemplates_MeetContentSecurityPolicy(t *testing.T) {
	forEachSource(t, func(path string, content []byte) {
		for what, pattern := range forbidden {
			if found := pattern.Find(content); found != nil {
				t.Errorf("%s has %s: %q", path, what, found)
			}
		}
		if n := bytes.Count(content, []byte("\n")); n > maxTemplateLines {
			t.Errorf("%s has %d lines, want at most %d", path, n, maxTemplateLines)
		}
	}, ".templ")
}

func TestForbiddenPatterns_MatchExamples(t *testing.T) {
	for what, example := range map[string]string{
		"an inline style": `<p style="color:red">`, "an inline handler": `<a onclick="x()">`,
		"a script of htmx": `hx-on:click`, "a filter in a trigger": `hx-trigger="click[x]"`,
		"an inline script": `<script>alert(1)</script>`, "raw HTML": `@templ.Raw(x)`,
		"an attribute of htmx": `<a hx-get="/x">`, "something from elsewhere": `<img src="https://x">`,
		"an else that is taken for an attribute": "}\n\t\telse\n\t\tif x {",
		"a name of htmx outside ui.Hx":           `"hx-get"`, "something that views must not know": `import "net/http"`,
	} {
		if !forbidden[what].MatchString(example) {
			t.Errorf("%s is not found in %s", what, example)
		}
	}
}

func TestTopLevel_ExpectedEntries(t *testing.T) {
	wanted := []string{"Dockerfile", "README.md", "cmd", "go.mod", "go.sum", "internal", "migrations", "static",
		"views", "web"}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || name == "data" {
			continue
		}
		if !slices.Contains(wanted, name) {
			t.Errorf("%s does not belong at the top level", name)
		}
	}
	for _, name := range wanted {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Errorf("%s is missing", name)
		}
	}
}

// These words would reveal a particular workplace.
func TestSources_HaveNoWorkplaceReferences(t *testing.T) {
	workplace := []string{"/work/", "DESIGN.md", "DESIGN section", "SECURITY.md", "STYLE.md", "FIELD.md"}
	forEachSource(t, func(path string, content []byte) {
		if strings.HasPrefix(path, "internal/archtest/") {
			return
		}
		for _, text := range workplace {
			if bytes.Contains(content, []byte(text)) {
				t.Errorf("%s mentions %q", path, text)
			}
		}
	}, ".go", ".templ", ".md", ".sql", ".css", ".js")
}
