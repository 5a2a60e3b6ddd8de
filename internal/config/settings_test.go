package config

import (
	"os"
	"strings"
	"testing"
)

func TestSettingsTable_ListsEverySettingAndNoOther(t *testing.T) {
	table, err := os.ReadFile("SETTINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(table)) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "| `"), "`"); ok && strings.HasPrefix(line, "| `") &&
			strings.ToUpper(name) == name {
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
		if !strings.Contains(string(table), row+"\n") {
			t.Errorf("SETTINGS.md has no row %s", row)
		}
		delete(listed, s.Name)
	}
	for name := range listed {
		t.Errorf("SETTINGS.md lists %s, which is not a setting", name)
	}
}
