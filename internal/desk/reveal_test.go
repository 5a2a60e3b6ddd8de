package desk_test

import (
	"slices"
	"testing"
	"time"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/sandbox"
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
				_, err := lead.Reveal(t.Context(), desklead.RevealReason{Preset: "callback"})
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

// TestReveal_LenderFails_LoggedAsNotShown: what could not be shown is in the audit as such, and neither in the lead's
// activity nor in its access log. What was shown is in all three.
func TestReveal_LenderFails_LoggedAsNotShown(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		time.Sleep(5 * time.Second)
		l := g.openLead(g.olivia, app)
		v, err := l.Snapshot(t.Context())
		g.must(err)
		show := map[store.AuditAction]func() error{
			store.ActionReveal: func() error {
				_, err := l.Reveal(t.Context(), desklead.RevealReason{Preset: "identity"})
				return err
			},
			store.ActionContact: func() error {
				_, err := l.ContactDetail(t.Context(), desklead.ByCall)
				return err
			},
			store.ActionDownload: func() error {
				got, err := l.Document(t.Context(), v.Documents[0].UUID)
				if err == nil {
					err = got.Body.Close()
				}
				return err
			},
		}
		outcomes := func(of store.AuditAction) (all []string) {
			rows, err := g.store.AuditOf(t.Context(), "lead:"+string(app), 50)
			g.must(err)
			for _, a := range rows {
				if a.Action == of {
					all = append(all, a.Outcome)
				}
			}
			slices.Sort(all)
			return all
		}
		logged := func() int {
			log, err := l.AccessLog(t.Context())
			g.must(err)
			events, err := g.store.Events(t.Context(), app, 50)
			g.must(err)
			n := len(log.Reveals) + len(log.Exports)
			for _, e := range events {
				if e.Kind == lead.EventRevealed {
					n++
				}
			}
			return n
		}
		g.must(g.lender.SetFaults(sandbox.Faults{ErrorRate: 1}))
		for action, try := range show {
			if try() == nil {
				t.Fatalf("%s: shown although the lender fails", action)
			}
			if got := outcomes(action); !slices.Equal(got, []string{"failed"}) {
				t.Errorf("%s, failed: got the outcomes %q", action, got)
			}
		}
		if n := logged(); n != 0 {
			t.Errorf("got %d entries of what was not shown", n)
		}
		g.must(g.lender.SetFaults(sandbox.Faults{}))
		time.Sleep(time.Minute)
		for action, try := range show {
			g.must(try())
			if got := outcomes(action); len(got) != 2 || !slices.Contains(got, "failed") {
				t.Errorf("%s, shown: got the outcomes %q", action, got)
			}
		}
		if n := logged(); n != 5 {
			t.Errorf("got %d entries of what was shown, want a reveal and an event twice, and a download", n)
		}
	})
}
