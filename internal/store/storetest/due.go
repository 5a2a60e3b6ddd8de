package storetest

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// overdueAtEveryDueTime counts at the millisecond in which each lead is due and at the next, in which it is overdue:
// leads are due in each hour of a day, and at the instants between which days, hours and single leads are counted.
func overdueAtEveryDueTime(t *testing.T, s *store.Store) {
	random := rand.New(rand.NewPCG(5, 8)) //nolint:gosec // the same leads in every run
	midnight := noon().Truncate(24 * time.Hour)
	var due []time.Time
	for hour := range 24 {
		due = append(due, midnight.Add(time.Duration(hour)*time.Hour+time.Duration(random.IntN(3600))*time.Second))
	}
	for _, minutes := range []int{0, 30, 60, 11*60 + 30, 12 * 60, 12*60 + 30, 23*60 + 30, 24 * 60, 48 * 60} {
		at := midnight.Add(time.Duration(minutes) * time.Minute)
		due = append(due, at.Add(-time.Millisecond), at, at.Add(time.Millisecond))
	}
	for i, at := range due {
		l := leadOf(i, []string{"o1", "o2", ""}[random.IntN(3)], []string{"B1", "B2"}[random.IntN(2)])
		if l.Step = heloc.StepOffersAvailable; i%2 == 0 {
			l.Step = heloc.StepCreditMatch
		}
		l.StepSince = store.Millis(midnight)
		l.UpdateStatus(midnight)
		l.StepSince += store.Millis(at) - l.DueSort // so that it is due then
		if l.UpdateStatus(midnight); l.DueSort != store.Millis(at) {
			t.Fatalf("a lead is due at %d, want %d", l.DueSort, store.Millis(at))
		}
		add(t, s, l)
	}
	all := map[string][]lead.Row{}
	for _, company := range []string{"B1", "B2"} {
		all[company] = readAllPages(t, s, access.Scope{BrokerID: company}, lead.Query{}, func() {})
	}
	for _, at := range due {
		for now := store.Millis(at); now <= store.Millis(at)+1; now++ {
			wantOverdueOfAll(t, s, all, now)
		}
	}
}

// wantOverdueOfAll compares every count of overdue leads with the leads.
func wantOverdueOfAll(t *testing.T, s *store.Store, all map[string][]lead.Row, now int64) {
	t.Helper()
	overdueOf := func(originators ...heloc.OriginatorID) (n int) {
		for company := range all {
			n += countOverdue(all[company], now, originators...)
		}
		return n
	}
	for company, leads := range all {
		for originator, got := range movesByOriginator(t, s, access.Scope{BrokerID: company}, now) {
			if want := countOverdue(leads, now, originator); got.Overdue != want {
				t.Fatalf("%s at %d: %q has %d overdue leads, want %d", company, now, originator, got.Overdue, want)
			}
		}
		wantOverdue(t, s, now, countOverdue(leads, now, "o1", "o2", ""), access.Scope{BrokerID: company}, "")
		for _, originator := range []heloc.OriginatorID{"o1", "o2"} {
			wantOverdue(t, s, now, countOverdue(leads, now, originator), access.Scope{BrokerID: company}, originator)
		}
	}
	wantOverdue(t, s, now, overdueOf("o1"), access.Scope{OriginatorUUID: "o1"}, "")
	wantOverdue(t, s, now, overdueOf("o1"), access.Scope{OriginatorUUID: "o1"}, "o1")
	wantOverdue(t, s, now, 0, access.Scope{OriginatorUUID: "o1"}, "o2")
	wantOverdue(t, s, now, overdueOf("o1", "o2"), access.Scope{OriginatorUUID: "o1", Covering: access.CoversOf("o2")}, "")
}

// countOverdue counts the overdue leads of some originators one by one.
func countOverdue(leads []lead.Row, now int64, originators ...heloc.OriginatorID) (n int) {
	for _, l := range leads {
		if slices.Contains(originators, l.Originator) && l.Overdue(now) {
			n++
		}
	}
	return n
}

func wantOverdue(t *testing.T, s *store.Store, now int64, want int, scope access.Scope, originator heloc.OriginatorID) {
	t.Helper()
	in := store.TodayScope{Scope: scope, Originator: originator}
	if got := must(s.ListCounts(t.Context(), in, now))(t).Overdue; got != want {
		t.Fatalf("%+v, originator %q at %d: got %d overdue leads, want %d", scope, originator, now, got, want)
	}
}
