package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// listReads is everything that the store may answer from its cache about a scope.
type listReads struct {
	Pages  []store.LeadPage
	Counts []int
	Lanes  map[heloc.Lane]int
	Moves  [2]lead.MoveCounts // of the scope, and of one originator
	Dates  []lead.Date
	Since  []lead.StatusCount
	Notes  int
}

func readLists(ctx context.Context, t *testing.T, s *store.Store, scope access.Scope, now int64) listReads {
	t.Helper()
	var all listReads
	for _, q := range []lead.Query{
		{}, {Lane: heloc.LaneBlocked}, {Sort: lead.SortNewest, Limit: 3}, {State: "CO"}, {StatusKey: heloc.StatusOffers}, {Originator: "o2"}, {Originator: "o2", Lane: heloc.LaneBlocked}, {Unassigned: true}, {Only: lead.OnlyOpen}, {Only: lead.OnlyOverdue, Now: now},
	} {
		page := must(s.Leads(ctx, scope, q))(t)
		page.Leads = slices.Clone(page.Leads)
		for i := range page.Leads {
			page.Leads[i].RefreshedAt = 0 // may be older in the cache
		}
		all.Pages = append(all.Pages, page)
		n := must(s.CountLeads(ctx, scope, q, 50))(t)
		if q.Limit == 0 && n != len(page.Leads) {
			t.Errorf("%+v, %+v: counted %d leads of %d", scope, q, n, len(page.Leads))
		}
		all.Counts = append(all.Counts, n)
	}
	all.Lanes = must(s.LaneCounts(ctx, scope))(t)
	all.Dates = must(s.Dates(ctx, scope, store.DateQuery{From: "2026-11-01", To: "2026-12-31", StaleBefore: "2026-11-10", Limit: 8}))(t)
	all.Since = must(s.StatusCountsSince(ctx, heloc.OriginatorID(scope.OriginatorUUID), noon()))(t)
	all.Notes = must(s.NotesSince(ctx, heloc.OriginatorID(scope.OriginatorUUID), noon(), "reader"))(t)
	all.Moves = [2]lead.MoveCounts{must(s.MoveCounts(ctx, scope, "", now))(t), must(s.MoveCounts(ctx, scope, "o2", now))(t)}
	for i, originator := range []heloc.OriginatorID{"", "o2"} {
		overdue := lead.Query{Only: lead.OnlyOverdue, Originator: originator, Now: now}
		if n := must(s.CountLeads(ctx, scope, overdue, lead.CountLimit))(t); scope.OriginatorUUID == "" && n != all.Moves[i].Overdue {
			t.Errorf("%+v, originator %q: %d overdue leads, want %d", scope, originator, all.Moves[i].Overdue, n)
		}
	}
	return all
}

