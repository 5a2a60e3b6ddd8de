package store

import (
	"fmt"
	"testing"

	"github.com/jmoiron/sqlx"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// PageQueries returns the queries of pages and of regular work as the database of a store reads them, by name.
func PageQueries(s *Store) map[string]string {
	all := map[string]string{"team counts": s.engine.sql(teamCountsSQL)}
	for name, q := range pageQueries() {
		all[name] = s.engine.sql(q.query)
	}
	return all
}

// UpdateLeftQueries returns the queries whether leads lack what an update of the search adds, by name.
func UpdateLeftQueries(s *Store) map[string]string {
	return map[string]string{"owners": s.engine.sql(someWithoutOwnerSQL), "terms": s.engine.sql(hasOldTermsSQL)}
}

// ListQueries returns the queries of lists as the database of a store reads them, by name.
func ListQueries(s *Store) map[string]string {
	all := map[string]string{}
	for scoped, scope := range map[string]access.Scope{"own": {OriginatorUUID: "o1"}, "company": {BrokerID: "B1"}, "organization": {Organization: "org"}} {
		for _, sort := range []lead.Sort{lead.SortDue, lead.SortOldest, lead.SortNewest, lead.SortUpdated, lead.SortAmount} {
			for _, lane := range []heloc.Lane{heloc.LaneBlocked, ""} {
				first := lead.Query{Sort: sort, Lane: lane}
				next := first
				next.After = pageKeyOf(sort, lead.Row{App: "x", DueSort: 5, CreatedAt: 5, ChangedAt: 5, Amount: 5})
				for page, q := range map[string]lead.Query{"first": first, "next": next} {
					query, _ := leadListSQL(scope, q, byOrder)
					all[fmt.Sprintf("%s leads of %s by %s, %s page", scoped, lane, sort, page)] = s.engine.sql(query)
				}
			}
		}
	}
	return all
}

// FilteredListQueries returns the queries of lists with both filters, by whether they are in the order of due times.
func FilteredListQueries(s *Store) map[bool][]string {
	all := map[bool][]string{}
	for _, scope := range []access.Scope{{OriginatorUUID: "o1"}, {BrokerID: "B1"}} {
		for _, sort := range []lead.Sort{lead.SortDue, lead.SortOldest, lead.SortNewest, lead.SortUpdated, lead.SortAmount} {
			for _, only := range []lead.Only{"", lead.OnlyOverdue} {
				for _, after := range []string{"", encodePageKey(5, "x")} {
					query, _ := leadListSQL(scope, lead.Query{Sort: sort, StatusKey: heloc.StatusExpired, State: "HI", Only: only, After: after}, byOrder)
					all[sort == lead.SortDue] = append(all[sort == lead.SortDue], s.engine.sql(query))
				}
			}
		}
	}
	return all
}

// NarrowedListQueries returns the queries of lists that filters narrow to few leads, in an order that has no index with them, as
// the database of a store reads them, by names that begin with the index that they use.
func NarrowedListQueries(s *Store) map[string]string {
	all := map[string]string{}
	for scoped, scope := range map[string]access.Scope{"own": {OriginatorUUID: "o1"}, "company": {BrokerID: "B1"}} {
		for name, filter := range map[string]lead.Query{"status": {StatusKey: heloc.StatusExpired}, "state": {State: "HI"}, "both": {StatusKey: heloc.StatusExpired, State: "HI"}} {
			filter.Sort = lead.SortNewest
			list, _ := leadListFrom(s.engine, scope, filter, byFilter)
			count, _ := filterCountSQL(scope, filter)
			index := "leads_" + map[string]string{"own": "own", "company": "co"}[scoped] + map[string]string{"status": "_stand_due", "state": "_state_due", "both": "_stand_state_due"}[name]
			all[index+" for leads"], all[index+" for their number"] = s.engine.sql(list), s.engine.sql(count)
		}
	}
	return all
}

// UpdatesQueries returns the queries of what is new since an instant, by name.
func UpdatesQueries(s *Store) map[string]string {
	return map[string]string{"statuses": s.engine.sql(statusCountsSinceSQL), "notes": s.engine.sql(notesSinceSQL)}
}

// OwnCandidatesQueries returns the queries of a search among the tokens of an originator, by name.
func OwnCandidatesQueries(s *Store) map[string]string {
	search := LeadSearch{Scope: access.Scope{OriginatorUUID: "o1"}, Company: "B1", Terms: [][]int64{{1}, {2, 12}}}
	return map[string]string{
		"rare word":      s.engine.sql(candidatesSQL(ownTokens, search, 1, 100, 64).sql),
		"frequent words": s.engine.sql(chunkSQL(search, numbersOfWordsSQL(ownTokens, search.Terms, 100), 64).sql),
	}
}

// SettingsOf returns whether PostgreSQL compiles queries, with how many other processes it shares them, and when it plans them,
// in each pool of a store: the writer's, and the readers'.
func SettingsOf(t testing.TB, s *Store) (settings [2]string) {
	t.Helper()
	for i, db := range []*sqlx.DB{s.write, s.read} {
		if err := db.GetContext(t.Context(), &settings[i], `SELECT current_setting('jit') || ' ' || current_setting('max_parallel_workers_per_gather') || ' ' || current_setting('plan_cache_mode')`); err != nil {
			t.Fatal(err)
		}
	}
	return settings
}
