package team_test

import (
	"fmt"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
	"hearthline/web/webtest"
)

// benchPeople is the number of originators among whom the leads are divided.
const benchPeople = 25

func benchOriginator(i int) heloc.OriginatorID {
	return heloc.OriginatorID(fmt.Sprintf("0f0e0d0c-0000-4000-8000-%012d", 1000+i))
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// addCompanyLeads adds n leads of originators of maya's company at every step, a twentieth of them unassigned. They
// started evenly over two years, and have been at their step since some time after that. Each has left a step.
func addCompanyLeads(b *testing.B, h *webtest.Harness, n int) {
	b.Helper()
	maya, now := h.People["maya"], time.Now()
	steps := append(heloc.Steps(), heloc.StepClosed, heloc.StepClosed)
	const span = 730 * 24 * time.Hour
	check(b, h.Store.Write(b.Context(), func(tx *store.Tx) error {
		for i := range benchPeople {
			o := heloc.Originator{
				ID: benchOriginator(i), Email: fmt.Sprint(i, "@summit.test"), FirstName: "Ann", LastName: fmt.Sprint("Originator", i), Organization: maya.Organization,
				Broker: &heloc.BrokerCompany{ID: maya.BrokerID, Name: "Summit"},
			}
			if err := tx.SaveOriginator(b.Context(), o, now); err != nil {
				return err
			}
		}
		return nil
	}))
	for from := 0; from < n; from += 5000 {
		check(b, h.Store.Write(b.Context(), func(tx *store.Tx) error {
			for i := from; i < min(n, from+5000); i++ {
				app := heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
				sealed, err := vault.SealJSON(h.DeskDeps.Vault, vault.NameAAD(app), heloc.Name{First: "Elena", Last: "Rivera"})
				if err != nil {
					return err
				}
				ago := time.Duration(int64(i) * (int64(span) / int64(n)))
				l := lead.Row{
					App: app, ShortID: fmt.Sprintf("1-26324-%06d", i), Originator: benchOriginator(i % benchPeople), BrokerID: maya.BrokerID, Organization: maya.Organization, Borrower: sealed,
					City: "Golden", State: []string{"CO", "WA", "OR", "AZ", "TX", "IL", "NH"}[i%7], Source: []lead.Source{lead.SourcePortal, lead.SourceCRM, lead.SourceAdopted}[i%3],
					Step: steps[i/benchPeople%len(steps)], StepSince: store.Millis(now.Add(-ago * time.Duration(i%4) / 4)), Converted: i%9 == 0, Funded: i%11 == 0,
					StartedOn: heloc.DateOf(now.Add(-ago)), RefreshAt: store.Millis(now.AddDate(1, 0, 0)),
				}
				if i%20 == 7 {
					l.Originator, l.FormerOriginator = "", l.Originator
				}
				if err := tx.AddLead(b.Context(), &l, now); err != nil {
					return err
				}
				if err := tx.AddEvent(b.Context(), lead.Event{
					App: app, At: store.Millis(now.Add(-ago)), Kind: lead.EventStep, From: steps[i/3%len(steps)], To: l.Step, Company: l.Company, StayedMillis: int64(1+i%97) * 1_000_000,
				}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// addBenchSettings turns on assignment rules that can assign nothing, which is the most work for their page, and adds an
// absence.
func addBenchSettings(b *testing.B, h *webtest.Harness) {
	b.Helper()
	maya, olivia, marcus := h.People["maya"], h.People["olivia"], h.People["marcus"]
	company, now := store.UserScopeOf(maya.Actor).Company, time.Now()
	check(b, h.Store.Write(b.Context(), func(tx *store.Tx) error {
		l := lead.Row{App: "00000000-0000-4000-8000-ffffffffffff", Originator: heloc.OriginatorID(marcus.OriginatorUUID), BrokerID: marcus.BrokerID, Organization: marcus.Organization, Step: heloc.StepOffersAvailable}
		if err := tx.AddLead(b.Context(), &l, now); err != nil {
			return err
		}
		if err := tx.AddAbsence(b.Context(), lead.Absence{
			ID: "absence", Company: company, UserID: olivia.UserID, Originator: heloc.OriginatorID(olivia.OriginatorUUID), DeputyID: marcus.UserID, FirstDay: heloc.DateOf(now.AddDate(0, 0, -9)), LastDay: heloc.DateOf(now.AddDate(0, 0, 9)),
			StartsAt: store.Millis(now.AddDate(0, 0, -9)), EndsAt: store.Millis(now.AddDate(0, 0, 9)), CoverEndsAt: store.Millis(now.AddDate(0, 0, 9)), CreatedBy: maya.UserID,
		}); err != nil {
			return err
		}
		return tx.SaveAssignmentRules(b.Context(), lead.AssignmentRules{Company: company, Active: true, OpenLimit: 1, SetBy: maya.UserID, SetAt: 1, People: []string{marcus.UserID}})
	}))
}

// BenchmarkTeamPage requests the manager's pages in a company of benchPeople originators. On a machine that does other work
// too, the fastest request tells more than the mean.
func BenchmarkTeamPage(b *testing.B) {
	paths := []string{
		"/team", "/team/stuck", "/team/unassigned", "/team/people", "/team/rules", "/team/absences", "/team/absences/absence", "/team/people/user-olivia", "/reports",
		"/reports/funnel", "/reports/funnel?by=month", "/reports/funnel?by=state", "/reports/funnel?by=source", "/reports/funnel?period=12-months",
		"/reports/time-in-step", "/reports/time-in-step?by=month", "/reports/time-in-step?by=state", "/reports/time-in-step?by=source", "/reports/time-in-step?period=12-months", "/reports/pull-through", "/reports/fallout", "/reports/fallout?period=12-months", "/views", "/team/people?show=disabled",
	}
	for _, n := range webtest.BenchSizes(b) {
		h := webtest.New(b, webtest.Options{NoJobs: true, NoSync: true})
		addCompanyLeads(b, h, n)
		addBenchSettings(b, h)
		maya := h.SignInAs("maya")
		for _, path := range paths {
			b.Run(fmt.Sprintf("%d%s", n, path), func(b *testing.B) {
				request := maya.Requester(path)
				fastest := time.Hour
				for b.Loop() {
					began := time.Now()
					check(b, request())
					fastest = min(fastest, time.Since(began))
				}
				b.ReportMetric(float64(fastest.Microseconds())/1000, "fastest-ms")
			})
		}
	}
}
