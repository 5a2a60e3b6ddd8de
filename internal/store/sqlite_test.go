package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/migrations"
)

func sqliteMAC(parts ...string) string { return fmt.Sprintf("mac(%q)", parts) }

func openSQLite(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "portal.db"), Options{MAC: sqliteMAC})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// path is the database's file.
func (s *Store) path() string { return s.engine.(sqlite).path }

func TestOpen_MigrationsTwice(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	if err := migrations.SQLite.Up(t.Context(), s.write.DB); err != nil {
		t.Fatalf("second time: got %v", err)
	}
	again, err := Open(t.Context(), s.path(), Options{})
	if err != nil {
		t.Fatalf("opened a second time: got %v", err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestOpen_DevelopmentDatabase_Refused is a database from before the baseline.
func TestOpen_DevelopmentDatabase_Refused(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	if _, err := s.write.Exec(`DELETE FROM goose_db_version WHERE version_id >= 49`); err != nil {
		t.Fatal(err)
	}
	if err := migrations.SQLite.Up(t.Context(), s.write.DB); err == nil || !strings.Contains(err.Error(), "can no longer be updated") {
		t.Errorf("got %v, want it refused", err)
	}
}

func TestOpen_FileMode_0600(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	if err := s.Write(t.Context(), func(tx *Tx) error { return tx.SaveSetting(t.Context(), "a", "b") }); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(s.path() + end); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q: got %v, %v, want 0600", end, info, err)
		}
	}
}

// auditChain writes ten audit rows, the first about an account, and returns a store whose database can be
// changed, because its triggers are dropped.
func auditChain(t *testing.T) *Store {
	t.Helper()
	s := openSQLite(t)
	ctx := WithNetwork(t.Context(), "192.0.2.0/24")
	if err := s.AddUser(ctx, access.User{Actor: access.Actor{UserID: "olivia", Email: "olivia@summit.test", Role: access.Originator}}, ""); err != nil {
		t.Fatal(err)
	}
	for range 9 {
		if err := s.Write(t.Context(), func(tx *Tx) error {
			return tx.Audit(ctx, AuditEntry{ActorID: "olivia", Company: "B1", Action: ActionLeadOpen, Object: "lead:1", Outcome: "done", Detail: "d"})
		}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestAuditTable_UpdateOrDelete_Refused(t *testing.T) {
	t.Parallel()
	s := auditChain(t)
	for _, statement := range []string{
		`UPDATE audit SET detail = 'x' WHERE seq = 3`,
		`DELETE FROM audit WHERE seq = 10`,
		`INSERT OR REPLACE INTO audit (seq, at, actor_id, company, action, object, outcome, detail, prev_mac, mac) SELECT 3, at, actor_id, company, action, object, outcome, 'x', prev_mac, mac FROM audit WHERE seq = 4`,
		`REPLACE INTO audit SELECT * FROM audit WHERE seq = 4`,
	} {
		if _, err := s.write.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: got %v, want an error", statement, err)
		}
	}
	if _, rows, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok || rows != 10 {
		t.Errorf("afterwards: got %d rows, ok %v, %v", rows, ok, err)
	}
}

func TestBrokenAudit_Tampered_Found(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, statement string
		at              int64
	}{
		{"a changed row", `UPDATE audit SET detail = 'x' WHERE seq = 3`, 3},
		{"a changed time", `UPDATE audit SET at = at + 1 WHERE seq = 5`, 5},
		{"a changed company", `UPDATE audit SET company = 'B2' WHERE seq = 5`, 5},
		{"a changed network", `UPDATE audit SET network = '198.51.100.0/24' WHERE seq = 5`, 5},
		{"a network removed", `UPDATE audit SET network = '' WHERE seq = 6`, 6},
		{"a row cut out", `DELETE FROM audit WHERE seq = 4`, 4},
		{"a row cut out and the rest moved up", `DELETE FROM audit WHERE seq = 4; UPDATE audit SET seq = -seq + 1 WHERE seq > 4; UPDATE audit SET seq = -seq WHERE seq < 0`, 4},
		{"the beginning cut off", `DELETE FROM audit WHERE seq < 3`, 1},
		{"the end cut off", `DELETE FROM audit WHERE seq > 7`, 8},
		{"all cut off", `DELETE FROM audit`, 1},
		{"all cut off with the head", `DELETE FROM audit; DELETE FROM settings WHERE name = 'audit.head'`, 1},
		{"a row replaced by its neighbor", `UPDATE audit SET mac = (SELECT mac FROM audit WHERE seq = 5), prev_mac = (SELECT prev_mac FROM audit WHERE seq = 5) WHERE seq = 6`, 6},
		{"two rows swapped", `UPDATE audit SET seq = -seq WHERE seq IN (4, 5); UPDATE audit SET seq = 9 + seq WHERE seq < 0`, 4},
		{"a row added without the key", `INSERT INTO audit (seq, at, actor_id, company, action, object, outcome, detail, prev_mac, mac) SELECT 11, at, actor_id, company, action, object, outcome, detail, mac, 'forged' FROM audit WHERE seq = 10`, 11},
		{"the head removed with the end", `DELETE FROM audit WHERE seq > 7; DELETE FROM settings WHERE name = 'audit.head'`, 8},
		{"the head set back", `DELETE FROM audit WHERE seq > 7; UPDATE settings SET value = '7 forged' WHERE name = 'audit.head'`, 8},
	} {
		s := auditChain(t)
		if _, err := s.write.ExecContext(t.Context(), `DROP TRIGGER audit_no_UPDATE; DROP TRIGGER audit_no_DELETE; `+tt.statement); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if seq, _, ok, err := s.BrokenAudit(t.Context()); err != nil || ok || seq != tt.at {
			t.Errorf("%s: got ok %v, broken at %d, %v, want broken at %d", tt.name, ok, seq, err, tt.at)
		}
		// A later row does not hide the damage.
		if err := s.Write(t.Context(), func(tx *Tx) error { return tx.Audit(t.Context(), AuditEntry{ActorID: "system", Action: ActionReveal}) }); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if _, _, ok, _ := s.BrokenAudit(t.Context()); ok {
			t.Errorf("%s: a later row hid the damage", tt.name)
		}
	}
}

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
					{Sort: sort, Lane: lane, Only: lead.OnlyOpen}, {Sort: sort, Lane: lane, Only: lead.OnlyOverdue, Now: 5}, {Sort: sort, Lane: lane, Unassigned: true},
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
						filter = "stand=?"
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
				for by, column := range map[listFilter]string{byStatus: "stand", byState: "state"} {
					q := lead.Query{Sort: sort, Lane: heloc.LaneToday, State: "CO", StatusKey: heloc.StatusSSNNeeded, Originator: originator, After: encodePageKey(5, "x")}
					count, countArgs, _ := filterCountSQL(scope, q, by)
					list, listArgs := leadListSQL(scope, q, by)
					all, allArgs := countLeadsSQL(scope, q, 201, by)
					index := "_" + column + "_due (" + map[bool]string{true: "originator_uuid", false: "company"}[scoped == "own" || originator != ""] + "=? AND " + column + "=?"
					for what, steps := range map[string]string{"count": explain(t, s, count, countArgs...), "list": explain(t, s, list, listArgs...), "count of all": explain(t, s, all, allArgs...)} {
						if !strings.Contains(steps, index) || what == "list" && sort == lead.SortDue && strings.Contains(steps, "TEMP B-TREE") {
							t.Errorf("%s %s %s by %s: got\n%s\nwant the index %s", scoped, what, sort, column, steps, index)
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
		query, args = overdueSQL(scope, "", 1)
		wantIndexed(t, scoped+" overdue", explain(t, s, query, args...))
		query, args = overdueSQL(scope, "o2", 1)
		if steps := explain(t, s, query, args...); strings.Contains(steps, "SCAN leads") || strings.Count(steps, "leads_own_lane_due (originator_uuid=? AND lane=? AND due_sort>? AND due_sort<?)") != 2 {
			t.Errorf("%s overdue of an originator: got\n%s\nwant the originator's indexes", scoped, steps)
		}
		for _, ahead := range []bool{true, false} {
			query, args = datesSQL(scope, ahead, 50)
			wantIndexed(t, scoped+" dates", explain(t, s, query, append(args, "2026-11-20", "2026-12-04")...))
		}
		query, args = followUpsAheadSQL(scope, 50)
		wantIndexed(t, scoped+" follow-ups ahead", explain(t, s, query, args...))
		for _, terms := range [][][]int64{{{1}}, {{1}, {2}}, {{1}, {2}, {3}}, {{1, 11}}, {{1, 11}, {2, 12}}, {{1, 11, 21}, {2, 12, 22}, {3, 13, 23}}} {
			for _, sql := range []func(string, access.Scope, string, [][]int64) (string, []any){candidatesSQL, oldCandidatesSQL} {
				query, args = sql(listColumns, scope, "B1", terms)
				steps := explain(t, s, query, args...)
				wantIndexed(t, scoped+" tokens", steps)
				if at := strings.Index(steps, "token=?"); at < 0 || strings.Contains(steps[:at], "SEARCH leads") || strings.Contains(steps, "SCAN leads") {
					t.Errorf("%s, tokens %v: got the plan\n%s\nwant it to start with the tokens", scoped, terms, steps)
				}
				if got, want := strings.Count(steps, "SEARCH t USING"), len(terms[0]); got != want {
					t.Errorf("%s, tokens %v: got %d searches for the first term, want one for each key\n%s", scoped, terms, got, steps)
				}
				if len(terms[0]) > 1 && !strings.Contains(steps, "MERGE (UNION)") {
					t.Errorf("%s, tokens %v: got\n%s\nwant the branches of the keys merged without sorting", scoped, terms, steps)
				}
			}
			wantIndexed(t, scoped+" count of a token", explain(t, s, tokenCountSQL(len(terms[0])), toAny(terms[0])...))
			if scope.OriginatorUUID != "" {
				query, args = ownCandidatesSQL(listColumns, scope, "B1", terms)
				steps := explain(t, s, query, args...)
				wantIndexed(t, scoped+" tokens of own leads", steps)
				if strings.Count(steps, "SEARCH o USING COVERING INDEX search_tokens_lead (lead=? AND token=?)") != len(terms) || !strings.Contains(steps, "(originator_uuid=?)") {
					t.Errorf("%s, tokens %v: got\n%s\nwant the tokens of the originator's leads", scoped, terms, steps)
				}
			}
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
			for _, originator := range []heloc.OriginatorID{"", "o2"} {
				q := lead.Query{Sort: sort, State: "TX", StatusKey: heloc.StatusSSNNeeded, Originator: originator, Limit: 3}
				var pages []string
				for _, by := range []listFilter{byOrder, byStatus, byState} {
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
				if pages[0] != pages[1] || pages[0] != pages[2] {
					t.Errorf("%s %v: got different leads:\n%s", sort, scope, strings.Join(pages, "\n"))
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
	for name, q := range map[string]struct {
		query string
		args  []any
	}{
		"leads due":             {`SELECT app_uuid FROM leads WHERE refresh_at <= ? ORDER BY refresh_at LIMIT ?`, []any{now, 10}},
		"leads changing status": {`SELECT app_uuid FROM leads WHERE turns_at <= ? ORDER BY turns_at LIMIT ?`, []any{now, 10}},
		"duplicates":            {`SELECT app_uuid FROM leads WHERE company = ? AND duplicate_key = ? AND lane <> 'ended' ORDER BY created_at DESC LIMIT 5`, []any{"B1", "k"}},
		"short id own": {`SELECT app_uuid FROM leads WHERE originator_uuid = ? AND short_id >= ? AND short_id < ? ORDER BY short_id, app_uuid LIMIT 50`,
			[]any{"o1", "1-", "1-\uffff"}},
		"short id company": {`SELECT app_uuid FROM leads WHERE company = ? AND short_id >= ? AND short_id < ? ORDER BY short_id, app_uuid LIMIT 50`,
			[]any{"B1", "1-", "1-\uffff"}},
		"events":                       {`SELECT id FROM lead_events WHERE app_uuid = ? ORDER BY at DESC, id DESC LIMIT ?`, []any{"x", 10}},
		"operations":                   {`SELECT id FROM operations WHERE app_uuid = ? ORDER BY created_at DESC LIMIT ?`, []any{"x", 10}},
		"quotes":                       {`SELECT id FROM quotes WHERE app_uuid = ? ORDER BY at DESC, id DESC LIMIT ?`, []any{"x", 10}},
		"quotes beyond":                {quotesBeyondSQL, []any{"x", "x", 10}},
		"old quotes":                   {`DELETE FROM quotes WHERE at < ?`, []any{now}},
		"last choice":                  {`SELECT c.op_id FROM choices c JOIN operations o ON o.id = c.op_id WHERE c.app_uuid = ? AND c.kind = ? AND o.state IN (?, ?) ORDER BY c.at DESC, c.op_id DESC LIMIT 1`, []any{"x", "select-offer", "succeeded", "confirmed"}},
		"payoff plan":                  {`SELECT sealed FROM payoff_plans WHERE app_uuid = ?`, []any{"x"}},
		"unsettled of":                 {`SELECT id FROM operations WHERE actor_id = ? AND kind = 'start' AND state IN ('sent', 'unknown') ORDER BY created_at DESC LIMIT 20`, []any{"u"}},
		"unknown of a lead":            {`SELECT id FROM operations WHERE app_uuid = ? AND state = 'unknown' ORDER BY created_at DESC`, []any{"x"}},
		"transferable drafts":          {transferableDraftsSQL, []any{"u", "B1", "x", 100}},
		"waits":                        {`SELECT took_ms FROM lead_events WHERE operation = ? AND took_ms > 0 ORDER BY at DESC LIMIT ?`, []any{"start", 100}},
		"strangers":                    {`SELECT app_uuid FROM strangers WHERE try_at <= ? ORDER BY try_at LIMIT ?`, []any{now, 10}},
		"old webhooks":                 {oldWebhooksSQL, []any{now}},
		"old sessions":                 {`DELETE FROM sessions WHERE expires_at < ?`, []any{now}},
		"old failures":                 {`DELETE FROM log_in_failures WHERE last_at < ?`, []any{now}},
		"notes":                        {`SELECT id FROM notes WHERE app_uuid = ? ORDER BY at DESC, id DESC LIMIT ?`, []any{"x", 10}},
		"follow-ups":                   {`SELECT id FROM follow_ups WHERE app_uuid = ? AND done_at = 0 ORDER BY due_at, id`, []any{"x"}},
		"revision of own leads":        {revisionSQL + `originator_uuid = ?`, []any{"o1"}},
		"revision of a company":        {revisionSQL + `company = ?`, []any{"B1"}},
		"next due":                     {sqlOf(nextDueSQL(access.Scope{OriginatorUUID: "o1"}, now)), []any{"o1", now, "o1", now}},
		"next due of a company":        {sqlOf(nextDueSQL(access.Scope{BrokerID: "B1"}, now)), []any{"B1", now, "B1", now}},
		"lanes of an originator":       {sqlOf(laneCountsOfSQL(access.Scope{BrokerID: "B1"}, "o1")), []any{"B1", "o1"}},
		"list extras":                  {listExtrasSQL, []any{now, "u", "B1", "u", "B1", "u", "B1", "B1", "u", now, "u", "B1", now, "rule", "u", "B1", now, "u", "B1", 100, "u"}},
		"leads of a token":             {tokenCountSQL(2), []any{1, 2}},
		"leads among, covering":        {sqlOf(leadsAmongSQL(access.Scope{OriginatorUUID: "o1", Covering: access.CoversOf("o2")}, []heloc.AppID{"x", "y"})), []any{"o1", "o2", "x", "y"}},
		"name candidates":              {sqlOf(candidatesSQL("leads.app_uuid, borrower, changed_at", access.Scope{BrokerID: "B1"}, "B1", [][]int64{{1}, {2}})), []any{1, 2, "B1", "B1"}},
		"lead extras":                  {leadExtrasSQL, []any{"u", "u", "u", "B1", "u", "B1", 100, "x"}},
		"reveals":                      {`SELECT id FROM reveals WHERE app_uuid = ? ORDER BY at DESC, id DESC LIMIT ?`, []any{"x", 10}},
		"departed leads":               {departedLeadCountsSQL, []any{"B1"}},
		"departed drafts":              {departedDraftCountsSQL, []any{"B1"}},
		"leads left by":                {departedLeadsSQL, []any{"B1", "o1"}},
		"takes":                        {exportsSQL, []any{"x", 10}},
		"reveals by":                   {`SELECT count(*) FROM reveals WHERE user_id = ? AND at > ?`, []any{"u", now}},
		"re-pulls":                     {`SELECT id FROM repulls WHERE app_uuid = ? ORDER BY created_at DESC, id DESC LIMIT ?`, []any{"x", 10}},
		"re-pulls due":                 {`SELECT id FROM repulls WHERE state = 'waiting' AND due_at <= ?`, []any{now}},
		"dates of a lead":              {`SELECT kind FROM lead_dates WHERE app_uuid = ? ORDER BY kind`, []any{"x"}},
		"leads of a record":            {leadsOfReferenceSQL(2), []any{"mark", "older"}},
		"launch of a code":             {`SELECT l.id FROM launch_codes c JOIN launches l ON l.id = c.launch_id WHERE c.hash = ? AND c.purpose = ? AND c.used_at = 0 AND c.expires_at > ?`, []any{"h", "press", 1}},
		"launches to drop":             {`SELECT id FROM launches WHERE expires_at < ?`, []any{1}},
		"rejections of a CRM":          {embedRejectionsSQL, []any{"acme"}},
		"old rejections":               {`DELETE FROM embed_refusals WHERE refused_at < ?`, []any{now}},
		"recent launches":              {launchesSinceSQL, []any{"m", "acme", now}},
		"launches of one":              {`UPDATE launches SET ended_at = ? WHERE user_id = ? AND user_id <> '' AND ended_at = 0`, []any{now, "u"}},
		"launches of a login":          {`UPDATE launches SET ended_at = ? WHERE subject = ? AND client_key = ? AND ended_at = 0`, []any{now, "m", "acme"}},
		"launches of logins":           {`UPDATE launches SET ended_at = ? WHERE ended_at = 0 AND (subject, client_key) IN (SELECT subject, client_key FROM embed_links WHERE user_id = ?)`, []any{now, "u"}},
		"frame session of a tab":       {`DELETE FROM sessions WHERE place = ? AND id_hash = (SELECT session FROM launch_codes WHERE hash = ?)`, []any{"frame", "h"}},
		"codes of one":                 {`DELETE FROM launch_codes WHERE launch_id IN (SELECT id FROM launches WHERE user_id = ? AND client_key = ?)`, []any{"u", "acme"}},
		"draft of a record":            {`SELECT id FROM drafts WHERE record = ? AND record <> '' AND owner_id = ? AND app_uuid = '' ORDER BY updated_at DESC LIMIT 1`, []any{"m", "u"}},
		"another's draft":              {`SELECT count(*) FROM drafts WHERE record = ? AND record <> '' AND owner_id <> ? AND app_uuid = ''`, []any{"m", "u"}},
		"types of records":             {nextRecordTypeSQL, []any{"acme", "contact"}},
		"records to drop":              {`DELETE FROM lead_references WHERE client = ? AND client <> ''`, []any{"acme"}},
		"consumed launches to drop":    {`DELETE FROM spent_launches WHERE client_key = ? AND secret = ?`, []any{"acme", "m"}},
		"links of a user":              {`SELECT subject FROM embed_links WHERE user_id = ?`, []any{"u"}},
		"credentials":                  {`SELECT id FROM credentials WHERE user_id = ? ORDER BY created_at, id`, []any{"u"}},
		"sessions of":                  {`SELECT id_hash FROM sessions WHERE user_id = ? AND expires_at > ? ORDER BY created_at DESC`, []any{"u", now}},
		"old ceremonies":               {`DELETE FROM ceremonies WHERE expires_at < ?`, []any{now}},
		"ceremonies of":                {`SELECT id_hash FROM ceremonies WHERE user_id = ? AND kind = ? ORDER BY expires_at DESC, id_hash DESC LIMIT 4`, []any{"u", "second-step"}},
		"links mailed to":              {`UPDATE invitations SET expires_at = 1 WHERE user_id = ? AND used_at = 0 AND expires_at > ?`, []any{"u", now}},
		"steps lapsed":                 {`SELECT id_hash FROM ceremonies WHERE kind = 'second-step' AND expires_at < ? ORDER BY expires_at LIMIT 1`, []any{now}},
		"a rate limit":                 {`SELECT level FROM measures WHERE key = ?`, []any{"k"}},
		"old rate limits":              {`DELETE FROM measures WHERE at < ?`, []any{now}},
		"rejections due":               {`SELECT subject FROM refused_log_ins WHERE since < ? ORDER BY since LIMIT 1`, []any{now}},
		"alerts of":                    {`SELECT id FROM alerts WHERE user_id = ? ORDER BY at DESC, id DESC LIMIT ?`, []any{"u", 20}},
		"alert of a day":               {`SELECT id FROM alerts WHERE user_id = ? AND at > ? AND kind = ? ORDER BY at DESC LIMIT 1`, []any{"u", now, "half"}},
		"old alerts":                   {`DELETE FROM alerts WHERE at < ?`, []any{now}},
		"a login location":             {`SELECT count(*) FROM places WHERE user_id = ? AND network = ? AND browser = ?`, []any{"u", "n", "b"}},
		"login locations of":           {`SELECT seen_at FROM places WHERE user_id = ? ORDER BY seen_at DESC LIMIT 1 OFFSET ?`, []any{"u", 49}},
		"old login locations":          {`DELETE FROM places WHERE seen_at < ?`, []any{now}},
		"mails due":                    {`SELECT id FROM outbox WHERE kind = ? AND ended_at = 0 AND send_at <= ? ORDER BY send_at LIMIT 1`, []any{"letter", now}},
		"mails waiting":                {`SELECT id FROM outbox WHERE kind = 'letter' AND ended_at = 0 ORDER BY send_at DESC LIMIT ?`, []any{50}},
		"old mails":                    {`DELETE FROM outbox WHERE created_at < ?`, []any{now}},
		"invitations":                  {`SELECT id FROM invitations WHERE kind = ? AND (company = ? OR ? = '') AND used_at = 0 AND expires_at > ? ORDER BY created_at DESC LIMIT 100`, []any{"invite", "B1", "B1", now}},
		"an invitation":                {`SELECT id FROM invitations WHERE token_hash = ? AND used_at = 0 AND expires_at > ?`, []any{"h", now}},
		"earlier invitations":          {`UPDATE invitations SET expires_at = 1 WHERE subject = ? AND kind = ? AND used_at = 0`, []any{"s", "reset"}},
		"an offer":                     {invitationOfSQL, []any{"u", now, "address"}},
		"offers of one":                {`UPDATE invitations SET expires_at = 1 WHERE user_id = ? AND used_at = 0 AND expires_at > ? AND kind = ?`, []any{"u", now, "address"}},
		"links mailed to either":       {`UPDATE invitations SET expires_at = 1 WHERE used_at = 0 AND expires_at > ? AND subject IN (?, ?)`, []any{now, "a", "b"}},
		"old invitations":              {`DELETE FROM invitations WHERE expires_at < ?`, []any{now}},
		"identities of":                {`SELECT count(*) FROM identities WHERE user_id = ?`, []any{"u"}},
		"notifications":                {sqlOf(noticesSQL(UserScope{"u", "B1"}, "")), []any{"u", "B1"}},
		"notifications on":             {sqlOf(noticesSQL(UserScope{"u", "B1"}, pageKeyOf(lead.SortDue, lead.Row{App: "x"}))), []any{"u", "B1", 0, "x"}},
		"unread":                       {unreadSQL, []any{"u", "B1", 100}},
		"unread of a lead":             {unreadOnSQL, []any{"u", "B1", "x"}},
		"unread of a draft":            {unreadDraftSQL, []any{"u", "B1", "x"}},
		"looks":                        {viewedAtSQL(2), []any{"u", "x", "y"}},
		"unknown operations of a list": {unknownAmongSQL(2), []any{"x", "y"}},
		"leads at a step":              {leadsAtStepSQL, []any{"o1", "PAYOFF_REQUIRED", 9}},
		"old notifications":            {`DELETE FROM notifications WHERE at < ?`, []any{now}},
		"leads to drop":                {endedSQL, []any{now, 10}},
		"planned by":                   {`SELECT id FROM repulls WHERE app_uuid = ? AND state = 'done' AND outcome = ?`, []any{"x", "op"}},
		"leads received from a job":    {receivedCountSQL, []any{"j", "o1", "o1"}},
		"leads a job took from":        {reassignedCountSQL, []any{"j", "o1", "o1"}},
		"received leads":               {receivedSQL, []any{"j", "o1"}},
		"received from a job":          {receivedFromSQL, []any{"j", "o1", "B1"}},
		"reassignments of a job":       {reassignmentSelect + reassignmentsOfJobSQL, []any{"j"}},
		"acted on":                     {actedOnSQL, []any{"x", now, "u"}},
		"audit walked":                 {auditWalkSQL, []any{9, 500}},
		"audit to keep":                {firstLegalHoldSQL, nil},
		"audit to drop":                {trimSQL, []any{9}},
		"open leads by originator":     {openCountsSQL, []any{"B1"}},
		"remaining work":               {remainingWorkSQL, []any{"B1", "o1", "u", "B1", "u", now, "u"}},
		"absences of a company":        {absencesSQL(openAbsencesSQL), []any{now, now, "B1", now, 200}},
		"past absences":                {absencesSQL(pastAbsencesSQL), []any{now, now, "B1", now, 50}},
		"own absences":                 {absencesSQL(ownAbsencesSQL), []any{now, now, "u", "B1", now, 50}},
		"own past absences":            {absencesSQL(ownPastSQL), []any{now, now, "u", "B1", now, 50}},
		"absences as deputy":           {absencesSQL(asDeputySQL), []any{now, now, "u", "B1", now, 50}},
		"absences of an originator":    {absencesSQL(originatorAbsencesSQL), []any{now, now, "o1", 20}},
		"absence to dismiss":           {absencesSQL(unseenAbsenceSQL), []any{now, now, "u", "B1", now, 0}},
		"deputy of":                    {deputyOfSQL, []any{"o1", "o2", now, now}},
		"covered lead":                 {coveredLeadSQL, []any{"x", "u", now, now}},
		"session with covers":          {`SELECT u.id, ` + coveringSQL + ` FROM users u WHERE u.id = ?`, []any{now, now, "u"}},
		"saved views":                  {savedViewsSQL, []any{"u", "B1", 30}},
		"shared views":                 {sharedSavedViewsSQL, []any{"B1", "u", 50}},
		"monthly summaries":            {monthlyReportsSQL, []any{"2026-10", 10}},
		"assignment rules running":     {runningRulesSQL, nil},
		"people of rules":              {rulePeopleSQL, []any{"B1"}},
		"log of rules":                 {ruleLogSQL, []any{"B1", "~", 51}},
		"last decisions about leads":   {lastRuleAssignmentsSQL(2), []any{"B1", "x", "y"}},
		"queued leads":                 {queuedLeadsSQL(2), []any{"x", "y"}},
		"turns":                        {ruleTurnsSQL, []any{"B1"}},
		"open job of rules":            {openRuleJobSQL, []any{"rule", "B1"}},
		"leads in open jobs":           {waitingInJobsSQL, nil},
		"tokens of a lead":             {tokensOfSQL, []any{"x", "x"}},
		"tokens to move":               {leadsToMoveSQL, []any{20}},
		"audit of":                     {`SELECT seq FROM audit WHERE object = ? ORDER BY seq DESC LIMIT ?`, []any{"x", 10}},
	} {
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
	steps := explain(t, s, teamCountsSQL, 1, "B1", "B1", 1, 2)
	for _, want := range []string{"c USING PRIMARY KEY (company=?)", "d USING PRIMARY KEY (company=? AND originator_uuid=? AND lane=? AND due_day>?)", "leads USING COVERING INDEX leads_co_lane_due (company=? AND lane=? AND due_sort>? AND due_sort<?)"} {
		if !strings.Contains(steps, want) {
			t.Errorf("team counts: got\n%s\nwant %s", steps, want)
		}
	}
	if steps := explain(t, s, firstDueSQL(2), "o1", "today", "o2", "offers", "B1", "B1"); strings.Contains(steps, "SCAN l ") || strings.Contains(steps, "TEMP B-TREE FOR ORDER BY") || !strings.Contains(steps, "leads_unassigned") || !strings.Contains(steps, "leads_own_lane_due") {
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
		for i, sql := range []func(ReportQuery) (string, []any){cohortsSQL, stayedCountsSQL} {
			query, args := sql(rq)
			if i == 1 && by == GroupOriginator {
				want = " lead_stay_counts USING PRIMARY KEY (company=? AND originator_uuid=? AND state=? AND source=? AND month>? AND month<?)"
			}
			if steps := explain(t, s, query, args...); !strings.Contains(steps, want) || strings.Contains(steps, "SCAN") {
				t.Errorf("report by %q: got\n%s\nwant %s", by, steps, want)
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

// TestSealedColumns_CoverSchema compares the list of sealed columns with the schema.
func TestSealedColumns_CoverSchema(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	listed := map[string]bool{"ceremonies.sealed": true, "company_brands.logo": true} // expires within minutes; is public
	for _, c := range SealedColumns() {
		listed[c.Table+"."+c.Column] = true
		if _, err := s.SealedPage(t.Context(), c, Sealed{}, 1); err != nil {
			t.Errorf("%s.%s: %v", c.Table, c.Column, err)
		}
		wantIndexed(t, c.Name(), explain(t, s, `SELECT `+c.Key+` FROM `+c.Table+` WHERE `+c.afterCondition()+` ORDER BY `+c.order()+` LIMIT 50`, "a", "b"))
	}
	var columns []string
	if err := s.list(t.Context(), &columns, `SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.type = 'BLOB'`); err != nil {
		t.Fatal(err)
	}
	if len(columns) < 15 {
		t.Fatalf("got %d columns: the query finds too few", len(columns))
	}
	for _, c := range columns {
		if !listed[c] {
			t.Errorf("%s may contain sealed values and would be lost with an old key", c)
		}
	}
}
