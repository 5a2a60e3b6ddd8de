package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// explain returns the query plan.
func explain(t *testing.T, s *Store, query string, args ...any) string {
	t.Helper()
	got, err := s.read.QueryxContext(t.Context(), `EXPLAIN QUERY PLAN `+query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = got.Close() }()
	var steps []string
	for got.Next() {
		var id, parent, unused int
		var detail string
		if err := got.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, detail)
	}
	if err := got.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

// wantIndexed fails for a plan that scans a table without an index or sorts its rows.
func wantIndexed(t *testing.T, name, steps string) {
	t.Helper()
	for step := range strings.SplitSeq(steps, "\n") {
		scan := strings.HasPrefix(step, "SCAN ") && !strings.Contains(step, "USING") && !strings.Contains(step, "(subquery") && !strings.Contains(step, "CONSTANT ROW")
		for _, alias := range []string{"SCAN x", "SCAN f", "SCAN a", "SCAN b"} { // subqueries, by their aliases
			scan = scan && step != alias
		}
		if scan || strings.Contains(step, "TEMP B-TREE") {
			t.Errorf("%s: %q in the plan\n%s", name, step, steps)
			return
		}
	}
}

func TestListQueries_UseIndexWithoutSort(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	scopes := map[string]access.Scope{"own": {OriginatorUUID: "o1"}, "company": {BrokerID: "B1"}, "organization": {Organization: "org"}}
	for scoped, scope := range scopes {
		for _, sort := range []lead.Sort{lead.SortDue, lead.SortOldest, lead.SortNewest, lead.SortUpdated, lead.SortAmount} {
			for _, lane := range append(heloc.Lanes(), "") {
				for _, q := range []lead.Query{
					{Sort: sort, Lane: lane},
					{Sort: sort, Lane: lane, After: pageKeyOf(sort, lead.Row{App: "x", DueSort: 5, CreatedAt: 5, ChangedAt: 5, Amount: 5})},
					{Sort: sort, Lane: lane, State: "CO", StatusKey: heloc.StatusSSNNeeded}, {Sort: sort, Lane: lane, State: "CO"}, {Sort: sort, Lane: lane, State: "CO", Originator: "o2"},
					{Sort: sort, Lane: lane, YourMove: true}, {Sort: sort, Lane: lane, YourMove: true, Only: lead.OnlyOpen}, {Sort: sort, Lane: lane, YourMove: true, State: "CO"}, {Sort: sort, Lane: lane, Only: lead.OnlyOpen}, {Sort: sort, Lane: lane, Only: lead.OnlyOverdue, Now: 5}, {Sort: sort, Lane: lane, Unassigned: true},
					{Sort: sort, Lane: lane, Originator: "o2"}, {Sort: sort, Lane: lane, Originator: "o2", Only: lead.OnlyOverdue, Now: 5},
				} {
					count, countArgs := countLeadsSQL(scope, q, 201, byOrder)
					wantIndexed(t, fmt.Sprintf("%s count %s %q", scoped, sort, lane), explain(t, s, count, countArgs...))
					query, args := leadListSQL(scope, q, byOrder)
					name := fmt.Sprintf("%s %s %q after %q", scoped, sort, lane, q.After)
					steps := explain(t, s, query, args...)
					wantIndexed(t, name, steps)
					if q.Originator != "" && !strings.Contains(steps, "originator_uuid=?") {
						t.Errorf("%s: the originator is not in the index that is used\n%s", name, steps)
					}
					filter := "lane=?"
					switch {
					case sort == lead.SortDue && q.StatusKey != "":
						filter = "stand=? AND state=?"
					case sort == lead.SortDue && q.State != "":
						filter = "state=?"
					case lane == "":
						continue
					}
					if !strings.Contains(steps, filter) {
						t.Errorf("%s: got\n%s\nwant an index with %s", name, steps, filter)
					}
				}
			}
		}
		for _, sort := range []lead.Sort{lead.SortDue, lead.SortOldest, lead.SortNewest, lead.SortUpdated, lead.SortAmount} {
			for _, originator := range []heloc.OriginatorID{"", "o2"} {
				for index, filter := range map[string]lead.Query{
					"stand_due (@=? AND stand=?": {StatusKey: heloc.StatusSSNNeeded}, "state_due (@=? AND state=?": {State: "CO"},
					"stand_state_due (@=? AND stand=? AND state=?": {StatusKey: heloc.StatusSSNNeeded, State: "CO"},
				} {
					q := lead.Query{Sort: sort, Lane: heloc.LaneBlocked, State: filter.State, StatusKey: filter.StatusKey, Originator: originator, After: encodePageKey(5, "x")}
					count, countArgs := filterCountSQL(scope, q)
					list, listArgs := leadListSQL(scope, q, byFilter)
					all, allArgs := countLeadsSQL(scope, q, 201, byFilter)
					want := strings.ReplaceAll(index, "@", map[bool]string{true: "originator_uuid", false: "company"}[scoped == "own" || originator != ""])
					for what, steps := range map[string]string{"count": explain(t, s, count, countArgs...), "list": explain(t, s, list, listArgs...), "count of all": explain(t, s, all, allArgs...)} {
						if !strings.Contains(steps, want) || what == "list" && sort == lead.SortDue && strings.Contains(steps, "TEMP B-TREE") {
							t.Errorf("%s %s %s: got\n%s\nwant the index %s", scoped, what, sort, steps, want)
						}
					}
				}
			}
		}
		query, args := leadsAmongSQL(scope, []heloc.AppID{"x", "y"})
		if steps := explain(t, s, query, args...); !strings.Contains(steps, "(app_uuid=?)") {
			t.Errorf("%s: leads by id: got\n%s\nwant the index of the ids", scoped, steps)
		}
		query, args = laneCountsSQL(scope)
		wantIndexed(t, scoped+" counts", explain(t, s, query, args...))
		for _, originator := range []heloc.OriginatorID{"", "o2"} {
			index := map[bool]string{true: "leads_own_mover_due (originator_uuid=? AND mover=?", false: "leads_co_mover_due (company=? AND mover=?"}[originator != "" || scoped == "own"]
			counts, countArgs := moveCountsSQL(scope, originator, 1)
			next, nextArgs := nextDueSQL(scope, originator, 1)
			today, todayArgs := leadListSQL(scope, lead.Query{YourMove: true, Originator: originator}, byOrder)
			all, allArgs := countLeadsSQL(scope, lead.Query{YourMove: true, Originator: originator}, 201, byOrder)
			for what, steps := range map[string]string{"counts": explain(t, s, counts, countArgs...), "next due": explain(t, s, next, nextArgs...), "list": explain(t, s, today, todayArgs...), "count of all": explain(t, s, all, allArgs...)} {
				if wantIndexed(t, scoped+" moves, "+what, steps); !strings.Contains(steps, index) {
					t.Errorf("%s moves of %q, %s: got\n%s\nwant %s", scoped, originator, what, steps, index)
				}
			}
		}
		for _, ahead := range []bool{true, false} {
			query, args = datesSQL(scope, ahead, 50)
			wantIndexed(t, scoped+" dates", explain(t, s, query, append(args, "2026-11-20", "2026-12-04")...))
		}
		query, args = followUpsAheadSQL(scope, 50)
		wantIndexed(t, scoped+" follow-ups ahead", explain(t, s, query, args...))
		for _, from := range []tokenSource{allTokens, ownTokens} {
			if from.owner != 0 && scope.OriginatorUUID == "" {
				continue
			}
			for _, terms := range [][][]int64{{{1}}, {{1}, {2}}, {{1}, {2}, {3}}, {{1, 11}}, {{1, 11}, {2, 12}}, {{1, 11, 21}, {2, 12, 22}, {3, 13, 23}}} {
				wantSearchPlans(t, s, from, LeadSearch{Scope: scope, Company: "B1", Terms: terms})
			}
		}
	}
}

