package desk_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	deskpipeline "hearthline/internal/desk/pipeline"
	deskteam "hearthline/internal/desk/team"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// BenchmarkAbsence reads the pages of people, absences and covered leads at two sizes of a company.
func BenchmarkAbsence(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		g := newHarness(b)
		g.addCompanyLeads(b, n)
		g.deskDeps.Accounts = account.New(g.store, g.deskDeps.Vault, account.Options{})
		g.rebuildDesks()
		ctx := context.Background()
		absent := g.maya
		absent.UserID, absent.Email, absent.Role, absent.OriginatorUUID = "absent", "absent@summit.test", access.Originator,
			string(companyOriginator(0))
		check(b, g.store.AddUser(ctx, access.User{Actor: absent}, ""))
		absences, err := g.service.For(g.maya).Absences()
		check(b, err)
		today := time.Now().UTC()
		check(b, absences.Save(ctx, deskteam.AbsenceRequest{Person: "absent", Deputy: g.marcus.UserID,
			FirstDay: heloc.DateOf(today), LastDay: heloc.DateOf(today.AddDate(0, 0, 5))}))
		team, err := g.service.For(g.maya).Team()
		check(b, err)
		user, err := g.store.User(ctx, g.marcus.UserID)
		check(b, err)
		if user.Covering == "" {
			b.Fatal("the deputy does not cover")
		}
		deputy := g.service.For(user.Actor)
		list, err := deputy.Pipeline()
		check(b, err)
		open, err := list.Page(ctx, lead.Query{Originator: companyOriginator(0)}, "")
		check(b, err)
		for name, f := range map[string]func() error{
			"people":   func() error { _, err := team.People(ctx); return err },
			"person":   func() error { _, err := team.Person(ctx, "absent"); return err },
			"absences": func() error { _, err := absences.List(ctx); return err },
			"user":     func() error { _, err := g.store.User(ctx, g.marcus.UserID); return err },
			"covered list": func() error {
				_, err := list.Page(ctx,
					lead.Query{Originator: companyOriginator(0)}, "")
				return err
			},
			"own list": func() error {
				_, err := list.ListPage(ctx, deskpipeline.ListRequest{Start: true})
				return err
			},
			"covered lead": func() error { _, err := deputy.Lead(ctx, string(open.Rows[0].App)); return err },
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
