package migrations

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// removal is what a program of the release before could not live with: what it reads is gone, or what it writes is refused.
var removal = regexp.MustCompile(`(?i)\b(DROP\s+(TABLE|COLUMN|INDEX)|RENAME|ALTER\s+COLUMN|TRUNCATE|DELETE\s+FROM|CREATE\s+UNIQUE\s+INDEX|ADD\s+CONSTRAINT)\b`)

// requiredColumn is a new column that an older program would not write.
var requiredColumn = regexp.MustCompile(`(?i)ADD\s+COLUMN\s+[^;]*NOT\s+NULL(?:[^;]*)`)

// wantOnlyGrowth returns why a migration is not one that programs of the release before can live with; empty if it is.
func wantOnlyGrowth(text string) string {
	if found := removal.FindString(text); found != "" {
		return found
	}
	for _, column := range requiredColumn.FindAllString(text, -1) {
		if !strings.Contains(strings.ToUpper(column), "DEFAULT") {
			return column
		}
	}
	return ""
}

// TestFiles_NewerThanOldest_OnlyAdd reads the migrations that programs of the release before must live with.
func TestFiles_NewerThanOldest_OnlyAdd(t *testing.T) {
	t.Parallel()
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, entry := range entries {
		number, _, _ := strings.Cut(entry.Name(), "_")
		if version, err := strconv.Atoi(number); err != nil || version <= Oldest {
			continue
		}
		text, err := files.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		checked++
		if why := wantOnlyGrowth(string(text)); why != "" {
			t.Errorf("%s: programs of the release before cannot live with %q: see Oldest", entry.Name(), why)
		}
	}
	if checked == 0 {
		t.Error("no migration was read")
	}
	for text, allowed := range map[string]bool{
		"CREATE TABLE x (id TEXT PRIMARY KEY);": true, "CREATE INDEX i ON leads (x);": true, "ALTER TABLE leads ADD COLUMN x TEXT NOT NULL DEFAULT '';": true, "ALTER TABLE leads ADD COLUMN x TEXT;": true,
		"ALTER TABLE leads ADD COLUMN x TEXT NOT NULL;": false, "DROP TABLE leads;": false, "ALTER TABLE leads DROP COLUMN x;": false,
		"ALTER TABLE leads RENAME COLUMN x TO y;": false, "CREATE UNIQUE INDEX i ON leads (x);": false, "DELETE FROM notes;": false,
	} {
		if got := wantOnlyGrowth(text) == ""; got != allowed {
			t.Errorf("%s: got allowed %v", text, got)
		}
	}
}
