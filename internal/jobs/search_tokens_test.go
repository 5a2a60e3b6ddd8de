package jobs

import (
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

// Leads of an earlier release get what it did not store for searches, and then there is nothing more to do.
func TestUpdateTokens_LeadsOfEarlierRelease_Complete(t *testing.T) {
	t.Parallel()
	g := newHarness(t, 3)
	for _, app := range g.apps {
		g.write(func(tx *store.Tx) error {
			return tx.SetTokens(t.Context(), heloc.AppID(app), store.Tokens{KeyID: 1, Values: []int64{7}})
		})
	}
	storetest.Exec(t, g.database, `UPDATE search_leads SET owner = NULL, owner_n = NULL, terms_version = 1`)
	w, log := g.worker("a")
	batches := 0
	for more := true; more; batches++ {
		var err error
		if more, err = w.updateTokens(t.Context()); err != nil || batches > 5 {
			t.Fatalf("batch %d: %v\n%s", batches, err, log)
		}
	}
	if n := storetest.Count(t, g.database, `SELECT count(*) FROM search_leads WHERE owner = ? AND owner_n IS NOT NULL AND terms_version = ?`, olivia, heloc.TermsVersion); n != len(g.apps) {
		t.Errorf("%d of %d leads are complete after %d batches", n, len(g.apps), batches)
	}
}
