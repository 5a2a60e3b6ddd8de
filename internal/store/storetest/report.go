package storetest

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

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
			{From: "2026-10", To: "2026-10"},
		} {
			q.Company, q.By, q.From, q.To = "B1", by, cmp.Or(q.From, "2026-09"), cmp.Or(q.To, "2026-11")
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
		l, month := one.lead, string(one.lead.StartedOn[:7])
		if l.Company != q.Company || month < q.From || month > q.To || q.Originator != nil && l.Originator != *q.Originator ||
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
