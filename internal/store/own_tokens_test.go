package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

// The tokens by originator and what they are kept from: the leads with their tokens.
const (
	ownTokensSQL     = `SELECT o.originator_uuid || ' ' || t.token || ' ' || t.lead FROM own_search_tokens t JOIN search_owners o ON o.n = t.owner ORDER BY 1`
	tokensOfOwnerSQL = `SELECT l.originator_uuid || ' ' || t.token || ' ' || t.lead FROM search_tokens t JOIN search_leads s ON s.n = t.lead JOIN leads l ON l.app_uuid = s.lead_uuid ORDER BY 1`
)

// TestOwnSearchTokens_RandomChanges_EqualAllTokens adds, reassigns and deletes leads and changes their tokens, and compares the tokens
// by originator with those of all leads; at last also where an earlier release had added leads.
func TestOwnSearchTokens_RandomChanges_EqualAllTokens(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]func(t *testing.T) string{
		"SQLite":     func(t *testing.T) string { return storetest.NewFile(t) },
		"PostgreSQL": func(t *testing.T) string { return storetest.NewPostgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := address(t)
			s := open(t, address)
			random := rand.New(rand.NewPCG(7, 9))
			var apps []heloc.AppID
			some := func() (values []int64) {
				for range 1 + random.IntN(6) {
					values = append(values, random.Int64N(12))
				}
				return values
			}
			wantEqual := func(after string) {
				t.Helper()
				if got, want := storetest.Texts(t, address, ownTokensSQL), storetest.Texts(t, address, tokensOfOwnerSQL); !slices.Equal(got, want) {
					t.Fatalf("after %s: got %v, want %v", after, got, want)
				}
			}
			for n := range 120 {
				change := "an added lead"
				if err := s.Write(t.Context(), func(tx *store.Tx) error {
					kind := random.IntN(6)
					if len(apps) < 4 {
						kind = 0
					}
					if kind == 0 {
						l := lead.Row{App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)), Originator: owners[random.IntN(len(owners))], BrokerID: "B1"}
						apps = append(apps, l.App)
						if err := tx.AddLead(t.Context(), &l, time.Now()); err != nil {
							return err
						}
						return tx.SetTokens(t.Context(), l.App, store.Tokens{KeyID: 1, Values: some()})
					}
					at := random.IntN(len(apps))
					app := apps[at]
					switch kind {
					case 1:
						change = "other tokens"
						return tx.SetTokens(t.Context(), app, store.Tokens{KeyID: 2, Values: some()})
					case 2:
						change = "more tokens"
						return tx.AddTokens(t.Context(), app, store.Tokens{KeyID: 3, Values: some()})
					case 3:
						change = "tokens of another key"
						old, err := tx.TokensOf(t.Context(), app)
						if err != nil {
							return err
						}
						return tx.ReplaceTokens(t.Context(), app, old, []store.Token{{Value: random.Int64N(12), KeyID: 4}})
					case 4:
						change = "a reassignment"
						l, err := tx.AnyLead(t.Context(), app)
						if err != nil {
							return err
						}
						l.Originator = owners[random.IntN(len(owners))]
						return tx.SaveLead(t.Context(), &l, time.Now(), true)
					default:
						change = "a deletion"
						apps = slices.Delete(apps, at, at+1)
						l, err := tx.AnyLead(t.Context(), app)
						if err != nil {
							return err
						}
						l.CanceledDate, l.Step = "2026-11-20", heloc.StepClosed
						if err := tx.SaveLead(t.Context(), &l, time.Now(), true); err != nil {
							return err
						}
						dropped, err := tx.DropLeads(t.Context(), time.Now().Add(time.Hour), 2)
						if err == nil && len(dropped) != 1 {
							err = fmt.Errorf("%d leads were deleted", len(dropped))
						}
						return err
					}
				}); err != nil {
					t.Fatal(err)
				}
				wantEqual(change)
			}
			storetest.Exec(t, address, `UPDATE search_leads SET owner_n = NULL`)
			if left := storetest.Count(t, address, `SELECT count(*) FROM own_search_tokens`); left != 0 {
				t.Errorf("%d tokens of no owner are left", left)
			}
			for more := true; more; {
				var err error
				if more, err = s.AddSearchOwners(t.Context(), 7); err != nil {
					t.Fatal(err)
				}
			}
			wantEqual("the update")
		})
	}
}

// owners are those of the leads; nobody's leads have "".
var owners = []heloc.OriginatorID{"o1", "o2", "o3", ""}
