package store_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of the plans

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// TestListOrders_UseTheirIndex checks in the query plans of both databases that a page of a list is read in the order
// of an index that begins with the scope: nothing is sorted, and no whole table is read, so a page costs only what it
// shows.
func TestListOrders_UseTheirIndex(t *testing.T) {
	t.Parallel()
	for _, db := range []struct {
		name, driver, explain string
		before                []string
		address               func(t *testing.T) string
	}{
		{"SQLite", "sqlite3", `EXPLAIN QUERY PLAN `, nil, func(t *testing.T) string { return storetest.NewFile(t) }},
		// A sort of a few hundred leads costs PostgreSQL less than an index does.
		{"PostgreSQL", "pgx", `EXPLAIN (COSTS OFF) `,
			[]string{`ANALYZE`, `SET enable_seqscan = off`, `SET enable_sort = off`, `SET enable_incremental_sort = off`},
			func(t *testing.T) string { return storetest.NewPostgres(t) }},
	} {
		t.Run(db.name, func(t *testing.T) {
			t.Parallel()
			address := db.address(t)
			v, err := vault.InMemory()
			if err != nil {
				t.Fatal(err)
			}
			bench.Fill(t, address, v, bench.Data{
				Leads: 300, Company: access.Owner{BrokerID: "B1", Organization: "org"},
				Originators: []heloc.OriginatorID{"o1", "o2", "o3"}, NoDetails: true, Now: time.Now(),
			})
			s, err := store.Open(t.Context(), address, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			plans, err := sql.Open(db.driver, address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = plans.Close() })
			conn, err := plans.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close() })
			for _, statement := range db.before {
				if _, err := conn.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			for _, list := range store.ListQueries(s) {
				plan := planOf(t, conn, db.explain+list.SQL, list.Args)
				if !strings.Contains(plan, "leads_") || strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "Sort") ||
					strings.Contains(plan, "Seq Scan") {
					t.Errorf("%s is not read in the order of an index:\n%s", list.Name, plan)
				}
			}
		})
	}
}

// planOf returns the last column of the rows of a plan.
func planOf(t *testing.T, conn *sql.Conn, query string, args []any) string {
	t.Helper()
	rows, err := conn.QueryContext(context.WithoutCancel(t.Context()), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var plan strings.Builder
	for rows.Next() {
		row := make([]any, len(columns))
		for i := range row {
			row[i] = &sql.RawBytes{}
		}
		if err := rows.Scan(row...); err != nil {
			t.Fatal(err)
		}
		plan.Write(*row[len(row)-1].(*sql.RawBytes))
		plan.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}
