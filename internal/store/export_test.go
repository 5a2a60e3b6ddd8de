package store

import (
	"fmt"
	"testing"

	"github.com/jmoiron/sqlx"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/migrations"
)

// ListQuery is the query of a list as the database of a store reads it.
type ListQuery struct {
	Name string
	SQL  string
	Args []any
}

// ListQueries returns the queries of both pages of every list order, for own leads and those of a company.
func ListQueries(s *Store) (all []ListQuery) {
	for scoped, scope := range map[string]access.Scope{"own": {OriginatorUUID: "o1"}, "company": {BrokerID: "B1"}} {
		for _, sort := range []lead.Sort{lead.SortDue, lead.SortOldest, lead.SortNewest, lead.SortUpdated, lead.SortAmount} {
			for page, after := range map[string]string{"first": "",
				"next": pageKeyOf(sort, lead.Row{App: "x", DueSort: 5, CreatedAt: 5, ChangedAt: 5, Amount: 5})} {
				query, args := leadsSQL(scope, lead.Query{Sort: sort, After: after})
				all = append(all, ListQuery{fmt.Sprintf("%s leads by %s, %s page", scoped, sort, page), rebound(s, query), args})
			}
		}
		for name, list := range map[string]lead.Query{"Today": {YourMove: true}, "a lane": {Lane: heloc.LaneBlocked}} {
			query, args := leadsSQL(scope, list)
			all = append(all, ListQuery{fmt.Sprintf("%s leads of %s by due time", scoped, name), rebound(s, query), args})
		}
	}
	return append(all,
		ListQuery{"changes of a client's leads", rebound(s, leadChangesSQL), []any{"B1", 5, "x", "acme", 9}})
}

// SettingsOf returns whether PostgreSQL compiles queries, with how many other processes it shares them, and when it
// plans them, in each pool of a store: the writer's, and the readers'.
func SettingsOf(t testing.TB, s *Store) (settings [2]string) {
	t.Helper()
	const query = `SELECT current_setting('jit') || ' ' || current_setting('max_parallel_workers_per_gather') || ' ' ||
		current_setting('plan_cache_mode')`
	err := s.Write(t.Context(), func(tx *Tx) (err error) {
		settings[0], err = get[string](t.Context(), tx.Queries, query)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if settings[1], err = get[string](t.Context(), s.Queries, query); err != nil {
		t.Fatal(err)
	}
	return settings
}

func rebound(s *Store, query string) string {
	if s.conn.Dialect() == migrations.Postgres {
		return sqlx.Rebind(sqlx.DOLLAR, query)
	}
	return query
}