// wantSearchPlans checks the plans of one search, which begin with its tokens.
func wantSearchPlans(t *testing.T, s *Store, from tokenSource, search LeadSearch) {
	t.Helper()
	name := fmt.Sprintf("%+v %s %v", search.Scope, from.table, search.Terms)
	first := "token=?"
	if from.owner != 0 {
		first = "owner=? AND token=?"
	}
	one, old, count := candidatesSQL(from, search, search.Terms[0][0], 100, 64), oldCandidatesSQL(search, "", 64), tokenCountSQL(from, search.Terms[0])
	steps := explain(t, s, one.sql, one.args...)
	wantIndexed(t, name, steps)
	if !strings.Contains(steps, "SEARCH t USING PRIMARY KEY ("+first+" AND lead<?)") {
		t.Errorf("%s: got the plan\n%s\nwant the key of the tokens", name, steps)
	}
	for _, steps := range []string{steps, explain(t, s, old.sql, old.args...)} {
		if at := strings.Index(steps, "token=?"); at < 0 || strings.Contains(steps[:at], "SEARCH leads") || strings.Contains(steps, "SCAN leads") {
			t.Errorf("%s: got the plan\n%s\nwant it to start with the tokens", name, steps)
		}
	}
	wantIndexed(t, name+" count", explain(t, s, count.sql, count.args...))
	if len(search.Terms) > 1 && len(search.Terms[0]) == 1 {
		plan := chunkSQL(search, numbersOfWordsSQL(from, search.Terms, 100), 64)
		steps := explain(t, s, plan.sql, plan.args...)
		// What is sorted is one stretch of the leads that have all words.
		if got := strings.Count(steps, "MERGE (INTERSECT)"); got != len(search.Terms)-1 || strings.Count(steps, "TEMP B-TREE") != 1 || strings.Contains(steps, "SCAN leads") {
			t.Errorf("%s, frequent tokens: got\n%s\nwant the leads of the words merged", name, steps)
		}
	}
}

