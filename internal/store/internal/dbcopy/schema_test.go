package dbcopy

import (
	"crypto/sha256"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/store/internal/sqldb"
)

// migrated returns a new SQLite database with the newest schema.
func migrated(t *testing.T) *sqldb.DB {
	t.Helper()
	db, err := sqldb.Connect(t.Context(), filepath.Join(t.TempDir(), "portal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := sqldb.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return db
}

// Every table is copied: a new one needs a primary key, by which its rows are copied, and columns of known types.
func TestTables_EveryTableOfSchema_AfterThoseItReferences(t *testing.T) {
	t.Parallel()
	c := sqldb.Readers(migrated(t))
	tables, err := tablesIn(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	all, err := sqldb.List[string](t.Context(), c, `SELECT name FROM sqlite_master WHERE type = 'table'`)
	if err != nil {
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
		references, err := sqldb.List[string](t.Context(), c, `SELECT "table" FROM pragma_foreign_key_list(?)`, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range references {
			if places[to] >= place {
				t.Errorf("%s is copied before %s, which it references", name, to)
			}
		}
		keys, err := sqldb.Get[int](t.Context(), c, `SELECT count(*) FROM pragma_table_info(?) WHERE pk > 0`, name)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := sqldb.Get[int](t.Context(), c, `SELECT count(*) FROM pragma_table_info(?)`, name)
		if err != nil {
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
		`CREATE TABLE new (id TEXT PRIMARY KEY REFERENCES newer (id)); CREATE TABLE newer
			(id TEXT PRIMARY KEY REFERENCES new (id))`,
	} {
		db := migrated(t)
		if err := sqldb.Write(t.Context(), db, func(tx sqldb.Conn) error {
			_, err := tx.Exec(t.Context(), schema)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := tablesIn(t.Context(), sqldb.Readers(db)); err == nil || !strings.Contains(err.Error(), "copied") {
			t.Errorf("%s: got %v, want it refused", schema, err)
		}
	}
}

// The rows that migrations write are replaced by those of the source.
func TestSeeded_ListsTablesWithRowsOfNewDatabase(t *testing.T) {
	t.Parallel()
	c := sqldb.Readers(migrated(t))
	tables, err := tablesIn(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := countRows(t.Context(), c, tables)
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
	for _, r := range []row{{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"abc", nil}, {nil, "abc"}, {[]byte("ab"), "c"},
		{int64(0), nil}, {nil, int64(0)}, {"", ""}, {[]byte{}, []byte{}}} {
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
