package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// valuesOf lists the values of columns that allow only certain ones.
var valuesOf = map[string][]any{
	"lane": {"today", "offers", "borrower", "ended"}, "outcome": {"open", "declined", "canceled"},
	"reached": {0, 1, 2, 3, 4}, "former_originator": {"", "o1", "o2"},
	"step_before": {"", string(heloc.StepPayoff), string(heloc.StepCreditMatch)}, "company": {"B1", "B2"},
	"originator": {"", "o1", "o2"}, "state": {"CO", "TX"},
	"disabled_at": {0},
}

// Fill writes rows into every table of an SQLite database, with an audit that begins after dropped rows and is
// intact. The values are arbitrary, but have the types and references that the schema requires.
func Fill(t testing.TB, path string, options store.Options, rows int) {
	t.Helper()
	s, err := store.Open(context.Background(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(context.Background(), func(tx *store.Tx) error { return fillAudit(tx, rows) }); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", "file:"+path+"?_foreign_keys=1&_recursive_triggers=1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	//nolint:gosec // the same rows each time
	f := filler{t: t, db: db, random: rand.New(rand.NewPCG(1, 2)), filled: map[string]bool{}}
	for _, table := range texts(t, db, `SELECT name FROM sqlite_master
		WHERE type = 'table' AND name NOT LIKE 'sqlite#_%' ESCAPE '#' AND name <> 'goose_db_version'`) {
		f.fill(table, rows)
	}
}

// fillAudit adds users, an audit and its base.
func fillAudit(tx *store.Tx, rows int) error {
	ctx := context.Background()
	for range rows {
		old := store.AuditEntry{At: store.Millis(noon().AddDate(-7, 0, 0)), ActorID: "system", Action: store.ActionLeadOpen,
			Object: "lead:1", Outcome: "done"}
		if err := tx.Audit(ctx, old); err != nil {
			return err
		}
	}
	if _, err := tx.TrimAudit(ctx, noon().AddDate(-6, 0, 0), rows/2); err != nil {
		return err
	}
	for i := range rows {
		if err := tx.AddUser(ctx, userOf(fmt.Sprintf("user-%d", i), access.Originator), ""); err != nil {
			return err
		}
	}
	return nil
}

type filler struct {
	t      testing.TB
	db     *sql.DB
	random *rand.Rand
	filled map[string]bool
}

type fillColumn struct {
	name, kind string
	notNull    bool
	to         string // the table that it references; empty for none
	toColumn   string
}

// fill writes rows into an empty table, after those that it references.
func (f *filler) fill(table string, rows int) {
	f.t.Helper()
	if f.filled[table] {
		return
	}
	f.filled[table] = true
	columns := f.columns(table)
	for _, c := range columns {
		if c.to != "" {
			f.fill(c.to, rows)
		}
	}
	if texts(f.t, f.db, `SELECT count(*) FROM `+table)[0] != "0" {
		return
	}
	for i := range rows {
		values := map[string]any{}
		for _, c := range columns {
			values[`"`+c.name+`"`] = f.value(c, i)
		}
		names := slices.Sorted(maps.Keys(values))
		args := make([]any, len(names))
		for i, name := range names {
			args[i] = values[name]
		}
		// Two rows can have the same references as their key.
		query := `INSERT INTO ` + //nolint:gosec // names of the schema
			table + ` (` + strings.Join(names, ", ") + `) VALUES (?` + strings.Repeat(", ?", len(names)-1) + `)
				ON CONFLICT DO NOTHING`
		if _, err := f.db.ExecContext(context.Background(), query, args...); err != nil {
			f.t.Fatalf("%s: %v", table, err)
		}
	}
}

func (f *filler) columns(table string) (all []fillColumn) {
	f.t.Helper()
	rows, err := f.db.QueryContext(context.Background(), `SELECT c.name, c.type, c."notnull", coalesce(f."table", ''),
		coalesce(f."to", '')
		FROM pragma_table_info(?) c LEFT JOIN pragma_foreign_key_list(?) f ON f."from" = c.name`, table, table)
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var c fillColumn
		if err := rows.Scan(&c.name, &c.kind, &c.notNull, &c.to, &c.toColumn); err != nil {
			f.t.Fatal(err)
		}
		all = append(all, c)
	}
	if err := rows.Err(); err != nil {
		f.t.Fatal(err)
	}
	return all
}

func (f *filler) value(c fillColumn, n int) any {
	switch {
	case c.to != "":
		return texts(f.t, f.db, fmt.Sprintf(`SELECT %s FROM %s ORDER BY random() LIMIT 1`, c.toColumn, c.to))[0]
	case valuesOf[c.name] != nil:
		return valuesOf[c.name][f.random.IntN(len(valuesOf[c.name]))]
	case !c.notNull && c.kind == "BLOB" && n%3 == 0:
		return nil
	case c.kind == "BLOB":
		b := make([]byte, f.random.IntN(40))
		for i := range b {
			b[i] = byte(f.random.Uint32())
		}
		return b
	case c.kind == "TEXT":
		// Texts that other orders than that of bytes would sort differently.
		return []string{"Ä", "a", "B", "~", "é '\"\\\n", "Z"}[n%6] + fmt.Sprintf("%d-%x", n, f.random.Uint64())
	default:
		return f.random.Int64N(1 << 40)
	}
}
