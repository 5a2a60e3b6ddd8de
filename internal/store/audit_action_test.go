package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// TestActions_ListsEveryConstant reads the source file of the actions: a constant that is missing from the
// list would fail the first time that it is used.
func TestActions_ListsEveryConstant(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "audit_action.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		if found++; !AuditAction(value).listed() {
			t.Errorf("%s is not in Actions", spec.Names[0].Name)
		}
		return true
	})
	if found < 50 {
		t.Fatalf("got %d constants: the test finds too few", found)
	}
}

func TestAudit_UnlistedAction_Refused(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	err := s.Write(t.Context(), func(tx *Tx) error {
		return tx.Audit(t.Context(), AuditEntry{ActorID: "olivia", Action: "lead.opne"})
	})
	if err == nil || !strings.Contains(err.Error(), "not listed") {
		t.Errorf("got %v, want an error", err)
	}
	if head, err := s.AuditHead(t.Context()); err != nil || head.Seq != 0 {
		t.Errorf("got row %d, %v, want none", head.Seq, err)
	}
}
