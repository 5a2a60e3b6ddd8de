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
	allowed := []string{"d.Actor.UserID", "s.ConsentVersion()", "l.App()"}
	refused := []string{
		"s.store", "s.vault", "s.lender", "s.journal", "s.accounts", "s.embeds", "s.backend", "d.store", "d.vault", "d.lender", "d.journal", "d.accounts", "d.backend", "l.d", "l.row",
		"s.Store", "s.Lender", "d.Store", "d.Vault", "d.Lender", "d.Journal", "d.Accounts", "d.Service", "d.For", "(&desk.Lead{}).d",
	}
	var program strings.Builder
	program.WriteString("package page\n\nimport \"hearthline/internal/desk\"\n\n")
	line := map[string]int{}
	for i, expression := range append(allowed, refused...) {
		fmt.Fprintf(&program, "var _ = func(s *desk.Service, d *desk.Desk, l *desk.Lead) any { return %s }\n", expression)
		line[expression] = i + 5
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

// compileInPage compiles a file as if it were one of web/page, and returns what the compiler says.
func compileInPage(t *testing.T, program string) string {
	t.Helper()
	absolute, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, overlay := filepath.Join(dir, "attempt.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(absolute, "web", "page", "attempt.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{source: []byte(program), overlay: replaced} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-e", "-overlay", overlay, "./web/page") //nolint:gosec // paths of the test's own folder
	build.Dir = absolute
	output, _ := build.CombinedOutput()
	return string(output)
}
