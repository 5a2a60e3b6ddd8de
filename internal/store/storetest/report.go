package storetest

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// stay is how long one lead was at one step.
type stay struct {
	lead lead.Row
	step heloc.Step
	ms   int64
}

// stayTimesExact compares the time at each step with the percentiles of a sorted list, by every group and filter.
func stayTimesExact(t *testing.T, s *store.Store) {
	random := rand.New(rand.NewPCG(4, 9)) //nolint:gosec // the same leads in every run
	all := addStays(t, s, random, 60)
	one := heloc.OriginatorID("o1")
	nobody, state, source := heloc.OriginatorID(""), "CO", lead.SourceCRM
	for _, by := range []store.ReportGroup{"", store.GroupOriginator, store.GroupMonth, store.GroupState,
		store.GroupSource} {
		for _, q := range []store.ReportQuery{
			{}, {Originator: &one}, {Originator: &nobody}, {State: &state}, {Source: &source}, {Step: heloc.StepPayoff},
			{From: "2026-10-15", To: "2026-10-15"}, {From: "2026-10-01", To: "2026-10-14"},
		} {
			q.Company, q.By, q.From, q.To = "B1", by, cmp.Or(q.From, "2026-09-01"), cmp.Or(q.To, "2026-11-30")
			got, err := s.Stayed(t.Context(), q)
			if want := sortedStays(all, q); err != nil || !slices.Equal(got, want) {
				t.Errorf("by %q, %+v: got %v, %v, want %v", by, q, got, err, want)
			}
		}
	}
}

// addStays adds n leads of two companies that left some steps, a few of them twice.
func addStays(t *testing.T, s *store.Store, random *rand.Rand, n int) (all []stay) {
	t.Helper()
	for i := range n {
		l := leadOf(i, []string{"o1", "o2", ""}[random.IntN(3)], []string{"B1", "B1", "B2"}[random.IntN(3)])
		l.State, l.Source = []string{"CO", "ID"}[random.IntN(2)],
			[]lead.Source{lead.SourcePortal, lead.SourceCRM}[random.IntN(2)]
		started := time.Date(2026, time.Month(8+random.IntN(4)), 15, 12, 0, 0, 0, time.UTC)
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.AddLead(ctx, &l, started); err != nil {
				return err
			}
			for _, step := range []heloc.Step{heloc.StepPayoff, heloc.StepLienMatching, heloc.StepCreditMatch}[:random.IntN(4)] {
				one := stay{l, step, 0}
				for range 1 + random.IntN(2) {
					ms := 1 + random.Int64N(90*24*time.Hour.Milliseconds())
					one.ms += ms
					if err := tx.AddEvent(ctx, lead.Event{
						App: l.App, At: store.Millis(started), Kind: lead.EventStep, StepBefore: step, StepAfter: heloc.StepClosed,
						Company: l.Company, StayedMillis: ms,
					}); err != nil {
						return err
					}
				}
				all = append(all, one)
			}
			return nil
		})
	}
	return all
}

// sortedStays computes what a query has to return.
func sortedStays(all []stay, q store.ReportQuery) (want []store.StepStays) {
	type key struct {
		group string
		step  heloc.Step
	}
	grouped := map[key][]int64{}
	for _, one := range all {
		l, month, day := one.lead, string(one.lead.StartedOn[:7]), string(one.lead.StartedOn)
		if l.Company != q.Company || day < q.From || day > q.To || q.Originator != nil && l.Originator != *q.Originator ||
			q.State != nil && l.State != *q.State || q.Source != nil && l.Source != *q.Source ||
			q.Step != "" && one.step != q.Step {
			continue
		}
		group := map[store.ReportGroup]string{
			store.GroupOriginator: string(l.Originator), store.GroupMonth: month, store.GroupState: l.State,
			store.GroupSource: string(l.Source),
		}[q.By]
		grouped[key{group, one.step}] = append(grouped[key{group, one.step}], one.ms)
	}
	for k, stays := range grouped {
		slices.Sort(stays)
		want = append(want, store.StepStays{GroupKey: k.group, Step: k.step, Leads: len(stays),
			Median: percentile(stays, 0.5), Most: percentile(stays, 0.9)})
	}
	slices.SortFunc(want, func(a, b store.StepStays) int {
		return cmp.Or(cmp.Compare(a.GroupKey, b.GroupKey), cmp.Compare(a.Step, b.Step))
	})
	return want
}

