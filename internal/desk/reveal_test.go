package desk_test

import (
	"testing"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// While a slow form is being sent, the user can lose the lead or the permission. Then nothing about the borrower may
// be revealed.
func TestReveal_AccessLost_Denied(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(t *testing.T, g *harness, app heloc.AppID){
		"the lead": func(t *testing.T, g *harness, app heloc.AppID) {
			g.must(g.store.Write(t.Context(), func(tx *store.Tx) error {
				row, err := tx.AnyLead(t.Context(), app)
				if err != nil {
					return err
				}
				row.Originator = heloc.OriginatorID(g.marcus.OriginatorUUID)
				return tx.SaveLead(t.Context(), &row, time.Now(), true)
			}))
		},
		"the account": func(t *testing.T, g *harness, _ heloc.AppID) {
			g.must(g.store.DisableUser(t.Context(), g.olivia.UserID))
		},
	} {
		t.Run(name, func(t *testing.T) {
			runInSynctest(t, true, func(t *testing.T, g *harness) {
				app := g.start(g.olivia, "Rivera")
				lead := g.openLead(g.olivia, app)
				lose(t, g, app)
				g.transport.setHanging(false)
				_, err := lead.Reveal(t.Context(), desk.RevealReason{Preset: "callback"})
				if !fault.Is(err, fault.NotFound, fault.Denied) {
					t.Errorf("without %s: got %v, want Denied or NotFound", name, err)
				}
				if n := g.transport.count("/details/"); n != 0 {
					t.Errorf("without %s: got %d requests to the lender, want none", name, n)
				}
			})
		})
	}
}
