package archtest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDesk_ThroughAHandle_NoWayToStoreOrLender compiles a small program inside the web that tries to get
// past the desk's permission checks. The compiler must refuse each of its lines, and nothing else.
func TestDesk_ThroughAHandle_NoWayToStoreOrLender(t *testing.T) {
	t.Parallel()
	allowed := []string{"d.Actor.UserID", "s.ConsentVersion()", "l.App()", "l.Lead.App()", "l.Offers()", "p.Page"}
	refused := []string{
		// services of the desk and of the handle of a lead
		"s.services", "s.core", "s.Services", "s.Store", "s.Lender", "d.core", "d.Core", "d.Store", "d.Vault", "d.Lender",
		"d.Journal", "d.Accounts", "d.For", "l.core", "l.Lead.d", "l.Store", "l.Lead.Store", "l.Desk", "l.Lead.Desk",
		"(&desk.Lead{}).core", "(&desklead.Lead{}).d", "l.Offers().d", "l.Offers().Store",
		// services of handles of other areas
		"p.d", "p.list", "p.Store", "p.Desk",
		// handles without a desk: constructors take types that web cannot name
		"desklead.Of(nil)", "desklead.Of()", "desklead.Of(desklead.Lead{})",
		"desklead.OpenReceipt(context.Background(), nil, \"\")", "offers.Of(nil)", "offers.Of(l)", "offers.Of(l.Lead)",
		"pipeline.Open(nil)", "pipeline.Open(d)", "pipeline.Open(*d)", "pipeline.Open(struct{}{})",
		"reassign.RunAssignmentRules(context.Background(), nil)",
		"reassign.Reassign(context.Background(), nil, reassign.Request{})",
		"desk.Desk{}.core", "&desk.Desk{d.Actor, nil}", "desk.New(desk.Deps{}).services",
	}
	var program strings.Builder
	program.WriteString(`package page

import (
	"context"

	"hearthline/internal/desk"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/desk/offers"
	"hearthline/internal/desk/pipeline"
	"hearthline/internal/desk/reassign"
)

var _ = []any{context.Background, desk.New, desklead.Bureaus, offers.ShareDays, pipeline.KindFollowUp, reassign.Splits}

`)
	first := strings.Count(program.String(), "\n") + 1
	line := map[string]int{}
	for i, expression := range append(allowed, refused...) {
		fmt.Fprintf(&program,
			"var _ = func(s *desk.Service, d *desk.Desk, l *desk.Lead, p *pipeline.Pipeline) any { return %s }\n", expression)
		line[expression] = i + first
	}
	got := compileInPage(t, program.String())
	for _, expression := range refused {
		if !strings.Contains(got, fmt.Sprintf("attempt.go:%d:", line[expression])) {
			t.Errorf("%s compiles", expression)
		}
	}
	for _, expression := range allowed {
		if strings.Contains(got, fmt.Sprintf("attempt.go:%d:", line[expression])) {
			t.Errorf("%s does not compile, though it is allowed: %s", expression, got)
		}
	}
}

// TestDeskCore_ImportedFromWeb_Refused compiles a file of the web that imports what the handles work with.
func TestDeskCore_ImportedFromWeb_Refused(t *testing.T) {
	t.Parallel()
	got := compileInPage(t, "package page\n\nimport \"hearthline/internal/desk/internal/core\"\n\nvar _ = core.New\n")
	if !strings.Contains(got, "use of internal package hearthline/internal/desk/internal/core not allowed") {
		t.Errorf("got %q, want that the import is refused", got)
	}
}

// compileInPage compiles a file as if it were one of web/page, and returns what the compiler says.
func compileInPage(t *testing.T, program string) string {
	t.Helper()
	absolute, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, overlay := filepath.Join(dir, "attempt.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(absolute, "web", "page", "attempt.go"): source},
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{source: []byte(program), overlay: replaced} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	//nolint:gosec // paths of the test's own folder
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-e", "-overlay", overlay, "./web/page")
	build.Dir = absolute
	output, _ := build.CombinedOutput()
	return string(output)
}
