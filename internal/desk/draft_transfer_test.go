package desk_test

import (
	"fmt"
	"testing"
	"time"

	"hearthline/internal/account"
	"hearthline/internal/desk/admin"
	"hearthline/internal/lead"
)

// Closing an account transfers all drafts, even more than one page of a list.
func TestCloseAccount_ManyDrafts_AllTransferred(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		const many = 101
		drafts, err := g.service.For(g.olivia).Drafts()
		g.must(err)
		for i := range many {
			_, err := drafts.Save(t.Context(), drafts.New(),
				lead.FormValues{"applicant.name.lastName": {fmt.Sprint("Rivera ", i)}})
			g.must(err)
		}
		g.deskDeps.Accounts = account.New(g.store, g.deskDeps.Vault, account.Options{Now: time.Now})
		g.rebuildDesks()
		people, err := g.service.For(g.admin).People()
		g.must(err)
		g.must(people.Close(t.Context(), g.olivia.UserID, admin.CloseOptions{Assignee: g.marcus.OriginatorUUID}))
		counts, err := g.store.DraftCounts(t.Context(), g.marcus.Company())
		g.must(err)
		if len(counts) != 1 || counts[0].UserID != g.marcus.UserID || counts[0].Count != many {
			t.Errorf("got drafts %v, want %d of %s", counts, many, g.marcus.UserID)
		}
	})
}
