package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// addTokenLeads adds four leads of two originators at a company: all have token 1, o1's also 2, and the first also 3.
func addTokenLeads(t *testing.T, s *Store) (apps []heloc.AppID) {
	t.Helper()
	if err := s.Write(t.Context(), func(tx *Tx) error {
		for i, tokens := range [][]int64{{1, 2, 3}, {1, 2}, {1}, {1}} {
			l := lead.Row{App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), Originator: heloc.OriginatorID([]string{"o1", "o1", "o2", "o2"}[i]), BrokerID: "B1"}
			if err := tx.AddLead(t.Context(), &l, time.Now().Add(-time.Duration(i)*time.Hour)); err != nil {
				return err
			}
			if err := tx.SetTokens(t.Context(), l.App, Tokens{KeyID: 9, Values: tokens}); err != nil {
				return err
			}
			apps = append(apps, l.App)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return apps
}

// foundBy lists the leads of searches for one word, for two words and by another company.
func foundBy(t *testing.T, s *Store) string {
	t.Helper()
	var all [][]heloc.AppID
	for _, scope := range []access.Scope{{OriginatorUUID: "o1"}, {BrokerID: "B1"}} {
		for _, terms := range [][][]int64{{{1}}, {{1}, {2}}, {{1, 11}, {3, 13}}, {{4}}} {
			for _, company := range []string{"B1", "B2"} {
				found, err := s.Candidates(t.Context(), scope, company, terms, 3)
				if err != nil {
					t.Fatal(err)
				}
				var apps []heloc.AppID
				for _, l := range found {
					apps = append(apps, l.App[34:])
				}
				all = append(all, apps)
			}
		}
	}
	return fmt.Sprint(all)
}

const wantFound = `[[00 01] [] [00 01] [] [00] [] [] [] [00 01 02] [] [00 01] [] [00] [] [] []]`

// TestMoveTokens_OlderDatabase_SameResults searches while the tokens are in the table of earlier versions, while they are
// moved one lead at a time, and afterwards.
func TestMoveTokens_OlderDatabase_SameResults(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	apps := addTokenLeads(t, s)
	for _, statement := range []string{
		`INSERT INTO lead_tokens (company, token, app_uuid, under) SELECT 'B1', t.token, s.lead_uuid, t.under FROM search_tokens t JOIN search_leads s ON s.n = t.lead`,
		`DELETE FROM search_leads`,
	} {
		if _, err := s.write.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for step := 0; ; step++ {
		var left int
		if err := s.get(t.Context(), &left, `SELECT count(DISTINCT app_uuid) FROM lead_tokens`); err != nil || left != max(len(apps)-step, 0) {
			t.Fatalf("step %d: got tokens of %d leads left, %v, want %d", step, left, err, max(len(apps)-step, 0))
		}
		if got := foundBy(t, s); got != wantFound {
			t.Errorf("step %d: got %s, want %s", step, got, wantFound)
		}
		if tokens, err := s.TokensOf(t.Context(), apps[0]); err != nil || len(tokens) != 3 || slices.ContainsFunc(tokens, func(t Token) bool { return t.KeyID != 9 }) {
			t.Errorf("step %d: got %v, %v, want three tokens of their key", step, tokens, err)
		}
		more, err := s.MoveTokens(t.Context(), 1)
		if err != nil || more != (left > 0) {
			t.Fatalf("step %d: got more %v, %v, want %v", step, more, err, left > 0)
		}
		if !more {
			break
		}
	}
	if err := s.Write(t.Context(), func(tx *Tx) error { return tx.SetTokens(t.Context(), apps[0], Tokens{KeyID: 9, Values: []int64{4}}) }); err != nil {
		t.Fatal(err)
	}
	if tokens, err := s.TokensOf(t.Context(), apps[0]); err != nil || len(tokens) != 1 || tokens[0].Value != 4 {
		t.Errorf("got %v, %v, want the new token only", tokens, err)
	}
}

// TestCandidates_OwnLeadsFirst_SameResults compares the query for searches whose words are all frequent with the other one.
func TestCandidates_OwnLeadsFirst_SameResults(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	addTokenLeads(t, s)
	scope := access.Scope{OriginatorUUID: "o1"}
	for _, terms := range [][][]int64{{{1}}, {{1}, {2}}, {{1, 11}, {3, 13}}, {{4}}, {{1}, {4}}} {
		for _, company := range []string{"B1", "B2"} {
			var results []string
			for _, sql := range []func(string, access.Scope, string, [][]int64) (string, []any){candidatesSQL, ownCandidatesSQL} {
				query, args := sql(listColumns, scope, company, terms)
				var found []lead.Row
				if err := s.list(t.Context(), &found, query, args...); err != nil {
					t.Fatal(err)
				}
				var apps []heloc.AppID
				for _, l := range found {
					apps = append(apps, l.App)
				}
				slices.Sort(apps)
				results = append(results, fmt.Sprint(apps))
			}
			if results[0] != results[1] {
				t.Errorf("%v at %s: got %s, want %s", terms, company, results[1], results[0])
			}
		}
	}
}