// percentile is what PERCENTILE.INC returns in a spreadsheet, to a hundredth of a millisecond.
func percentile(sorted []int64, share float64) time.Duration {
	place := share * float64(len(sorted)-1)
	low := int(math.Floor(place + 1e-9))
	ms := float64(sorted[low])
	if low+1 < len(sorted) {
		ms += (place - float64(low)) * float64(sorted[low+1]-sorted[low])
	}
	return time.Duration(math.Round(ms*100)) * time.Millisecond / 100
}

// credited is a lead with who started it, and how long it took to the stages.
type credited struct {
	lead    lead.Row
	starter heloc.OriginatorID
	took    map[lead.Reach]int64
}

// addCredited adds n leads of two companies: started here, added by application id, or of unknown origin. Some were
// reassigned, and some reached stages more than once.
func addCredited(t *testing.T, s *store.Store, random *rand.Rand, n int) (all []credited) {
	t.Helper()
	people := []heloc.OriginatorID{"o1", "o2", "o3"}
	for i := range n {
		one := credited{lead: leadOf(i, string(people[random.IntN(3)]), []string{"B1", "B1", "B2"}[random.IntN(3)]),
			took: map[lead.Reach]int64{}}
		started := time.Date(2026, time.Month(8+random.IntN(4)), 1+random.IntN(28), 12, 0, 0, 0, time.UTC)
		l, first := &one.lead, people[random.IntN(3)]
		l.Step, l.MaxAmount, l.RequestedAmount = heloc.StepOffersAvailable, heloc.Dollars(random.Int64N(3)), heloc.Dollars(
			random.Int64N(4))
		if random.IntN(2) == 0 {
			l.Converted, l.Funded, l.SelectedAmount = true, random.IntN(2) == 0, heloc.Dollars(random.Int64N(3))
			if l.Funded && random.IntN(6) > 0 {
				l.FundedDate = heloc.DateOf(started.AddDate(0, 0, random.IntN(60)))
			}
		}
		var events []lead.Event
		here := i%3 == 0
		switch i % 3 {
		case 0, 1:
			one.starter = first
			events = append(events, lead.Event{Kind: lead.EventStarted, Originator: first},
				lead.Event{Kind: lead.EventReassigned, Originator: l.Originator})
			if !here {
				events[0].Kind = lead.EventAdopted
			}
		case 2:
			events = append(events, lead.Event{Kind: lead.EventReassigned, Originator: l.Originator})
		}
		for _, stage := range []struct {
			reach lead.Reach
			kind  lead.EventKind
			step  heloc.Step
		}{{lead.ReachedOffers, lead.EventStep, heloc.StepOffersAvailable},
			{lead.ReachedSelected, lead.EventStep, heloc.StepBrokerDocSigning}, {lead.ReachedFunded, lead.EventFunded, ""}} {
			took := random.Int64N(9_000_000)
			for again := range random.Int64N(3) {
				events = append(events, lead.Event{Kind: stage.kind, StepAfter: stage.step, At: took + 1000*again})
				if here && (stage.kind != lead.EventFunded || l.Funded) {
					one.took[stage.reach] = took
				}
			}
		}
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.AddLead(ctx, l, started); err != nil {
				return err
			}
			if here {
				op := operationOf(1000+i, lead.OpSucceeded)
				op.App, op.Originator, op.CreatedAt = l.App, first, store.Millis(started)
				if err := tx.AddOperation(ctx, op); err != nil {
					return err
				}
			}
			for _, e := range events {
				e.App, e.At = l.App, e.At+store.Millis(started)
				if err := tx.AddEvent(ctx, e); err != nil {
					return err
				}
			}
			return nil
		})
		all = append(all, one)
	}
	return all
}

