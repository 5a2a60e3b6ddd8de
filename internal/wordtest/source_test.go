package wordtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// root is the module's folder.
const root = "../.."

// skipped lists folders without text for users: helpers of tests, and packages whose literals name stored data.
var skipped = map[string]bool{
	"internal/wordtest": true, "internal/archtest": true, "internal/store/storetest": true, "internal/vault": true,
	"web/webtest": true,
}

// TestTexts_InSource_HaveNoRetiredWords reads every string that the programs could show: literals of Go code, with
// templates as generated, of scripts, and pages of the sandbox. Rendered pages show the states that a test reaches;
// this finds the others.
func TestTexts_InSource_HaveNoRetiredWords(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root+"/"))
		if d.IsDir() {
			if name == "static/vendor" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata" ||
				skipped[name] {
				return filepath.SkipDir
			}
			return nil
		}
		var texts []string
		switch {
		case strings.HasSuffix(name, "_test.go"):
			return nil
		case strings.HasSuffix(name, ".go"):
			texts, err = goTexts(path)
		case strings.HasSuffix(name, ".js"):
			texts, err = scriptTexts(path)
		case name == "internal/asvs/asvs.txt":
			content, failed := os.ReadFile(path)
			texts, err = strings.FieldsFunc(string(content), func(r rune) bool { return r == '|' || r == '\n' }), failed
		case strings.HasSuffix(name, ".html"):
			texts, err = pageTexts(path)
		default:
			return nil
		}
		files++
		Check(t, name, strings.Join(texts, " ¶ "))
		return err
	})
	if err != nil || files < 300 {
		t.Fatalf("read %d files, %v", files, err)
	}
}

var (
	tag     = regexp.MustCompile(`<[^>]*>?|^[^<>]*>`)
	help    = regexp.MustCompile(`help:"([^"]*)"`)
	machine = regexp.MustCompile(`^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|VACUUM|WITH|FROM|WHERE|AND|OR|` +
		`ORDER|JOIN|LEFT)\b|^[a-z0-9_.:/?=#-]*$|^[A-Z0-9_]+$|^https?:|^/`)
)

// goTexts returns the string literals of a file that may be text for people: no imports, no keys and no SQL.
func goTexts(path string) (texts []string, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, content, 0)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				for _, m := range help.FindAllStringSubmatch(n.Tag.Value, -1) {
					texts = append(texts, m[1])
				}
				n.Tag = nil
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && !machine.MatchString(text) {
				texts = append(texts, tag.ReplaceAllString(text, " ¶ "))
			}
		}
		return true
	})
	return texts, nil
}

var (
	comment = regexp.MustCompile(`(?m)^\s*//.*$|\s// .*$`)
	literal = regexp.MustCompile("'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`")
)

func scriptTexts(path string) ([]string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return literal.FindAllString(comment.ReplaceAllString(string(content), ""), -1), nil
}

func pageTexts(path string) ([]string, error) {
	content, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }()
	page, err := goquery.NewDocumentFromReader(content)
	if err != nil {
		return nil, err
	}
	return []string{TextOf(page.Selection)}, nil
}
