package storetest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// countsOf counts leads of a company by originator and lane, one by one.
func countsOf(leads []lead.Row) map[store.TeamCount]bool {
	type cell struct {
		originator heloc.OriginatorID
		lane       heloc.Lane
	}
	counts := map[cell]store.TeamCount{}
	for _, l := range leads {
		c := counts[cell{l.Originator, l.Lane}]
		c.Originator, c.Lane, c.Leads = l.Originator, l.Lane, c.Leads+1
		counts[cell{l.Originator, l.Lane}] = c
	}
	all := map[store.TeamCount]bool{}
	for _, c := range counts {
		all[c] = true
	}
	return all
}

// listCountsEqualLeads compares the counts of a scope's tabs with its leads, read one by one.
func listCountsEqualLeads(t *testing.T, s *store.Store, when string, scope access.Scope, now int64) {
	t.Helper()
	want, moves := map[heloc.Lane]int{}, lead.MoveCounts{}
	for _, lane := range heloc.Lanes() {
		want[lane] = 0
	}
	for _, l := range readAllPages(t, s, scope, lead.Query{}, func() {}) {
		want[l.Lane]++
		if l.YourMove() {
			moves.Today++
		}
		if l.Overdue(now) {
			moves.Overdue++
		}
	}
	if got := must(s.ListCounts(t.Context(), store.TodayScope{Scope: scope}, 0))(t).Lanes; !maps.Equal(got, want) {
		t.Errorf("%s, %+v: got %v, want %v", when, scope, got, want)
	}
	if got := must(s.ListCounts(t.Context(), store.TodayScope{Scope: scope}, now))(t).MoveCounts; got != moves {
		t.Errorf("%s, %+v at %d: got %+v, want %+v", when, scope, now, got, moves)
	}
	today := readAllPages(t, s, scope, lead.Query{YourMove: true}, func() {})
	if len(today) != moves.Today || slices.ContainsFunc(today, func(l lead.Row) bool { return !l.YourMove() }) {
		t.Errorf("%s, %+v: Today has %d leads, want the %d whose move is the originator's",
			when, scope, len(today), moves.Today)
	}
	for originator, got := range movesByOriginator(t, s, scope, now) {
		if want := movesOf(today, originator, now); got != want {
			t.Errorf("%s, %+v at %d: got %+v for %q, want %+v", when, scope, now, got, originator, want)
		}
	}
}

// movesByOriginator counts the moves of a company by originator; empty for an originator's scope.
func movesByOriginator(t *testing.T, s *store.Store, scope access.Scope,
	now int64) map[heloc.OriginatorID]lead.MoveCounts {
	t.Helper()
	if scope.BrokerID == "" {
		return nil
	}
	moves := map[heloc.OriginatorID]lead.MoveCounts{}
	for _, c := range must(s.TeamCounts(t.Context(), scope.BrokerID, now))(t) {
		m := moves[c.Originator]
		moves[c.Originator] = lead.MoveCounts{Today: m.Today + c.Today, Overdue: m.Overdue + c.Overdue}
	}
	return moves
}

// movesOf counts the leads of an originator in a list of Today one by one.
func movesOf(today []lead.Row, originator heloc.OriginatorID, now int64) (n lead.MoveCounts) {
	for _, l := range today {
		if l.Originator != originator {
			continue
		}
		if n.Today++; l.Overdue(now) {
			n.Overdue++
		}
	}
	return n
}

// leftBehind counts the open ones of some leads that somebody had who no longer has them, by former originator.
func leftBehind(t *testing.T, s *store.Store, leads []lead.Row) map[heloc.OriginatorID]int {
	t.Helper()
	var open []heloc.AppID
	for _, l := range leads {
		if l.Lane != heloc.LaneEnded {
			open = append(open, l.App)
		}
	}
	left := map[heloc.OriginatorID]int{}
	for _, originator := range must(s.FormerOriginators(t.Context(), open))(t) {
		left[originator]++
	}
	return left
}

