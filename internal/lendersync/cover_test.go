package lendersync

import (
	"context"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// coverMails records who would have been emailed that they no longer cover.
type coverMails struct{ sent []string }

func (c *coverMails) SendCoversEnded(_ context.Context, tx *store.Tx) error {
	for _, of := range tx.CoversEnded {
		c.sent = append(c.sent, of.DeputyID+" for "+of.Name)
	}
	return nil
}

// TestSyncDirectory_AbsentUserRemovedOrMoved_DeputyIsEmailed ends a cover in both ways in which the directory does.
func TestSyncDirectory_AbsentUserRemovedOrMoved_DeputyIsEmailed(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(g *harness){
		"removed": func(g *harness) {
			g.setDirectory(g.without(g.originators[0]))
			g.syncAfter(time.Minute)
			g.syncAfter(11 * time.Minute)
		},
		"moved": func(g *harness) {
			all := slices.Clone(g.lender.Originators())
			at := slices.IndexFunc(all, func(o heloc.Originator) bool { return o.ID == g.originators[0].ID })
			all[at].Broker = g.originators[2].Broker
			g.setDirectory(all)
			g.syncAfter(time.Minute)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				mails := &coverMails{}
				g.service.CoverMail = mails
				marcus := actorOf("marcus", g.originators[1])
				g.must(g.store.AddUser(t.Context(), access.User{Actor: marcus}, ""))
				now := time.Now()
				g.must(g.store.Write(t.Context(), func(tx *store.Tx) error {
					return tx.AddAbsence(t.Context(), lead.Absence{
						ID: "absence", Company: store.UserScopeOf(g.olivia).Company, UserID: g.olivia.UserID,
						Originator: g.originators[0].ID, DeputyID: marcus.UserID, FirstDay: heloc.DateOf(now),
						LastDay: heloc.DateOf(now.AddDate(0, 0, 5)), StartsAt: store.Millis(now),
						EndsAt: store.Millis(now.AddDate(0, 0, 6)), CoverEndsAt: store.Millis(now.AddDate(0, 0, 6)),
						CreatedBy: marcus.UserID,
					})
				}))
				g.syncAfter(time.Minute)
				if len(mails.sent) != 0 {
					t.Fatalf("nobody has left: got the emails %q, want none", mails.sent)
				}
				leave(g)
				g.syncAfter(11 * time.Minute)
				if want := []string{"marcus for " + g.olivia.Name}; !slices.Equal(mails.sent, want) {
					t.Errorf("got the emails %q, want %q", mails.sent, want)
				}
			})
		})
	}
}
