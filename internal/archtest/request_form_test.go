package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// formReader is the only file that parses request forms.
const formReader = "web/page/request_form.go"

// formReads returns the places where a file parses or reads the form of an http.Request, with any method or field of
// the standard library. Our own types also have a field named Form, so that one counts only on variables that are
// declared as *http.Request.
func formReads(path string, source []byte) ([]string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	requests := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		if pointer, ok := field.Type.(*ast.StarExpr); ok {
			if kind, ok := pointer.X.(*ast.SelectorExpr); ok && kind.Sel.Name == "Request" {
				for _, name := range field.Names {
					requests[name.Name] = true
				}
			}
		}
		return true
	})
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, _ := s.X.(*ast.Ident)
		always := slices.Contains([]string{"ParseForm", "ParseMultipartForm", "FormValue", "PostFormValue", "FormFile",
			"MultipartReader", "PostForm", "MultipartForm"}, s.Sel.Name)
		if always || s.Sel.Name == "Form" && of != nil && requests[of.Name] {
			found = append(found, set.Position(s.Pos()).String()+": "+s.Sel.Name)
		}
		return true
	})
	return found, nil
}

// TestRequestForms_ParsedInOnePlace ensures that every check and every handler of the portal uses the same values. It
// does not apply to the sandbox and to tests.
func TestRequestForms_ParsedInOnePlace(t *testing.T) {
	seen := false
	forEachSource(t, func(path string, content []byte) {
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "internal/sandbox/") {
			return
		}
		found, err := formReads(path, content)
		if err != nil {
			t.Fatal(err)
		}
		if path == formReader {
			seen = len(found) > 0
			return
		}
		for _, at := range found {
			t.Errorf("%s is outside %s", at, formReader)
		}
	}, ".go")
	if !seen {
		t.Errorf("%s parses no form", formReader)
	}
}

func TestRequestForms_OtherReads_Found(t *testing.T) {
	for source, want := range map[string]int{
		`func f(w http.ResponseWriter, r *http.Request) { _ = r.ParseForm() }`:                            1,
		`func f(r *http.Request) string { return r.PostFormValue("x") }`:                                  1,
		`func f(q *http.Request) string { return q.Form.Get("x") + q.FormValue("x") }`:                    2,
		`var f = func(r *http.Request) { parse := r.ParseMultipartForm; _ = parse(1) }`:                   1,
		`func f(r *http.Request) { _ = visit.request.PostForm }`:                                          1,
		`func f(v View) string { return v.Form.Value("x") } // r.ParseForm is not allowed`:                0,
		`func f(r *http.Request) string { return "r.PostForm" + form(r).Get("x") + r.URL.Query().Get() }`: 0,
	} {
		found, err := formReads("x.go", []byte("package x\n"+source))
		if err != nil || len(found) != want {
			t.Errorf("%s: got %v, %v, want %d", source, found, err, want)
		}
	}
}