// cachedListsEqualReads changes leads at random, by every way that changes what lists show, and compares after each
// change what a snapshot reads with what is read without the cache.
func cachedListsEqualReads(t *testing.T, s *store.Store) {
	random := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same leads in every run
	scopes := []access.Scope{{BrokerID: "B1"}, {BrokerID: "B2"}, {OriginatorUUID: "o1"}, {OriginatorUUID: "o2"}, {OriginatorUUID: "o1", Covering: access.CoversOf("o2")}, {OriginatorUUID: "o9"}}
	steps := heloc.Steps()
	change := func(l *lead.Row) {
		l.Originator, l.BrokerID = heloc.OriginatorID([]string{"o1", "o2", ""}[random.IntN(3)]), []string{"B1", "B2"}[random.IntN(2)]
		l.Step, l.State = steps[random.IntN(len(steps))], []string{"CO", "WA"}[random.IntN(2)]
		l.StepSince = store.Millis(noon().Add(-time.Duration(random.IntN(5*24*60)) * time.Minute))
		l.Borrower = []byte{byte(random.IntN(256))}
		l.CreditDate, l.ExpirationDate = heloc.DateOf(noon().AddDate(0, 0, -random.IntN(30))), heloc.DateOf(noon().AddDate(0, 0, random.IntN(30)))
	}
	next := 0
	for range 60 {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if next < 5 || random.IntN(4) == 0 {
				l := leadOf(next, "o1", "B1")
				change(&l)
				next++
				return tx.AddLead(ctx, &l, noon().Add(time.Duration(random.IntN(60))*time.Minute))
			}
			l, err := tx.AnyLead(ctx, appID(random.IntN(next)))
			if err != nil {
				return nil //nolint:nilerr // it was deleted
			}
			switch random.IntN(8) {
			case 0: // another key
				names, err := tx.SealedPage(ctx, store.SealedColumns()[0], store.Sealed{}, 1)
				if err != nil || len(names) == 0 {
					return err
				}
				return tx.ReplaceSealed(ctx, names[0], []byte{byte(random.IntN(256))})
			case 1:
				return tx.UnassignOpenLeads(ctx, "o2", l.Company)
			case 2:
				_, err := tx.DropLeads(ctx, noon().Add(time.Hour), 1)
				return err
			case 3: // a date that no row of a list shows
				l.CreditDate = heloc.DateOf(noon().AddDate(0, 0, -random.IntN(30)))
				return tx.SaveLead(ctx, &l, store.Instant(l.ChangedAt), false)
			case 4: // what happened to it
				return tx.AddEvent(ctx, lead.Event{
					App: l.App, At: store.Millis(noon()) + random.Int64N(100), Kind: []lead.EventKind{lead.EventStep, lead.EventNote, lead.EventFunded}[random.IntN(3)], Originator: l.Originator, ActorID: []string{"reader", "another"}[random.IntN(2)],
				})
			default:
				change(&l)
				return tx.SaveLead(ctx, &l, noon().Add(time.Duration(random.IntN(60))*time.Minute), random.IntN(2) == 0)
			}
		})
		now := store.Millis(noon().Add(time.Duration(random.IntN(4*24*60)-24*60) * time.Minute))
		ctx, end, err := s.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, scope := range scopes {
			want := readLists(t.Context(), t, s, scope, now)
			for _, reading := range []string{"first", "second"} {
				if got := readLists(ctx, t, s, scope, now); !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v, %s reading: got %+v, want %+v", scope, reading, got, want)
				}
			}
			for _, l := range must(s.Leads(t.Context(), scope, lead.Query{Lane: heloc.LaneBlocked}))(t).Leads {
				for now := l.DueSort; now <= l.DueSort+1; now++ { // it is overdue from one millisecond to the next
					for _, originator := range []heloc.OriginatorID{"", l.Originator} {
						if got, want := must(s.MoveCounts(ctx, scope, originator, now))(t), must(s.MoveCounts(t.Context(), scope, originator, now))(t); got != want {
							t.Fatalf("%+v, originator %q at %d: got %+v, want %+v", scope, originator, now, got, want)
						}
					}
				}
			}
		}
		end()
	}
}

// onlyRevisionsEndCachedLists: rows that only a reading without a change has written are read again when another change
// is seen, and a snapshot from before a change does not see it.
func onlyRevisionsEndCachedLists(t *testing.T, s *store.Store) {
	scope := access.Scope{OriginatorUUID: "o1"}
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o2", "B1"))
	save := func(n int, changed bool, change func(l *lead.Row)) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			l, err := tx.AnyLead(ctx, appID(n))
			change(&l)
			return errors.Join(err, tx.SaveLead(ctx, &l, noon(), changed))
		})
	}
	read := func(ctx context.Context) lead.Row {
		t.Helper()
		return must(s.Leads(ctx, scope, lead.Query{}))(t).Leads[0]
	}
	inSnapshot := func() (l lead.Row) {
		t.Helper()
		ctx, end, err := s.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer end()
		return read(ctx)
	}
	before, end, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if got := read(before); got.RefreshedAt != 0 {
		t.Fatalf("got %+v", got)
	}
	save(1, false, func(l *lead.Row) { l.RefreshedAt = 7 })
	if got := inSnapshot(); got.RefreshedAt != 0 {
		t.Error("a reading without a change ended a cached list")
	}
	save(2, true, func(l *lead.Row) { l.City = "Golden" })
	if got := inSnapshot(); got.RefreshedAt != 0 {
		t.Error("a change of another originator's lead ended a cached list")
	}
	save(1, true, func(l *lead.Row) { l.City = "Boise" })
	if got := inSnapshot(); got.City != "Boise" || got.RefreshedAt != 7 {
		t.Errorf("got %q, read at %d, want the changed lead", got.City, got.RefreshedAt)
	}
	if got := read(before); got.City != "" {
		t.Errorf("got %q in a snapshot from before the change", got.City)
	}
	if got := inSnapshot(); got.City != "Boise" {
		t.Errorf("got %q, want the change also after an older snapshot was read", got.City)
	}
}
