package store

import (
	"errors"
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
				found, err := s.Candidates(t.Context(), scope, company, terms, 9)
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

const wantFound = `[[00 01] [] [00 01] [] [00] [] [] [] [00 01 02 03] [] [00 01] [] [00] [] [] []]`

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

// allTokens and ownTokens are the sources of a company's search, and of a search of the originator who was numbered first.
var allTokens, ownTokens = tokenSource{table: "search_tokens"}, tokenSource{table: "own_search_tokens", owner: 1}

// TestCandidates_EveryPlan_SameResults compares the queries for rare words and for frequent words among the tokens of all leads
// and of the originators, page by page.
func TestCandidates_EveryPlan_SameResults(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	addTokenLeads(t, s)
	for _, scope := range []access.Scope{{OriginatorUUID: "o1"}, {OriginatorUUID: "o2"}, {OriginatorUUID: "o1", Covering: access.CoversOf("o2")}, {BrokerID: "B1"}} {
		own, err := s.tokenSources(t.Context(), scope)
		if err != nil || len(own) != max(1, len(scope.Originators())) || (own[0].owner == 0) != (scope.OriginatorUUID == "") {
			t.Fatalf("%+v: got the sources %v, %v", scope, own, err)
		}
		for _, filter := range []lead.Query{{}, {Originator: "o2", Lane: heloc.LaneEnded}, {State: "HI"}, {Unassigned: true}} {
			for _, terms := range [][][]int64{{{1}}, {{1}, {2}}, {{1}, {3, 13}}, {{4}}, {{1}, {4}}} {
				for _, company := range []string{"B1", "B2"} {
					for before := range int64(6) {
						search := LeadSearch{Scope: scope, Company: company, Terms: terms, Filter: filter}
						var results []string
						for _, sources := range [][]tokenSource{{allTokens}, own} {
							for _, plan := range []func(from tokenSource) ([]NameCandidate, error){
								func(from tokenSource) (found []NameCandidate, err error) {
									one := candidatesSQL(from, search, terms[0][0], before, 2)
									return found, s.list(t.Context(), &found, one.sql, one.args...)
								},
								func(from tokenSource) ([]NameCandidate, error) {
									return s.candidatesInChunks(t.Context(), from, search, before, 2)
								},
							} {
								found, err := candidatesOfEach(sources, plan)
								if err != nil {
									t.Fatal(err)
								}
								var numbers []int64
								for _, c := range found[:min(len(found), 2)] {
									numbers = append(numbers, c.Number)
								}
								results = append(results, fmt.Sprint(numbers))
							}
						}
						if len(slices.Compact(slices.Clone(results))) > 1 {
							t.Errorf("%+v, %+v, %v at %s before %d: got different results %v", scope, filter, terms, company, before, results)
						}
					}
				}
			}
		}
	}
}

// TestFrequentCandidates_SeveralChunks_NoneLeftOut finds leads of which most are outside a filter, so that one chunk of the
// leads with all words is not enough.
func TestFrequentCandidates_SeveralChunks_NoneLeftOut(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	const leads, each = 12*firstChunk + 7, 200
	if err := s.Write(t.Context(), func(tx *Tx) error {
		for n := range leads {
			l := lead.Row{App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)), Originator: "o1", BrokerID: "B1"}
			if n%each == 0 {
				l.State = "HI"
			}
			if err := tx.AddLead(t.Context(), &l, time.Now()); err != nil {
				return err
			}
			if err := tx.SetTokens(t.Context(), l.App, Tokens{KeyID: 9, Values: []int64{1, 2}}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	search := LeadSearch{Scope: access.Scope{BrokerID: "B1"}, Company: "B1", Terms: [][]int64{{1}, {2}}, Filter: lead.Query{State: "HI"}}
	for _, limit := range []int{3, 8, 9} {
		found, err := s.candidatesInChunks(t.Context(), allTokens, search, leads+1, limit)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range found {
			if want := int64((leads-1)/each*each + 1 - i*each); c.Number != want {
				t.Errorf("up to %d: candidate %d is lead %d, want %d", limit, i, c.Number, want)
			}
		}
		if want := min(limit, (leads-1)/each+1); len(found) != want {
			t.Errorf("up to %d: got %d candidates, want %d", limit, len(found), want)
		}
	}
}

// TestNameCandidates_OwnSearch_AllFound searches for a word that many leads of others have, as long as the portal does not know whose
// each lead is, and after that.
func TestNameCandidates_OwnSearch_AllFound(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	const others = frequentToken
	app := func(n int) heloc.AppID { return heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)) }
	add := func(tx *Tx, n int, owner heloc.OriginatorID, tokens ...int64) error {
		l := lead.Row{App: app(n), Originator: owner, BrokerID: "B1"}
		if err := tx.AddLead(t.Context(), &l, time.Now()); err != nil {
			return err
		}
		return tx.SetTokens(t.Context(), l.App, Tokens{KeyID: 9, Values: tokens})
	}
	if err := s.Write(t.Context(), func(tx *Tx) error {
		for n := range others {
			if err := add(tx, n, "o3", 1); err != nil {
				return err
			}
		}
		return errors.Join(add(tx, others, "o1", 1), add(tx, others+1, "o1", 2), add(tx, others+2, "o2", 1), add(tx, others+3, "o1", 1, 2))
	}); err != nil {
		t.Fatal(err)
	}
	own, covering, nobody := access.Scope{OriginatorUUID: "o1"}, access.Scope{OriginatorUUID: "o1", Covering: access.CoversOf("o2")}, access.Scope{OriginatorUUID: "o4"}
	for _, known := range []bool{false, true} {
		if _, err := s.write.ExecContext(t.Context(), `UPDATE search_leads SET owner = NULL, owner_n = NULL WHERE n IN (1, 1001)`); err != nil {
			t.Fatal(err)
		}
		if known {
			if _, err := s.AddSearchOwners(t.Context(), 10); err != nil {
				t.Fatal(err)
			}
		}
		for _, tt := range []struct {
			scope access.Scope
			limit int
			want  []int
		}{{own, 9, []int{others + 3, others}}, {own, 1, []int{others + 3}}, {covering, 9, []int{others + 3, others + 2, others}}, {covering, 2, []int{others + 3, others + 2}}, {nobody, 9, nil}} {
			if sources, err := s.tokenSources(t.Context(), tt.scope); err != nil || slices.Contains(sources, allTokens) == known {
				t.Errorf("%v, known %v: got the sources %v, %v", tt.scope, known, sources, err)
			}
			found, err := s.NameCandidates(t.Context(), LeadSearch{Scope: tt.scope, Company: "B1", Terms: [][]int64{{1}}}, tt.limit)
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, c := range found {
				got = append(got, int(c.Number)-1)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v, up to %d, known %v: got the leads %v, want %v", tt.scope, tt.limit, known, got, tt.want)
			}
		}
	}
}
