package desk_test

import (
	"errors"
	"fmt"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// addLeads adds n leads of olivia's directly to the database.
func (h *harness) addLeads(n int) {
	h.t.Helper()
	h.must(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		for i := range n {
			l := lead.Row{
				App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), ShortID: fmt.Sprintf("9-%d", i),
				Originator: heloc.OriginatorID(h.olivia.OriginatorUUID), Company: h.olivia.BrokerID,
				Organization: h.olivia.Organization, Step: heloc.StepOffersAvailable, StepSince: store.Millis(h.deskDeps.Now()),
			}
			if err := tx.AddLead(h.t.Context(), &l, h.deskDeps.Now()); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (h *harness) auditedExports() (audited []string) {
	h.t.Helper()
	rows, err := h.store.Audits(h.t.Context(), store.AuditQuery{Action: store.ActionExport, Limit: 9})
	h.must(err)
	for _, r := range rows {
		audited = append(audited, r.ActorID+" "+r.Outcome+" "+r.Detail)
	}
	return audited
}

func TestExport_ManyPages_Complete(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.addLeads(1203)
		most, seen := 0, map[heloc.AppID]int{}
		g.must(g.pipeline(g.maya).Export(t.Context(), lead.Query{Sort: "newest", After: "ignored"}, "",
			func(rows []lead.PipelineRow) error {
				most = max(most, len(rows))
				for _, r := range rows {
					seen[r.App]++
				}
				return nil
			}))
		if len(seen) != 1203 || most > 500 {
			t.Errorf("got %d leads, at most %d at once, want 1203, at most 500 at once", len(seen), most)
		}
		if audited := g.auditedExports(); len(audited) != 2 || audited[0] != g.maya.UserID+" done rows:1203" {
			t.Errorf("the audit: got %q", audited)
		}
		takes, err := g.store.Exports(t.Context(), "00000000-0000-4000-8000-000000001202", 9)
		g.must(err)
		if len(takes) != 1 || takes[0].UserID != g.maya.UserID || takes[0].N != 1 {
			t.Errorf("the last lead: got %+v", takes)
		}
	})
}

// A user who loses the permission, or changes companies, during an export gets no further page.
func TestExport_PermissionLost_StopsAtPage(t *testing.T) {
	t.Parallel()
	for what, lose := range map[string]func(g *harness) error{
		"a closed account": func(g *harness) error { return g.store.DisableUser(g.t.Context(), g.maya.UserID) },
		"another role":     func(g *harness) error { return g.store.SetUserRole(g.t.Context(), g.maya.UserID, "assistant") },
		"another company": func(g *harness) error {
			return g.moveToCompany(g.maya, g.piotr)
		},
		"a closed browser": func(*harness) error { return errors.New("gone") },
	} {
		runInSynctest(t, true, func(t *testing.T, g *harness) {
			g.addLeads(1203)
			got := 0
			err := g.pipeline(g.maya).Export(t.Context(), lead.Query{}, "", func(rows []lead.PipelineRow) error {
				got += len(rows)
				return lose(g)
			})
			if what == "a closed browser" {
				got -= 500 // the page that was not delivered is not counted
			} else {
				wantKind(t, err, fault.Denied)
			}
			want := fmt.Sprintf("%s broken off rows:%d", g.maya.UserID, got)
			if audited := g.auditedExports(); err == nil || got > 500 || len(audited) != 2 || audited[0] != want {
				t.Errorf("%s: got %d leads, %v, audit %q, want %q", what, got, err, audited, want)
			}
		})
	}
}

// moveToCompany moves a user to another user's company, as the lender's directory does.
func (h *harness) moveToCompany(who, to access.Actor) error {
	return h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		o, err := tx.Originator(h.t.Context(), heloc.OriginatorID(who.OriginatorUUID))
		if err != nil {
			return err
		}
		return tx.SaveOriginator(h.t.Context(), heloc.Originator{
			ID: o.UUID, Email: o.Email, FirstName: o.FirstName, LastName: o.LastName, NMLS: o.NMLS,
			Organization: to.Organization,
			Broker:       &heloc.BrokerCompany{ID: to.BrokerID, Name: to.BrokerName},
		}, h.deskDeps.Now())
	})
}
