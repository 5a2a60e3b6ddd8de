package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jmoiron/sqlx"

	"hearthline/internal/store"
	"hearthline/migrations"
)

// Stored returns everything that a database has stored, by place: the values of all columns, and the files of SQLite,
// in which deleted values could remain.
func Stored(t testing.TB, address string) map[string]string {
	t.Helper()
	places := map[string]string{"a column": columnValues(t, address)}
	if store.IsPostgres(address) {
		return places
	}
	files, err := filepath.Glob(strings.NewReplacer("[", `\[`, "*", `\*`, "?", `\?`).Replace(address) + "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("got no file at %s (%v)", address, err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		places[filepath.Base(name)] = string(raw)
	}
	return places
}

// Rows returns the rows of every table of the schema as texts, sorted.
func Rows(t testing.TB, address string) map[string][]string {
	t.Helper()
	db := connect(t, address)
	defer func() { _ = db.Close() }()
	columns := map[string][]string{}
	for _, name := range columnNames(t, address, db) {
		if table, column, _ := strings.Cut(name, " "); table != "goose_db_version" && table != "sqlite_sequence" {
			columns[table] = append(columns[table], `"`+column+`"`)
		}
	}
	all := map[string][]string{}
	for table, names := range columns {
		slices.Sort(names)
		all[table] = rowTexts(t, db, len(names), `SELECT `+strings.Join(names, ", ")+` FROM `+table)
		slices.Sort(all[table])
	}
	return all
}

// Exec runs a statement, with ? for its arguments, that the portal itself never runs.
func Exec(t testing.TB, address, statement string, args ...any) {
	t.Helper()
	if err := TryExec(t, address, statement, args...); err != nil {
		t.Fatal(err)
	}
}

// TryExec is Exec for a statement that may fail.
func TryExec(t testing.TB, address, statement string, args ...any) error {
	t.Helper()
	db := connect(t, address)
	defer func() { _ = db.Close() }()
	if store.IsPostgres(address) {
		statement = sqlx.Rebind(sqlx.DOLLAR, statement)
	}
	_, err := db.ExecContext(context.Background(), statement, args...)
	return err
}

// Count returns the number that a query with ? for its arguments selects.
func Count(t testing.TB, address, query string, args ...any) (n int) {
	t.Helper()
	db := connect(t, address)
	defer func() { _ = db.Close() }()
	if store.IsPostgres(address) {
		query = sqlx.Rebind(sqlx.DOLLAR, query)
	}
	if err := db.QueryRowContext(context.Background(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Texts returns what a query for one column selects.
func Texts(t testing.TB, address, query string) []string {
	t.Helper()
	db := connect(t, address)
	defer func() { _ = db.Close() }()
	return texts(t, db, query)
}

// AllowUpdates undoes RefuseUpdates.
func AllowUpdates(t testing.TB, address, table string) {
	t.Helper()
	statement := `DROP TRIGGER refuse_updates`
	if store.IsPostgres(address) {
		statement += ` ON ` + table
	}
	Exec(t, address, statement)
}

// RefuseUpdates makes updates of the rows of a table fail that a condition on NEW selects.
func RefuseUpdates(t testing.TB, address, table, when, message string) {
	t.Helper()
	if store.IsPostgres(address) {
		Exec(t, address, `CREATE FUNCTION refuse_updates() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '`+
			message+`'; END $$`)
		Exec(t, address, `CREATE TRIGGER refuse_updates BEFORE UPDATE ON `+table+` FOR EACH ROW
			WHEN (`+when+`) EXECUTE FUNCTION refuse_updates()`)
		return
	}
	Exec(t, address, `CREATE TRIGGER refuse_updates BEFORE UPDATE ON `+table+` WHEN `+when+` BEGIN
		SELECT RAISE(ABORT, '`+message+`'); END`)
}

func connect(t testing.TB, address string) *sql.DB {
	t.Helper()
	driver, source := "sqlite3", "file:"+address
	if store.IsPostgres(address) {
		driver, source = "pgx", address
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// columnValues returns the values of every column of every table, as text.
func columnValues(t testing.TB, address string) string {
	t.Helper()
	db := connect(t, address)
	defer func() { _ = db.Close() }()
	var all strings.Builder
	for _, name := range columnNames(t, address, db) {
		table, column, _ := strings.Cut(name, " ")
		for _, text := range texts(t, db, fmt.Sprintf(`SELECT %q FROM %q`, column, table)) {
			all.WriteString(text + "\n")
		}
	}
	return all.String()
}

// columnNames returns the columns of all tables, each after its table and a space.
func columnNames(t testing.TB, address string, db *sql.DB) []string {
	t.Helper()
	names := `SELECT m.name || ' ' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`
	if store.IsPostgres(address) {
		names = `SELECT table_name || ' ' || column_name FROM information_schema.columns WHERE table_schema = 'public'`
	}
	columns := texts(t, db, names)
	if len(columns) < 300 {
		t.Fatalf("got %d columns: the query finds too little", len(columns))
	}
	return columns
}

// texts returns the only column of a query.
func texts(t testing.TB, db *sql.DB, query string) []string {
	t.Helper()
	return rowTexts(t, db, 1, query)
}

// rowTexts returns the rows of a query, the columns with a separator between them.
func rowTexts(t testing.TB, db *sql.DB, columns int, query string) []string {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	var all []string
	for rows.Next() {
		values, into := make([]sql.RawBytes, columns), make([]any, columns)
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		row := make([]string, columns)
		for i, value := range values {
			if row[i] = string(value); value == nil && columns > 1 {
				row[i] = "NULL"
			}
		}
		all = append(all, strings.Join(row, "\x1f"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// LockWriter holds the lock of the database's writers until unlock, or until the test ends.
func LockWriter(t testing.TB, address string) (unlock func()) {
	t.Helper()
	db := connect(t, address)
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	statements := []string{`BEGIN IMMEDIATE`}
	if store.IsPostgres(address) {
		statements = []string{`BEGIN`, fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d)`, migrations.WritersLock)}
	}
	for _, statement := range statements {
		if _, err := conn.ExecContext(context.Background(), statement); err != nil {
			t.Fatal(err)
		}
	}
	unlock = sync.OnceFunc(func() {
		if _, err := conn.ExecContext(context.Background(), `ROLLBACK`); err != nil {
			t.Error(err)
		}
		_ = conn.Close()
		_ = db.Close()
	})
	t.Cleanup(unlock)
	return unlock
}
