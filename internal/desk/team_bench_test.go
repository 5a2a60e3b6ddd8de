package desk_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/desk/reassign"
	deskteam "hearthline/internal/desk/team"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// addCompanyLeads adds n leads of 40 originators of maya's company at every step, a twentieth of them unassigned.
func (h *harness) addCompanyLeads(b *testing.B, n int) {
	b.Helper()
	ctx, now := context.Background(), time.Now()
	steps := append(heloc.Steps(), heloc.StepClosed, heloc.StepClosed)
	check(b, h.store.Write(ctx, func(tx *store.Tx) error {
		for i := range 40 {
			o := heloc.Originator{ID: companyOriginator(i), Email: fmt.Sprint(i, "@summit.test"), FirstName: "Ann",
				LastName: fmt.Sprint("Originator", i), Organization: h.maya.Organization,
				Broker: &heloc.BrokerCompany{ID: h.maya.BrokerID, Name: "Summit"}}
			if err := tx.SaveOriginator(ctx, o, now); err != nil {
				return err
			}
		}
		return nil
	}))
	for from := 0; from < n; from += 1000 {
		check(b, h.store.Write(ctx, func(tx *store.Tx) error {
			for i := from; i < min(n, from+1000); i++ {
				app := heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
				sealed, err := h.deskDeps.Vault.SealName(app, heloc.Name{First: "Elena", Last: "Rivera"})
				if err != nil {
					return err
				}
				l := lead.Row{
					App: app, ShortID: fmt.Sprintf("1-26324-%06d", i), Originator: companyOriginator(i % 40), Company: h.maya.BrokerID,
					Organization: h.maya.Organization, Borrower: sealed, Step: steps[i/40%len(steps)],
					StepSince: store.Millis(now.Add(-time.Duration(i*180/n) * 24 * time.Hour)),
					RefreshAt: store.Millis(now.AddDate(1, 0, 0)),
				}
				if i%20 == 7 {
					l.Originator, l.FormerOriginator = "", l.Originator
				}
				if err := tx.AddLead(ctx, &l, now); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

func companyOriginator(i int) heloc.OriginatorID {
	return heloc.OriginatorID(fmt.Sprintf("0f0e0d0c-0000-4000-8000-%012d", 1000+i))
}

// BenchmarkTeam reads the manager's pages at two sizes of a company.
func BenchmarkTeam(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		g := newHarness(b)
		g.addCompanyLeads(b, n)
		team, err := g.service.For(g.maya).Team()
		check(b, err)
		bulk, err := g.service.For(g.maya).BulkReassignments()
		check(b, err)
		list, err := g.service.For(g.maya).Pipeline()
		check(b, err)
		twelve := reassign.BulkReassignRequest{Split: reassign.SplitLicense,
			Assignees: []string{string(companyOriginator(1)), string(companyOriginator(2)), string(companyOriginator(3))}}
		for i := range 12 {
			twelve.Apps = append(twelve.Apps, fmt.Sprintf("00000000-0000-4000-8000-%012d", i*40))
		}
		for name, f := range map[string]func() error{
			"reassign twelve": func() error {
				plan, err := bulk.Plan(context.Background(), twelve)
				check(b, err)
				_, err = bulk.Targets(context.Background(), "", plan)
				return err
			},
			"too many to reassign": func() error {
				_, _, err := bulk.Select(context.Background(), lead.Query{Only: lead.OnlyOpen}, "")
				return err
			},
			"list with all that match": func() error {
				_, err := list.ListPage(context.Background(),
					deskpipeline.ListRequest{Query: lead.Query{Only: lead.OnlyOpen}, Reassignments: true})
				return err
			},
			"people":     func() error { _, err := team.Page(context.Background()); return err },
			"stuck":      func() error { _, err := team.Stuck(context.Background(), deskteam.StuckFilter{}); return err },
			"unassigned": func() error { _, err := team.Unassigned(context.Background(), ""); return err },
			"count":      func() error { _, err := team.UnassignedCount(context.Background()); return err },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					check(b, f())
				}
			})
		}
		g.stop()
		check(b, g.store.Close())
		check(b, g.lender.Close())
	}
}
