package migrations

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// read returns the files of a dialect by number.
func read(t *testing.T, d Dialect) map[int]string {
	t.Helper()
	entries, err := files.ReadDir(d.folder)
	if err != nil {
		t.Fatal(err)
	}
	all := map[int]string{}
	for _, entry := range entries {
		number, _, _ := strings.Cut(entry.Name(), "_")
		version, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("%s has no number", entry.Name())
		}
		text, err := files.ReadFile(d.folder + "/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		all[version] = string(text)
	}
	return all
}

var (
	createTable = regexp.MustCompile(`(?s)CREATE TABLE (\w+) \(\n(.*?)\n\)`)
	columnLine  = regexp.MustCompile(`(?m)^  (\w+) (\w+)`)
	addColumn   = regexp.MustCompile(`ALTER TABLE (\w+) ADD COLUMN (\w+) (\w+)`)
)

// columnsOf lists the columns that SQL creates, with their SQLite types.
func columnsOf(text string) (all []string) {
	types := map[string]string{"BYTEA": "BLOB", "BIGINT": "INTEGER"}
	add := func(table, column, kind string) {
		if sqlite, ok := types[kind]; ok {
			kind = sqlite
		}
		all = append(all, fmt.Sprintf("%s.%s %s", table, column, kind))
	}
	for _, table := range createTable.FindAllStringSubmatch(text, -1) {
		for _, column := range columnLine.FindAllStringSubmatch(table[2], -1) {
			if column[1] != "PRIMARY" && column[1] != "UNIQUE" {
				add(table[1], column[1], column[2])
			}
		}
	}
	for _, column := range addColumn.FindAllStringSubmatch(text, -1) {
		add(column[1], column[2], column[3])
	}
	slices.Sort(all)
	return all
}

// TestFiles_BothDatabases_SameColumns compares the tables and columns of both databases, version by version.
func TestFiles_BothDatabases_SameColumns(t *testing.T) {
	t.Parallel()
	sqlite, postgres := read(t, SQLite), read(t, Postgres)
	if len(sqlite) != len(postgres) {
		t.Errorf("got %d files for SQLite and %d for PostgreSQL", len(sqlite), len(postgres))
	}
	for version, text := range sqlite {
		want, got := columnsOf(text), columnsOf(postgres[version])
		if version == 1 && len(want) < 500 {
			t.Fatalf("got %d columns in the baseline: the test reads too few", len(want))
		}
		if !slices.Equal(got, want) {
			t.Errorf("version %d: got %v for PostgreSQL, want %v", version, got, want)
		}
	}
}

// TestFiles_PostgreSQL_WaitForWriters checks that every change of PostgreSQL's schema waits for writing transactions
// of other processes. They lock tables in another order, so both could deadlock.
func TestFiles_PostgreSQL_WaitForWriters(t *testing.T) {
	t.Parallel()
	want := fmt.Sprintf("-- +goose Up\nSELECT pg_advisory_xact_lock(%d);", int64(WritersLock))
	for version, text := range read(t, Postgres) {
		if !strings.HasPrefix(text, want) {
			t.Errorf("version %d does not begin with %q", version, want)
		}
	}
}

// removal matches a change that breaks programs of the previous release: what they read is gone, or what they write
// is refused.
var removal = regexp.MustCompile(`(?i)\b(DROP\s+(TABLE|COLUMN|INDEX)|RENAME|ALTER\s+COLUMN|TRUNCATE|DELETE\s+FROM|` +
	`CREATE\s+UNIQUE\s+INDEX|ADD\s+CONSTRAINT)\b`)

// requiredColumn is a new column that an older program would not write.
var requiredColumn = regexp.MustCompile(`(?i)ADD\s+COLUMN\s+[^;]*NOT\s+NULL(?:[^;]*)`)

// problemOf returns why a change breaks programs of the previous release; empty if it does not.
func problemOf(text string) string {
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

// TestFiles_NewerThanOldest_OnlyAdd checks the changes that programs of the previous release must tolerate.
func TestFiles_NewerThanOldest_OnlyAdd(t *testing.T) {
	t.Parallel()
	for _, d := range []Dialect{SQLite, Postgres} {
		for version, text := range read(t, d) {
			if why := problemOf(text); version > Oldest && why != "" {
				t.Errorf("%s, version %d: programs of the release before cannot live with %q: see Oldest", d.folder, version, why)
			}
		}
	}
	for text, allowed := range map[string]bool{
		"CREATE TABLE x (id TEXT PRIMARY KEY);": true, "CREATE INDEX i ON leads (x);": true,
		"ALTER TABLE leads ADD COLUMN x TEXT NOT NULL DEFAULT '';": true, "ALTER TABLE leads ADD COLUMN x TEXT;": true,
		"ALTER TABLE leads ADD COLUMN x TEXT NOT NULL;": false, "DROP TABLE leads;": false,
		"ALTER TABLE leads DROP COLUMN x;": false, "ALTER TABLE leads RENAME COLUMN x TO y;": false,
		"CREATE UNIQUE INDEX i ON leads (x);": false, "DELETE FROM notes;": false,
	} {
		if got := problemOf(text) == ""; got != allowed {
			t.Errorf("%s: got allowed %v", text, got)
		}
	}
}
