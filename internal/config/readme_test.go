package config

import (
	"os"
	"strings"
	"testing"
)

func TestReadmeListsEverySettingAndNoOther(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(readme)) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "| `"), "`"); ok && strings.HasPrefix(line, "| `") && strings.ToUpper(name) == name {
			listed[name] = true
		}
	}
	for _, s := range Settings() {
		row := "| `" + s.Name + "`"
		if s.Secret {
			row += " (`_FILE`)"
		}
		fallback := s.Default
		if fallback == "" {
			fallback = "–"
		}
		row += " | " + fallback + " | " + s.Meaning + " |"
		if !strings.Contains(string(readme), row+"\n") {
			t.Errorf("README lacks the row %s", row)
		}
		delete(listed, s.Name)
	}
	for name := range listed {
		t.Errorf("README lists %s, which is no setting", name)
	}
}
