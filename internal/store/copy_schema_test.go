package store

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
)

// Every table is copied: a new one needs a primary key, by which its rows are copied, and columns of known types.
func TestTables_EveryTableOfSchema_AfterThoseItReferences(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	tables, err := s.tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	if err := s.list(t.Context(), &all, `SELECT name FROM sqlite_master WHERE type = 'table'`); err != nil {
		t.Fatal(err)
	}
	places := map[string]int{}
	for i, table := range tables {
		places[table.name] = i
	}
	for _, name := range all {
		place, copied := places[name]
		if others := name == "goose_db_version" || name == "sqlite_sequence"; copied == others {
			t.Errorf("%s: got copied %v, want %v", name, copied, !others)
		}
		var references []string
		if err := s.list(t.Context(), &references, `SELECT "table" FROM pragma_foreign_key_list(?)`, name); err != nil {
			t.Fatal(err)
		}
		for _, to := range references {
			if places[to] >= place {
				t.Errorf("%s is copied before %s, which it references", name, to)
			}
		}
		var keys, columns int
		if err := s.get(t.Context(), &keys, `SELECT count(*) FROM pragma_table_info(?) WHERE pk > 0`, name); err != nil {
			t.Fatal(err)
		}
		if err := s.get(t.Context(), &columns, `SELECT count(*) FROM pragma_table_info(?)`, name); err != nil {
			t.Fatal(err)
		}
		if few := name == "installation"; copied && keys == 0 && !few {
			t.Errorf("%s has no primary key: rows are copied in its order", name)
		}
		if copied && len(tables[place].columns) != columns {
			t.Errorf("%s: got %d columns, want %d", name, len(tables[place].columns), columns)
		}
	}
	if len(tables) < 50 || len(tables) != len(places) {
		t.Errorf("got %d tables, %d of them different", len(tables), len(places))
	}
}

func TestTables_WithoutPlace_Refused(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`CREATE TABLE new (id TEXT PRIMARY KEY, at TIMESTAMP)`,
		`CREATE TABLE new (id TEXT PRIMARY KEY REFERENCES newer (id)); CREATE TABLE newer (id TEXT PRIMARY KEY REFERENCES new (id))`,
	} {
		s := openSQLite(t)
		if _, err := s.write.ExecContext(t.Context(), schema); err != nil {
			t.Fatal(err)
		}
		if _, err := s.tables(t.Context()); err == nil || !strings.Contains(err.Error(), "copied") {
			t.Errorf("%s: got %v, want it refused", schema, err)
		}
	}
}

// The rows that migrations write are replaced by those of the source.
func TestSeeded_ListsTablesWithRowsOfNewDatabase(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	tables, err := s.tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.countRows(t.Context(), tables)
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range rows {
		if seeded[name] != (n > 0) {
			t.Errorf("%s has %d rows in a new database, seeded says %v", name, n, seeded[name])
		}
	}
}

func TestHashValue_DifferentRows_DifferentBytes(t *testing.T) {
	t.Parallel()
	var seen []string
	for _, r := range []row{{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"abc", nil}, {nil, "abc"}, {[]byte("ab"), "c"}, {int64(0), nil}, {nil, int64(0)}, {"", ""}, {[]byte{}, []byte{}}} {
		h := sha256.New()
		for _, value := range r {
			hashValue(h, value)
		}
		if sum := string(h.Sum(nil)); slices.Contains(seen, sum) {
			t.Errorf("%v has the bytes of another row", r)
		} else {
			seen = append(seen, sum)
		}
	}
}
