package storetest

import (
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// overdueAtEveryDueTime counts at the millisecond in which each lead is due and at the next, in which it is overdue: leads are due
// in each hour of three days, and are counted by days, by hours and one by one.
func overdueAtEveryDueTime(t *testing.T, s *store.Store) {
	random := rand.New(rand.NewPCG(5, 8)) //nolint:gosec // the same leads in every run
	for i := range 72 {
		l := leadOf(i, []string{"o1", "o2"}[i%2], []string{"B1", "B2"}[i/2%2])
		l.Step = []heloc.Step{heloc.StepCreditMatch, heloc.StepOffersAvailable, heloc.StepClosed}[i%3]
		l.StepSince = store.Millis(noon().Add(time.Duration(i) * time.Hour).Add(time.Duration(random.IntN(3600)) * time.Second))
		add(t, s, l)
	}
	leads := map[string][]lead.Row{}
	for _, company := range []string{"B1", "B2"} {
		leads[company] = readAllPages(t, s, access.Scope{BrokerID: company}, lead.Query{}, func() {})
	}
	for company, all := range leads {
		for _, l := range all {
			for now := l.DueSort; now <= l.DueSort+1; now++ {
				got := map[store.TeamCount]bool{}
				for _, c := range must(s.TeamCounts(t.Context(), company, now))(t) {
					got[c] = true
				}
				if want := countsOf(all, now); !maps.Equal(got, want) {
					t.Fatalf("%s at %d: got %v, want %v", company, now, got, want)
				}
				wantOverdue(t, s, now, overdueOf(all, l.Originator, now), access.Scope{BrokerID: company}, l.Originator)
				wantOverdue(t, s, now, overdueOf(all, "", now), access.Scope{BrokerID: company}, "")
				own := overdueOf(leads["B1"], l.Originator, now) + overdueOf(leads["B2"], l.Originator, now)
				wantOverdue(t, s, now, own, access.Scope{OriginatorUUID: string(l.Originator)}, "")
			}
		}
	}
}

// overdueOf counts the overdue leads of an originator, or of all, one by one.
func overdueOf(leads []lead.Row, originator heloc.OriginatorID, now int64) (n int) {
	for _, l := range leads {
		if (originator == "" || l.Originator == originator) && l.Mover == heloc.MoverYou && l.DueSort < now {
			n++
		}
	}
	return n
}

func wantOverdue(t *testing.T, s *store.Store, now int64, want int, scope access.Scope, originator heloc.OriginatorID) {
	t.Helper()
	if got := must(s.Overdue(t.Context(), scope, originator, now))(t); got != want {
		t.Fatalf("%+v, originator %q at %d: got %d overdue leads, want %d", scope, originator, now, got, want)
	}
}