// reportCredit compares what counts for who started leads and for who holds them, amounts and days included, with the
// same computed from the leads, and with the lists of the same leads.
func reportCredit(t *testing.T, s *store.Store) {
	random := rand.New(rand.NewPCG(6, 2)) //nolint:gosec // the same leads in every run
	all := addCredited(t, s, random, 60)
	o1, nobody := heloc.OriginatorID("o1"), heloc.OriginatorID("")
	for _, meant := range []struct {
		credit store.Credit
		funded bool
	}{{store.CreditStarted, false}, {store.CreditHeld, false}, {store.CreditStarted, true}, {store.CreditHeld, true}} {
		credit := meant.credit
		var queries []store.ReportQuery
		for _, originator := range []*heloc.OriginatorID{nil, &o1, &nobody} {
			for _, by := range []store.ReportGroup{"", store.GroupOriginator, store.GroupMonth} {
				queries = append(queries,
					store.ReportQuery{Company: "B1", From: "2026-09-03", To: "2026-11-20", Credit: credit, Funded: meant.funded,
						Originator: originator, By: by},
					store.ReportQuery{Company: "B1", From: "2026-08-10", To: "2026-09-02", Credit: credit, Funded: meant.funded,
						Originator: originator, By: by})
			}
		}
		cohorts := must(s.Cohorts(t.Context(), queries...))(t)
		days := must(s.DaysTo(t.Context(), queries...))(t)
		for i, q := range queries {
			want, times := map[string]store.Cohort{}, map[string][]int64{}
			for _, c := range all {
				group, day, whom := "", string(c.lead.StartedOn), c.starter
				if credit == store.CreditHeld {
					whom = c.lead.Originator
				}
				if meant.funded {
					day = string(c.lead.FundedDate)
				}
				if c.lead.Company != "B1" || day < q.From || day > q.To || q.Originator != nil && whom != *q.Originator {
					continue
				}
				switch q.By {
				case store.GroupOriginator:
					group = string(whom)
				case store.GroupMonth:
					group = day[:7]
				}
				g, one := want[group], cohortOf(c)
				if q.From != queries[0].From {
					one.Moved = 0
				}
				g.Add(one)
				want[group] = g
				for reach, took := range c.took {
					times[group+" "+string(reach)] = append(times[group+" "+string(reach)], took)
				}
			}
			if len(cohorts[i]) != len(want) {
				t.Errorf("%+v: got %d groups, want %d", q, len(cohorts[i]), len(want))
			}
			for _, got := range cohorts[i] {
				group := got.GroupKey
				if got.GroupKey = ""; got != want[group] {
					t.Errorf("%+v, %q: got %+v, want %+v", q, group, got, want[group])
				}
			}
			if len(days[i]) != len(times) {
				t.Errorf("%+v: got %d medians, want %d", q, len(days[i]), len(times))
			}
			for _, got := range days[i] {
				sorted := times[got.GroupKey+" "+string(got.Reached)]
				slices.Sort(sorted)
				if len(sorted) != got.Leads || percentile(sorted, 0.5) != got.Median {
					t.Errorf("%+v: got %+v, want the median of %v", q, got, sorted)
				}
			}
			if q.By == "" {
				list := lead.Query{Cohort: lead.CohortFilter{From: q.From, To: q.To, Funded: q.Funded,
					StartedBy: q.Originator}}
				if credit == store.CreditHeld {
					list.Cohort.StartedBy = nil
					if q.Originator != nil {
						list.Originator, list.Unassigned = *q.Originator, *q.Originator == ""
					}
				}
				scope := access.Scope{BrokerID: "B1"}
				got := must(s.CountLeads(t.Context(), scope, list, 1000))(t)
				list.Cohort.Moved = true
				moved := must(s.CountLeads(t.Context(), scope, list, 1000))(t)
				if got != want[""].Inquiries || q.From == queries[0].From && moved != want[""].Moved {
					t.Errorf("%+v: the lists have %d leads, %d of them moved, want %+v", q, got, moved, want[""])
				}
			}
		}
	}
}

// cohortOf counts one open or funded lead.
func cohortOf(c credited) store.Cohort {
	l := c.lead
	g := store.Cohort{Inquiries: 1, Offers: 1, RequestedTotal: l.RequestedAmount, OfferedTotal: l.MaxAmount}
	with := func(amount heloc.Money) int {
		if amount > 0 {
			return 1
		}
		return 0
	}
	g.WithRequested, g.WithOffered = with(g.RequestedTotal), with(g.OfferedTotal)
	if c.starter != "" && c.starter != l.Originator {
		g.Moved = 1
	}
	if l.Reached >= lead.StageSelected {
		g.Selected, g.SelectedTotal, g.WithSelected = 1, l.SelectedAmount, with(l.SelectedAmount)
	}
	if l.Reached >= lead.StageApplication {
		g.Applications = 1
	}
	if l.Reached >= lead.StageFunded {
		g.Funded, g.FundedTotal, g.WithFunded = 1, l.SelectedAmount, with(l.SelectedAmount)
	}
	return g
}
