package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var wordEnds = []*regexp.Regexp{regexp.MustCompile(`(.)([A-Z][a-z]+)`), regexp.MustCompile(`([a-z0-9])([A-Z])`)}

// snake converts a name to snake case: AppID becomes app_id.
func snake(name string) string {
	for _, end := range wordEnds {
		name = end.ReplaceAllString(name, "${1}_${2}")
	}
	return strings.ToLower(name)
}

// TestColumns_NamedForTheirFields checks that each column has the name of its Go field.
func TestColumns_NamedForTheirFields(t *testing.T) {
	t.Parallel()
	columns := 0
	forEachSource(t, func(path string, content []byte) {
		file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			field, ok := n.(*ast.Field)
			if !ok || field.Tag == nil {
				return true
			}
			tag, err := strconv.Unquote(field.Tag.Value)
			if err != nil {
				t.Fatal(err)
			}
			column, ok := reflect.StructTag(tag).Lookup("db")
			for _, name := range field.Names {
				if ok && column != "-" && column != snake(name.Name) {
					t.Errorf("%s: the column of %s is %s, want %s", path, name.Name, column, snake(name.Name))
				}
				if ok {
					columns++
				}
			}
			return true
		})
	}, ".go")
	if columns < 500 {
		t.Fatalf("got %d columns: the test reads too few", columns)
	}
}
