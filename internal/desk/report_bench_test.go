package desk_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	deskpipeline "hearthline/internal/desk/pipeline"
	deskreports "hearthline/internal/desk/reports"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// addBenchStart adds the start of a lead in the name of another originator for every tenth, two more writes, and six
// events, so that who started it and when it reached the stages is looked up among other rows.
func addBenchStart(ctx context.Context, tx *store.Tx, l lead.Row, i int) error {
	for k, kind := range []heloc.Operation{heloc.OpStart, heloc.OpAddSSN, heloc.OpSelectOffer} {
		if err := tx.AddOperation(ctx, lead.Operation{ID: fmt.Sprintf("hl-%d-%d", k, i), Kind: kind, App: l.App, ActorID: "u",
			ActorName: "Olivia", Originator: companyOriginator((i + i%10/9) % 40), Company: l.Company, State: lead.OpSucceeded,
			CreatedAt: l.CreatedAt + int64(k)}); err != nil {
			return err
		}
	}
	for k, step := range []heloc.Step{heloc.StepCreditMatch, heloc.StepOffersAvailable, heloc.StepPayoff,
		heloc.StepOffersAvailable, heloc.StepBorrowerAuth, heloc.StepComplete} {
		if err := tx.AddEvent(ctx, lead.Event{App: l.App, At: l.CreatedAt + int64(k*(1+i%50))*3_600_000, Kind: lead.EventStep,
			StepAfter: step, Company: l.Company}); err != nil {
			return err
		}
	}
	return nil
}

// addCohorts adds n leads of 40 originators in 30 states that started evenly over two years. Each has left two steps.
func (h *harness) addCohorts(b *testing.B, n int) {
	b.Helper()
	ctx, now := context.Background(), time.Now()
	steps := append(heloc.Steps(), heloc.StepClosed, heloc.StepWithdrawn, heloc.StepOffersAvailable)
	for from := 0; from < n; from += 1000 {
		check(b, h.store.Write(ctx, func(tx *store.Tx) error {
			for i := from; i < min(n, from+1000); i++ {
				l := lead.Row{
					App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), ShortID: fmt.Sprint("1-", i),
					Originator: companyOriginator(i % 40), Company: h.maya.BrokerID, Organization: h.maya.Organization,
					State:  fmt.Sprintf("S%d", i/7%30),
					Source: []lead.Source{lead.SourcePortal, lead.SourcePortal, lead.SourceCRM, lead.SourceAdopted}[i%4],
					Step:   steps[i/40%len(steps)], Converted: i%5 == 0, Funded: i%11 == 0,
					StepSince: store.Millis(now), RefreshAt: store.Millis(now.AddDate(1, 0, 0)),
				}
				if err := tx.AddLead(ctx, &l, now.Add(-730*24*time.Hour/time.Duration(n)*time.Duration(i))); err != nil {
					return err
				}
				if err := addBenchStart(ctx, tx, l, i); err != nil {
					return err
				}
				for k, step := range []heloc.Step{"", steps[(i/3)%14]} {
					if err := tx.AddEvent(ctx, lead.Event{App: l.App, At: store.Millis(now), Kind: lead.EventStep, StepBefore: step,
						StepAfter: heloc.StepClosed, Company: l.Company,
						StayedMillis: int64(1+i%97) * 1_000_000 * int64(1+3*k)}); err != nil {
						return err
					}
				}
			}
			return nil
		}))
	}
}

// BenchmarkReports reads reports, and the lists behind their numbers, at two sizes of a company.
func BenchmarkReports(b *testing.B) {
	for _, n := range []int{1_000, 20_000} {
		g := newHarness(b)
		g.addCohorts(b, n)
		d := g.service.For(g.maya)
		reports, err := d.Reports()
		check(b, err)
		pipeline, err := d.Pipeline()
		check(b, err)
		period := deskreports.PeriodOf(deskreports.ThreeMonths, time.Now())
		cases := map[string]func() error{}
		for _, by := range deskreports.ReportGroups() {
			for _, months := range []string{deskreports.ThreeMonths, deskreports.TwelveMonths} {
				cases["by "+string(by)+", "+months] = func() error {
					_, err := reports.Read(context.Background(), deskreports.ReportFilter{Period: months, By: by})
					return err
				}
			}
		}
		cases["scorecard"] = func() error {
			_, err := reports.Read(context.Background(), deskreports.ReportFilter{WithDays: true})
			return err
		}
		starter := companyOriginator(3)
		cases["scorecard of one originator"] = func() error {
			_, err := reports.Read(context.Background(), deskreports.ReportFilter{WithDays: true, Originator: &starter})
			return err
		}
		cases["time in step by originator"] = func() error {
			_, err := reports.Read(context.Background(),
				deskreports.ReportFilter{By: deskreports.GroupOriginator, GroupSteps: deskreports.OneStep})
			return err
		}
		for name, f := range map[string]lead.CohortFilter{"all": {},
			"fallout": {Reached: lead.ReachedApplication, Outcomes: lead.FalloutOutcomes()},
			"none":    {Outcomes: []lead.Outcome{"none"}}, "left": {Left: heloc.StepPayoff},
			"started by": {StartedBy: &starter}, "moved": {Moved: true}} {
			f.From, f.To = period.From, period.To
			cases["list "+name] = func() error {
				_, err := pipeline.ListPage(context.Background(),
					deskpipeline.ListRequest{Query: lead.Query{Cohort: f, Sort: lead.SortStarted}})
				return err
			}
		}
		for name, f := range cases {
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
