package store_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// planner is a connection to a database with some leads. It avoids reading whole tables and sorting wherever an index makes
// another plan possible, so that a small database shows what a large one will do.
type planner struct {
	t    *testing.T
	conn *pgx.Conn
}

func newPlanner(t *testing.T) (planner, *store.Store) {
	t.Helper()
	address := storetest.NewPostgres(t)
	v, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	bench.Fill(t, address, v, bench.Data{Leads: 300, Company: access.Owner{BrokerID: "B1", Organization: "org"}, Originators: []heloc.OriginatorID{"o1", "o2", "o3"}, NoDetails: true, Now: time.Now()})
	s, err := openAt(t, address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	p := planner{t, conn}
	for _, statement := range []string{`ANALYZE`, `SET enable_seqscan = off`, `SET enable_sort = off`, `SET enable_incremental_sort = off`, `SET plan_cache_mode = force_generic_plan`} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return p, s
}

var parameter = regexp.MustCompile(`\$\d+`)

// plan returns the plan of a query for any arguments.
func (p planner) plan(query string) string {
	p.t.Helper()
	parameters := map[string]bool{}
	for _, one := range parameter.FindAllString(query, -1) {
		parameters[one] = true
	}
	nulls := ""
	if len(parameters) > 0 {
		nulls = "(NULL" + strings.Repeat(", NULL", len(parameters)-1) + ")"
	}
	if _, err := p.conn.Exec(p.t.Context(), `PREPARE q AS `+query); err != nil {
		p.t.Fatalf("%s: %v", query, err)
	}
	rows, err := p.conn.Query(p.t.Context(), `EXPLAIN (COSTS OFF) EXECUTE q`+nulls, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		p.t.Fatalf("%s: %v", query, err)
	}
	steps, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		p.t.Fatalf("%s: %v", query, err)
	}
	if _, err := p.conn.Exec(p.t.Context(), `DEALLOCATE q`); err != nil {
		p.t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

// few are tables whose rows do not grow with leads, people or time.
var few = regexp.MustCompile(`Seq Scan on (report_axes|report_steps|access_changes)\b`)

// TestPostgres_PageQueries_UseIndex is TestPageQueries_UseIndex on PostgreSQL. A page of a list must not sort all leads either.
func TestPostgres_PageQueries_UseIndex(t *testing.T) {
	t.Parallel()
	p, s := newPlanner(t)
	for name, query := range store.PageQueries(s) {
		if plan := p.plan(query); strings.Contains(few.ReplaceAllString(plan, ""), "Seq Scan") {
			t.Errorf("%s: a whole table is read\n%s\n%s", name, query, plan)
		}
	}
	for name, query := range store.ListQueries(s) {
		if plan := p.plan(query); strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Sort") {
			t.Errorf("%s: a whole table is read or sorted\n%s\n%s", name, query, plan)
		}
	}
	for name, query := range store.NarrowedListQueries(s) {
		index, _, _ := strings.Cut(name, " ")
		narrowed := regexp.MustCompile(`Limit\n\s+->  Index (Only )?Scan using ` + index + ` on leads`)
		if plan := p.plan(query); !narrowed.MatchString(plan) {
			t.Errorf("%s: the leads of the filter are not read from its index\n%s\n%s", name, query, plan)
		}
	}
	for byDue, queries := range store.FilteredListQueries(s) {
		if _, err := p.conn.Exec(t.Context(), `SET enable_sort = `+map[bool]string{true: "off", false: "on"}[byDue]); err != nil {
			t.Fatal(err)
		}
		for _, query := range queries {
			if plan := p.plan(query); strings.Contains(plan, "stand_state_due") != byDue {
				t.Errorf("the index of both filters is used: %v, want it for the order by due time alone\n%s\n%s", !byDue, query, plan)
			}
		}
	}
	for name, query := range store.OwnCandidatesQueries(s) {
		if plan := p.plan(query); !strings.Contains(plan, "using own_search_tokens_pkey on own_search_tokens t") || strings.Contains(plan, "on search_tokens") {
			t.Errorf("%s: a search does not read the tokens of the originator\n%s", name, plan)
		}
	}
	for name, query := range store.UpdatesQueries(s) {
		if plan := p.plan(query); strings.Contains(plan, "Join") || !strings.Contains(plan, "SubPlan") {
			t.Errorf("%s: leads are joined, so all are read where PostgreSQL expects many events\n%s\n%s", name, query, plan)
		}
	}
}

// TestPostgres_SearchUpdated_StaleStatistics_UseIndex asks whether an update of the search is complete when it has just become so: the
// statistics still say that many leads lack something.
func TestPostgres_SearchUpdated_StaleStatistics_UseIndex(t *testing.T) {
	t.Parallel()
	p, s := newPlanner(t)
	for _, statement := range []string{
		`SET enable_seqscan = on`, `SET enable_sort = on`, `SET session_replication_role = replica`,
		`INSERT INTO search_leads (n, lead_uuid) SELECT g, 'lead ' || g FROM generate_series(1001, 20000) g`,
		`UPDATE search_leads SET owner_n = NULL, terms_version = 1`, `ANALYZE search_leads`, `UPDATE search_leads SET owner_n = 1, terms_version = 2`,
	} {
		if _, err := p.conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for name, query := range store.UpdateLeftQueries(s) {
		if plan := p.plan(query); strings.Contains(plan, "Seq Scan on search_leads") {
			t.Errorf("%s: all leads are read\n%s", name, plan)
		}
	}
}
