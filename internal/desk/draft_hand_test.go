package desk_test

import (
	"fmt"
	"testing"
	"time"

	"hearthline/internal/account"
	"hearthline/internal/desk"
)

// Nobody may look after the last of many drafts: a list ends somewhere, a hand-over does not.
func TestWhoLeavesLeavesEveryDraftToSomebody(t *testing.T) {
	inBubble(t, true, func(t *testing.T, g *rig) {
		const many = 101
		drafts, err := g.rooms.For(g.olivia).Drafts()
		g.must(err)
		for i := range many {
			_, err := drafts.Save(t.Context(), drafts.New(), desk.Typed{"applicant.name.lastName": {fmt.Sprint("Rivera ", i)}})
			g.must(err)
		}
		g.rooms.Accounts = account.New(g.store, g.rooms.Vault, account.Options{Now: time.Now})
		people, err := g.rooms.For(g.admin).People()
		g.must(err)
		g.must(people.Close(t.Context(), g.olivia.UserID, desk.Leave{To: g.marcus.OriginatorUUID}))
		his, err := g.rooms.For(g.marcus).Drafts()
		g.must(err)
		if got, err := his.Count(t.Context()); got != many || err != nil {
			t.Errorf("he took %d drafts (%v), want all %d", got, err, many)
		}
	})
}
