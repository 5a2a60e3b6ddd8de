package team_test

import (
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// benchPeople is the number of originators among whom the leads are divided.
const benchPeople = 25

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// addCompanyLeads adds n leads of originators of maya's company, a twentieth of them unassigned.
func addCompanyLeads(b *testing.B, h *webtest.Harness, n int) {
	b.Helper()
	maya := h.People["maya"]
	owner := access.Owner{BrokerID: maya.BrokerID, Organization: maya.Organization}
	h.AddLeads(bench.Data{Leads: n, Company: owner, Originators: bench.AddPeople(b, h.Store, owner, benchPeople),
		Unassigned: true, Now: time.Now()})
}

// addBenchSettings turns on assignment rules that can assign nothing, which is the most work for their page, and adds
// an absence.
func addBenchSettings(b *testing.B, h *webtest.Harness) {
	b.Helper()
	maya, olivia, marcus := h.People["maya"], h.People["olivia"], h.People["marcus"]
	company, now := store.UserScopeOf(maya.Actor).Company, time.Now()
	check(b, h.Store.Write(b.Context(), func(tx *store.Tx) error {
		l := lead.Row{App: "00000000-0000-4000-8000-ffffffffffff", Originator: heloc.OriginatorID(marcus.OriginatorUUID),
			Company: marcus.BrokerID, Organization: marcus.Organization, Step: heloc.StepOffersAvailable}
		if err := tx.AddLead(b.Context(), &l, now); err != nil {
			return err
		}
		if err := tx.AddAbsence(b.Context(), lead.Absence{
			ID: "absence", Company: company, UserID: olivia.UserID, Originator: heloc.OriginatorID(olivia.OriginatorUUID),
			DeputyID: marcus.UserID, FirstDay: heloc.DateOf(now.AddDate(0, 0, -9)), LastDay: heloc.DateOf(now.AddDate(0, 0, 9)),
			StartsAt: store.Millis(now.AddDate(0, 0, -9)), EndsAt: store.Millis(now.AddDate(0, 0, 9)),
			CoverEndsAt: store.Millis(now.AddDate(0, 0, 9)), CreatedBy: maya.UserID,
		}); err != nil {
			return err
		}
		return tx.SaveAssignmentRules(b.Context(), lead.AssignmentRules{Company: company, Active: true, OpenLimit: 1,
			SetBy: maya.UserID, SetAt: 1,
			Rules: []lead.AssignmentRule{{People: []lead.RuleShare{{UserID: marcus.UserID, Weight: 1}}}}})
	}))
}

// BenchmarkTeamPage requests the manager's pages in a company of benchPeople originators. On a machine that does
// other work too, the fastest request tells more than the mean.
func BenchmarkTeamPage(b *testing.B) {
	paths := []string{
		"/team", "/team/stuck", "/team/unassigned", "/team/people", "/team/rules", "/team/absences", "/team/absences/absence",
		"/team/people/user-olivia", "/reports", "/reports/funnel", "/reports/funnel?by=month", "/reports/funnel?by=state",
		"/reports/funnel?by=source", "/reports/funnel?period=12-months",
		"/reports/time-in-step", "/reports/time-in-step?by=month", "/reports/time-in-step?by=state",
		"/reports/time-in-step?by=source", "/reports/time-in-step?period=12-months", "/reports/pull-through",
		"/reports/fallout", "/reports/fallout?period=12-months", "/views", "/team/people?show=disabled",
	}
	for _, n := range bench.Sizes(b) {
		h := webtest.New(b, webtest.Options{NoJobs: true, NoSync: true, Large: true})
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