// TestLeadList_EveryFilterIndex_SameRows compares the pages of lists that use different indexes.
func TestLeadList_EveryFilterIndex_SameRows(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	if err := s.Write(t.Context(), func(tx *Tx) error {
		for i := range 120 {
			l := lead.Row{
				App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), Originator: heloc.OriginatorID([]string{"o1", "o2"}[i%2]), BrokerID: "B1", State: []string{"CO", "TX", "WA"}[i/2%3],
				Step: []heloc.Step{heloc.StepCreditMatch, heloc.StepOffersAvailable}[i/6%2], StepSince: int64(1000 * (i % 7)), MaxAmount: heloc.Dollars(int64(i % 5)),
			}
			if err := tx.AddLead(t.Context(), &l, time.UnixMilli(int64(1_000_000+i%11))); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, sort := range []lead.Sort{lead.SortDue, lead.SortOldest, lead.SortNewest, lead.SortUpdated, lead.SortAmount} {
		for _, scope := range []access.Scope{{OriginatorUUID: "o1"}, {BrokerID: "B1"}} {
			for _, q := range []lead.Query{
				{State: "TX"}, {StatusKey: heloc.StatusSSNNeeded}, {State: "TX", StatusKey: heloc.StatusSSNNeeded},
				{State: "TX", Originator: "o2"}, {State: "TX", StatusKey: heloc.StatusSSNNeeded, Originator: "o2"},
			} {
				q.Sort, q.Limit = sort, 3
				var pages []string
				for _, by := range []listFilter{byOrder, byFilter} {
					var apps []heloc.AppID
					for q.After = ""; ; {
						query, args := leadListSQL(scope, q, by)
						var page []lead.Row
						if err := s.list(t.Context(), &page, query, args...); err != nil {
							t.Fatal(err)
						}
						for _, l := range page[:min(3, len(page))] {
							apps = append(apps, l.App)
						}
						if len(page) <= 3 {
							break
						}
						q.After = pageKeyOf(sort, page[2])
					}
					query, args := countLeadsSQL(scope, q, 201, by)
					var n int
					if err := s.get(t.Context(), &n, query, args...); err != nil || n != len(apps) || n < 5 {
						t.Errorf("%s by %v: got a count of %d, %v, want %d and some", sort, by, n, err, len(apps))
					}
					pages = append(pages, fmt.Sprint(apps))
				}
				if pages[0] != pages[1] {
					t.Errorf("%s %v %q %q: got different leads:\n%s", sort, scope, q.StatusKey, q.State, strings.Join(pages, "\n"))
				}
			}
		}
	}
}

// sqlOf returns a query without its arguments.
func sqlOf(query string, _ []any) string { return query }

func TestPageQueries_UseIndex(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	now := Millis(time.Now())
	for name, q := range pageQueries() {
		wantIndexed(t, name, explain(t, s, q.query, q.args...))
	}
	for name, ask := range map[string]AuditQuery{
		"audit": {Limit: 51}, "audit next": {Before: 9, Limit: 51}, "audit of a user": {ActorID: "u", Limit: 51}, "audit of an action": {Action: "a", Limit: 51},
		"audit of a lead": {Object: "lead:x", Limit: 51}, "audit of days": {From: time.Now(), To: time.Now(), Limit: 51},
		"audit of all": {ActorID: "u", Action: "a", Object: "o", From: time.Now(), To: time.Now(), Before: 9, Limit: 51},
	} {
		query, args := ask.sql()
		wantIndexed(t, name, explain(t, s, query, args...))
	}
	for _, step := range []heloc.Step{"", heloc.StepMoreAssets} {
		query, args := firstAcceptedSQL(AcceptedQuery{By: UserScope{"u", "B1"}, Kinds: []heloc.Operation{heloc.OpAssetDepletion, heloc.OpAddIncome}, Step: step})
		if steps := explain(t, s, query, args...); !strings.Contains(steps, "operations_actor (actor_id=? AND created_at>?)") || strings.Contains(steps, "TEMP B-TREE") {
			t.Errorf("first accepted write at %q: got\n%s\nwant the index operations_actor and no sorting", step, steps)
		}
	}
	for scoped, scope := range map[string]access.Scope{"own": {OriginatorUUID: "o1"}, "company": {BrokerID: "B1"}} {
		from, args := unsentDraftsOfSQL(UserScope{"u", "B1"}, scope)
		steps := explain(t, s, `SELECT id`+from+` ORDER BY updated_at DESC LIMIT 100`, args...)
		if wantIndexed(t, "open drafts "+scoped, steps); !strings.Contains(steps, "drafts_open") {
			t.Errorf("open drafts %s: got\n%s\nwant the index drafts_open", scoped, steps)
		}
	}
	if steps := explain(t, s, teamCountsSQL, "B1"); !strings.Contains(steps, "USING PRIMARY KEY (company=?)") {
		t.Errorf("team counts: got\n%s\nwant the primary key", steps)
	}
	if steps := explain(t, s, teamMovesSQL, 1, "B1"); !strings.Contains(steps, "USING COVERING INDEX leads_co_mover_due (company=? AND mover=?)") {
		t.Errorf("team moves: got\n%s\nwant the covering index of the moves", steps)
	}
	if steps := explain(t, s, firstDueSQL(2), "o1", "o2", "B1", "B1"); strings.Contains(steps, "SCAN l ") || strings.Contains(steps, "TEMP B-TREE FOR ORDER BY") || !strings.Contains(steps, "leads_unassigned") || !strings.Contains(steps, "leads_own_mover_due") {
		t.Errorf("first due: got\n%s\nwant indexes and no sorting", steps)
	}
	cover := CoverQuery{Absence: lead.Absence{Originator: "o1", StartsAt: 1, CoverEndsAt: 2, DeputyID: "u", DeputyOriginator: "o2"}, Scope: access.Scope{BrokerID: "B1"}}
	for name, change := range map[string]func(*CoverQuery){
		"all": func(*CoverQuery) {}, "filtered": func(cq *CoverQuery) { cq.Kinds, cq.Status = []lead.EventKind{lead.EventNote}, "x" }, "next": func(cq *CoverQuery) { cq.After = encodePageKey(5, "x") },
	} {
		cq := cover
		change(&cq)
		for what, sql := range map[string]func() (string, []any){"leads": cq.sql, "statuses": cq.statusesSQL} {
			query, args := sql()
			steps := explain(t, s, query, args...)
			if strings.Count(steps, "lead_events_own (originator_uuid=? AND at>? AND at<?)") < 2 || strings.Contains(steps, "SCAN leads") || strings.Contains(steps, "SCAN l ") {
				t.Errorf("cover work, %s of %s: got\n%s\nwant the index lead_events_own twice", what, name, steps)
			}
		}
	}
	if steps := explain(t, s, backlogSQL(), now, now); !strings.Contains(steps, "leads_failing") || strings.Count(steps, "SEARCH leads USING COVERING INDEX leads_refresh") != 1 {
		t.Errorf("backlog: got\n%s\nwant an index for each number", steps)
	}
	if steps := explain(t, s, pendingSQL()); strings.Count(steps, "operations_state (state=?)") != 2 || strings.Count(steps, "outbox_due (kind=?)") != 2 {
		t.Errorf("pending: got\n%s\nwant an index for each number", steps)
	}
	// These read the directory and the accounts, which are few, but never all leads.
	for name, query := range map[string]string{"originators with work": originatorsWithWorkSQL, "recoverable": recoverableSQL, "closures": closuresSQL} {
		if steps := explain(t, s, query); !strings.Contains(steps, "leads_left_by (left_by=?") || strings.Contains(steps, "SCAN l ") || strings.Contains(steps, "SCAN l\n") {
			t.Errorf("%s: got\n%s\nwant the index leads_left_by", name, steps)
		}
	}
	if steps := explain(t, s, disabledBySQL(2), "a", "u", "v"); !strings.Contains(steps, "audit_object (object=?)") || strings.Contains(steps, "SCAN") {
		t.Errorf("disabled by: got\n%s\nwant the index audit_object", steps)
	}
	if steps := explain(t, s, statusCountsSinceSQL, "o1", 1); !strings.Contains(steps, "lead_events_own (originator_uuid=? AND at>?)") || strings.Contains(steps, "SCAN l") {
		t.Errorf("status counts since: got\n%s\nwant the index lead_events_own", steps)
	}
	stuck := StuckQuery{Company: "B1", Steps: []lead.StuckStep{{Step: heloc.StepLienMatching}, {Step: heloc.StepUnknown}}, Now: time.Now()}
	for _, by := range []heloc.OriginatorID{"", "o1"} {
		stuck.Originator = by
		for _, after := range []string{"", encodePageKey(5, "x")} {
			stuck.After = after
			query, args := stuckLeadsSQL(stuck)
			if steps := explain(t, s, query, args...); strings.Count(steps, "leads USING COVERING INDEX leads_step_since (company=? AND step=? AND ") != 2 {
				t.Errorf("stuck leads: got\n%s\nwant the index leads_step_since for each step", steps)
			}
		}
		query, args := stuckCountsSQL(stuck)
		if steps := explain(t, s, query, args...); strings.Count(steps, "leads USING COVERING INDEX leads_step_since (company=? AND step=? AND step_since<?)") != 2 {
			t.Errorf("stuck counts: got\n%s\nwant the index leads_step_since for each step", steps)
		}
	}
	source := lead.SourceCRM
	for by, want := range map[ReportGroup]string{"": " USING PRIMARY KEY (company=? AND originator_uuid=? AND state=? AND source=? AND month>? AND month<?)", GroupMonth: " USING PRIMARY KEY (",
		GroupOriginator: "_originators (company=? AND state=? AND source=? AND month>? AND month<?)", GroupState: "_states (company=? AND originator_uuid=? AND source=? AND month>? AND month<?)", GroupSource: " USING PRIMARY KEY (company=? AND originator_uuid=? AND state=?"} {
		rq := ReportQuery{Company: "B1", From: "2026-09", To: "2026-11", By: by, Step: heloc.StepPayoff}
		query, args := cohortsSQL(rq)
		if steps := explain(t, s, query, args...); !strings.Contains(steps, want) || strings.Contains(steps, "SCAN") {
			t.Errorf("report by %q: got\n%s\nwant %s", by, steps, want)
		}
		query, args = stayTimesSQL(rq)
		for _, want := range []string{"l USING COVERING INDEX leads_cohort (company=? AND started_on>? AND started_on<?)", "t USING PRIMARY KEY (app_uuid=? AND step=?)"} {
			if steps := explain(t, s, query, args...); !strings.Contains(steps, want) {
				t.Errorf("times at steps by %q: got\n%s\nwant %s", by, steps, want)
			}
		}
	}
	for name, q := range map[string]lead.Query{
		"months": {Cohort: lead.CohortFilter{From: "2026-09", To: "2026-11"}},
		"all filters": {Originator: "o1", State: "CO", After: pageKeyOf(lead.SortStarted, lead.Row{StartedOn: "2026-10-05", App: "x"}), Cohort: lead.CohortFilter{
			From: "2026-09", To: "2026-11", Reached: lead.ReachedOffers, Outcomes: lead.FalloutOutcomes(), Source: &source, Left: heloc.StepPayoff}},
	} {
		q.Sort = lead.SortStarted
		query, args := leadListSQL(access.Scope{BrokerID: "B1"}, q, byOrder)
		if steps := explain(t, s, query, args...); !strings.Contains(steps, "leads_cohort (company=? AND started_on>? AND started_on<?)") || strings.Contains(steps, "TEMP B-TREE") {
			t.Errorf("leads of %s: got\n%s\nwant the index leads_cohort and no sorting", name, steps)
		}
	}
	if steps := explain(t, s, openStepsSQL, "B1", "B1"); strings.Count(steps, "leads_step_since (company=?") != 2 && strings.Count(steps, "leads_step_since") != 2 || strings.Contains(steps, "TEMP") {
		t.Errorf("open steps: got\n%s\nwant the index leads_step_since", steps)
	}
	// The rows of one job are few, so grouping them may sort.
	if steps := explain(t, s, actedSinceSQL, "j"); !strings.Contains(steps, "hand_overs_job") || !strings.Contains(steps, "lead_events_app") {
		t.Errorf("acted since: got\n%s\nwant the indexes hand_overs_job and lead_events_app", steps)
	}
	wantIndexed(t, "open counts", explain(t, s, openCountsSQL, "B1"))
	wantIndexed(t, "stays", explain(t, s, stayedSQL, "B1", "LIEN_MATCHING_REQUIRED", 100))
	wantIndexed(t, "last operations", explain(t, s, lastOperationsSQL(2), "x", "y"))
	wantIndexed(t, "note counts", explain(t, s, noteCountsSQL(2), "x", "y"))
	wantIndexed(t, "unassigned count", explain(t, s, unassignedCountSQL, "B1"))
	for name, after := range map[string]string{"unassigned": "", "unassigned next": pageKeyOf(lead.SortDue, lead.Row{DueSort: 7, App: "x"})} {
		query, args := unassignedSQL(access.Scope{BrokerID: "B1"}, after)
		if steps := explain(t, s, query, args...); !strings.Contains(steps, "leads_unassigned") || strings.Contains(steps, "TEMP B-TREE") {
			t.Errorf("%s: got\n%s\nwant the index leads_unassigned and no sorting", name, steps)
		}
	}
	for name, want := range map[string]string{
		`SELECT id FROM operations WHERE actor_id = 'u' AND kind = 'start' AND state IN ('sent', 'unknown') ORDER BY created_at DESC LIMIT 20`: "operations_unsettled",
		`SELECT took_ms FROM lead_events WHERE operation = 'start' AND took_ms > 0 ORDER BY at DESC LIMIT 100`:                                 "lead_events_took",
		`SELECT id FROM operations WHERE app_uuid = 'x' AND state = 'unknown' ORDER BY created_at DESC`:                                        "operations_unknown",
	} {
		if steps := explain(t, s, name); !strings.Contains(steps, want) {
			t.Errorf("%s: got\n%s\nwant the index %s", name, steps, want)
		}
	}
}