func teamCountsEqualLeads(t *testing.T, s *store.Store) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same leads in every run
	steps := heloc.Steps()
	change := func(l *lead.Row) {
		l.Originator, l.Company = heloc.OriginatorID([]string{"o1", "o2", "o3", ""}[random.IntN(4)]),
			[]string{"B1", "B2"}[random.IntN(2)]
		l.Step = steps[random.IntN(len(steps))]
		l.StepSince = store.Millis(noon().Add(-time.Duration(random.IntN(5*24*60)) * time.Minute))
		switch random.IntN(5) {
		case 0:
			l.StepSince = store.Millis(noon().Add(-time.Duration(random.IntN(900*24)) * time.Hour))
		case 1:
			l.StepSince = store.Millis(noon().Add(time.Duration(random.IntN(90*24)) * time.Hour))
		}
		// kept while the lead has no originator
		l.FormerOriginator = heloc.OriginatorID([]string{"o1", "o4", ""}[random.IntN(3)])
	}
	for i := range 120 {
		l := leadOf(i, "o1", "B1")
		change(&l)
		add(t, s, l)
	}
	check := func(when string) {
		t.Helper()
		for _, scope := range []access.Scope{{BrokerID: "B1"}, {BrokerID: "B2"}, {OriginatorUUID: "o1"},
			{OriginatorUUID: "o2"}, {OriginatorUUID: "o9"}} {
			for _, ago := range []time.Duration{0, 7 * time.Hour, 30 * time.Hour, -9 * time.Hour} {
				listCountsEqualLeads(t, s, when, scope, store.Millis(noon().Add(-ago)))
			}
		}
		for _, company := range []string{"B1", "B2"} {
			leads := readAllPages(t, s, access.Scope{BrokerID: company}, lead.Query{}, func() {})
			got := map[store.TeamCount]bool{}
			unassigned := 0
			departed := map[heloc.OriginatorID]int{}
			for _, work := range must(s.DepartedLeadCounts(t.Context(), company))(t) {
				departed[work.Originator] = work.Count
			}
			open := must(s.OpenCounts(t.Context(), company))(t)
			for _, l := range leads {
				if l.Lane != heloc.LaneEnded {
					open[l.Originator]--
				}
			}
			if want := leftBehind(t, s, leads); !maps.Equal(departed, want) {
				t.Errorf("%s, %s: departed originators left %v leads by the counts, want %v", when, company, departed, want)
			}
			for originator, n := range open {
				if n != 0 {
					t.Errorf("%s, %s: %q has %d more open leads by the count than in the list", when, company, originator, n)
				}
			}
			for _, c := range must(s.TeamCounts(t.Context(), company, store.Millis(noon())))(t) {
				got[store.TeamCount{Originator: c.Originator, Lane: c.Lane, Leads: c.Leads}] = true
				if c.Originator == "" && c.Lane != heloc.LaneEnded {
					unassigned += c.Leads
				}
			}
			if want := countsOf(leads); !maps.Equal(got, want) {
				t.Errorf("%s, %s: got %v, want %v", when, company, got, want)
			}
			if n := must(s.CountUnassigned(t.Context(), company))(t); n != unassigned {
				t.Errorf("%s, %s: got %d unassigned leads, want %d", when, company, n, unassigned)
			}
		}
	}
	check("added")
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i := range 90 {
			l, err := tx.AnyLead(ctx, appID(i))
			if err != nil {
				return err
			}
			change(&l)
			if err := tx.SaveLead(ctx, &l, noon().Add(time.Minute), true); err != nil {
				return err
			}
		}
		return nil
	})
	check("changed")
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		dropped, err := tx.DropLeads(ctx, noon().Add(time.Hour), 5)
		if len(dropped) != 5 {
			t.Errorf("got %d deleted leads, want 5", len(dropped))
		}
		return err
	})
	check("deleted")
}

func firstDueLeads(t *testing.T, s *store.Store) {
	since := func(l lead.Row, step heloc.Step, ago time.Duration) lead.Row {
		l.Step, l.StepSince = step, store.Millis(noon().Add(-ago))
		return l
	}
	add(t, s,
		since(leadOf(1, "o1", "B1"), heloc.StepLienMatching, 5*time.Hour),
		since(leadOf(2, "o1", "B1"), heloc.StepOffersAvailable, 40*time.Hour),
		since(leadOf(3, "o1", "B1"), heloc.StepClosed, 90*time.Hour),
		since(leadOf(4, "o2", "B1"), heloc.StepUnknown, time.Hour),
		since(leadOf(5, "", "B1"), heloc.StepCreditMatch, 2*time.Hour),
		since(leadOf(6, "", "B2"), heloc.StepCreditMatch, 9*time.Hour),
		since(leadOf(7, "", "B3"), heloc.StepUnknown, 9*time.Hour),
	)
	for company, want := range map[string]map[heloc.OriginatorID]heloc.AppID{"B1": {"o1": appID(2), "": appID(5)},
		"B2": {"": appID(6)}, "B3": {}} {
		got := map[heloc.OriginatorID]heloc.AppID{}
		for who, l := range must(s.FirstDue(t.Context(), company, must(s.TeamCounts(t.Context(), company, 0))(t)))(t) {
			got[who] = l.App
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", company, got, want)
		}
	}
}

func unassignedOpen(t *testing.T, s *store.Store) {
	ended := leadOf(1, "", "B1")
	ended.Step = heloc.StepClosed
	add(t, s, ended, leadOf(2, "", "B1"), leadOf(3, "o1", "B1"), leadOf(4, "", "B2"))
	page := must(s.UnassignedLeads(t.Context(), access.Scope{BrokerID: "B1"}, ""))(t)
	if n := must(s.CountUnassigned(t.Context(), "B1"))(t); n != 1 || len(page.Leads) != 1 ||
		page.Leads[0].App != appID(2) {
		t.Errorf("got %d in the queue and a count of %d, want the one open lead", len(page.Leads), n)
	}
}

// licensedStates lists only states in which an originator may work, in their own scope.
func licensedStates(t *testing.T, s *store.Store) {
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, id := range []heloc.OriginatorID{"o1", "o2"} {
			if err := tx.SaveOriginator(ctx, heloc.Originator{ID: id, LastName: string(id), Organization: "org",
				Broker: &heloc.BrokerCompany{ID: "B1"}}, noon()); err != nil {
				return err
			}
		}
		for _, l := range []lead.License{{State: "WA", Allowed: true, ExpiresOn: "2026-06-30"},
			{State: "CO", Allowed: true, ExpiresOn: "2026-07-01"}, {State: "TX", ExpiresOn: "2026-01-01"}} {
			l.Holder = "o1"
			if err := tx.SaveLicense(ctx, l); err != nil {
				return err
			}
		}
		return nil
	})
	scope := access.Scope{BrokerID: "B1", Organization: "org"}
	got := map[heloc.OriginatorID]string{}
	for _, o := range must(s.LicensedOriginators(t.Context(), scope, "2026-06-30"))(t) {
		got[o.UUID] = fmt.Sprintf("%s, %d to renew", o.States, o.Renew)
	}
	if want := (map[heloc.OriginatorID]string{"o1": "CO,WA, 1 to renew", "o2": ", 0 to renew"}); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
