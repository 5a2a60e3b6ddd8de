package storetest

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func notesSince(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	for i, n := range []lead.Note{
		{ID: "a", App: appID(1), ActorID: "olivia", ActorName: "Olivia", Sealed: []byte("x"), At: 5},
		{ID: "c", App: appID(1), ActorID: "olivia", Contact: "call", Sealed: []byte("y"), At: 7},
		{ID: "b", App: appID(1), ActorID: "olivia", Sealed: []byte("z"), At: 7, FromApp: appID(2), FromShortID: "1-2"},
		{ID: "d", App: appID(2), ActorID: "olivia", Sealed: []byte("other"), At: 9},
	} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddNote(ctx, n) })
		if got := must(s.Notes(t.Context(), appID(1), 10))(t); len(got) != min(i+1, 3) {
			t.Errorf("after %s: got %d notes", n.ID, len(got))
		}
	}
	got := must(s.Notes(t.Context(), appID(1), 2))(t)
	if len(got) != 2 || got[0].ID != "c" || got[1].ID != "b" || got[1].FromApp != appID(2) ||
		got[1].FromShortID != "1-2" || got[0].Contact != "call" {
		t.Errorf("got %+v", got)
	}
}

func followUpsDone(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for id, due := range map[string]int64{"late": 9, "soon": 3} {
			if err := tx.AddFollowUp(ctx, lead.FollowUp{ID: id, App: appID(1), ActorID: "olivia", ActorName: "Olivia",
				DueAt: due, CreatedAt: 1}); err != nil {
				return err
			}
		}
		return nil
	})
	if got := must(s.FollowUps(t.Context(), appID(1)))(t); len(got) != 2 || got[0].ID != "soon" {
		t.Errorf("got %+v, want the earliest first", got)
	}
	done := func(id string, app int, want bool) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if ended, err := tx.CompleteFollowUp(ctx, lead.FollowUp{ID: id, App: appID(app), DoneBy: "maya"},
				noon()); err != nil || ended != want {
				t.Errorf("%s of lead %d: got %v, %v, want %v", id, app, ended, err, want)
			}
			return nil
		})
	}
	done("soon", 2, false) // of another lead
	done("soon", 1, true)
	done("soon", 1, false) // twice
	if got := must(s.FollowUps(t.Context(), appID(1)))(t); len(got) != 1 || got[0].ID != "late" {
		t.Errorf("got %+v, want only the remaining one", got)
	}
}

func planOf(id string, n int, due time.Time) lead.Repull {
	return lead.Repull{
		ID: id, App: appID(n), UserID: "olivia", Originator: "o1", Method: "link", TextVersion: "v1", LiftedAt: 1,
		DueAt: store.Millis(due), CreatedAt: store.Millis(noon()), State: lead.RepullWaiting, Bureaus: "EXPERIAN",
		ConsentBy: "olivia", ConsentFor: "o1",
	}
}

func planRepull(t *testing.T, s *store.Store, r lead.Repull) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.PlanRepull(ctx, r) })
}

func usageLimits(t *testing.T, s *store.Store) {
	mine, others := store.Usage{Subject: "B1", Kind: "exports"}, []store.Usage{{Subject: "B2", Kind: "exports"},
		{Subject: "B1", Kind: "reveals"}, {Subject: "user:B1", Kind: "exports"}}
	use := func(at time.Time) {
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddUse(ctx, mine, at) })
	}
	until := func(u store.Usage, limit int, at time.Time) time.Time {
		t.Helper()
		return must(s.UsedUpUntil(t.Context(), u, limit, at))(t)
	}
	use(noon())
	use(noon().Add(time.Minute))
	use(noon().Add(30 * time.Minute))
	at := noon().Add(31 * time.Minute)
	for limit, want := range map[int]time.Time{4: {}, 3: noon().Add(time.Hour), 2: noon().Add(time.Hour),
		1: noon().Add(90 * time.Minute)} {
		if got := until(mine, limit, at); !got.Equal(want) {
			t.Errorf("a limit of %d: used up until %v, want %v", limit, got, want)
		}
	}
	for _, u := range others {
		if got := until(u, 1, at); !got.IsZero() {
			t.Errorf("%v: used up until %v by another", u, got)
		}
	}
	if got := until(mine, 2, noon().Add(time.Hour)); !got.IsZero() {
		t.Errorf("an hour later: used up until %v", got)
	}
	if got := until(mine, 1, noon().Add(-time.Hour)); !got.IsZero() {
		t.Errorf("after the clock was set back: used up until %v", got)
	}
	for i, want := range []bool{true, false} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if known, err := tx.RefusedUse(ctx, mine, at); err != nil || known == want {
				t.Errorf("refusal %d: got recorded %v, %v", i, known, err)
			}
			first, err := tx.SaveRefusedUse(ctx, mine, at)
			if first != want {
				t.Errorf("refusal %d: got first %v, want %v", i, first, want)
			}
			return err
		})
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropUses(ctx, noon().Add(10*time.Minute)) })
	if got := until(mine, 1, at); !got.Equal(noon().Add(90 * time.Minute)) {
		t.Errorf("after the first was deleted: used up until %v", got)
	}
	if got := until(mine, 2, at); !got.IsZero() {
		t.Errorf("deleted uses still count: until %v", got)
	}
}

func repullsTakeTurnsByCompany(t *testing.T, s *store.Store) {
	for i := range 4 {
		add(t, s, leadOf(i+1, "o1", "B1"))
		planRepull(t, s, planOf("a"+strconv.Itoa(i), i+1, noon().Add(time.Duration(i-10)*time.Minute)))
	}
	add(t, s, leadOf(9, "o2", "B2"))
	planRepull(t, s, planOf("b", 9, noon()))
	var got []string
	for _, r := range must(s.RepullsDue(t.Context(), noon(), noon(), 3))(t) {
		got = append(got, r.ID)
	}
	if want := []string{"a0", "b", "a1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v: the first of each company", got, want)
	}
}

func onePlanPerLead(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	planRepull(t, s, planOf("a", 1, noon()))
	planRepull(t, s, planOf("b", 1, noon().Add(time.Hour)))
	planRepull(t, s, planOf("c", 2, noon()))
	all := must(s.Repulls(t.Context(), appID(1), 9))(t)
	if len(all) != 2 || all[0].ID != "b" || all[0].State != lead.RepullWaiting || all[1].State != lead.RepullCanceled ||
		all[0].Bureaus != "EXPERIAN" {
		t.Errorf("got %+v, want only the second one", all)
	}
	if due := must(s.RepullsDue(t.Context(), noon(), noon().Add(-time.Minute), 9))(t); len(due) != 1 || due[0].ID != "c" {
		t.Errorf("due: got %+v, want only c", due)
	}
	move := func(from, to lead.RepullState, want bool) {
		t.Helper()
		r := planOf("c", 2, noon())
		r.State, r.TriedAt, r.Outcome = to, store.Millis(noon()), "op-1"
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if moved, err := tx.UpdateRepullState(ctx, r, from); err != nil || moved != want {
				t.Errorf("from %s to %s: got %v, %v, want %v", from, to, moved, err, want)
			}
			return nil
		})
	}
	move(lead.RepullWaiting, lead.RepullTrying, true)
	move(lead.RepullWaiting, lead.RepullTrying, false) // another process
	if due := must(s.RepullsDue(t.Context(), noon(), noon().Add(time.Minute), 9))(t); len(due) != 1 ||
		due[0].State != lead.RepullTrying {
		t.Errorf("abandoned: got %+v", due)
	}
	move(lead.RepullTrying, lead.RepullDone, true)
	if got := must(s.RepullOf(t.Context(), appID(2), "op-1"))(t); got.ID != "c" {
		t.Errorf("by its operation: got %+v", got)
	}
	_, err := s.RepullOf(t.Context(), appID(2), "op-2")
	wantKind(t, err, fault.NotFound)
	_, err = s.RepullOf(t.Context(), appID(1), "op-1")
	wantKind(t, err, fault.NotFound)
}

func planReassigned(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"))
	reassign := func(want bool) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if reassigned, err := tx.ReassignRepull(ctx, appID(1), "marcus", "o2"); err != nil || reassigned != want {
				t.Errorf("got %v, %v, want %v", reassigned, err, want)
			}
			return nil
		})
	}
	reassign(false)
	planRepull(t, s, planOf("a", 1, noon()))
	reassign(true)
	if got := must(s.Repulls(t.Context(), appID(1), 1))(t)[0]; got.UserID != "marcus" || got.Originator != "o2" ||
		got.ConsentBy != "olivia" || got.ConsentFor != "o1" {
		t.Errorf("got %+v, want the consent and who recorded it", got)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.CancelRepull(ctx, appID(1), "x")
		return err
	})
	reassign(false)
}

func datesFollow(t *testing.T, s *store.Store) {
	l := leadOf(1, "o1", "B1")
	l.ExpirationDate, l.PricingDate = "2026-11-25", "2026-10-01"
	add(t, s, l)
	ask := store.DateQuery{From: "2026-11-20", To: "2026-12-04", StaleBefore: "2026-11-01", Limit: 9}
	for name, tt := range map[string]struct {
		scope access.Scope
		want  int
	}{"own": {access.Scope{OriginatorUUID: "o1"}, 2}, "company": {access.Scope{BrokerID: "B1"}, 2},
		"another": {access.Scope{BrokerID: "B2"}, 0}, "none": {access.Scope{}, 0}} {
		if got := must(s.Dates(t.Context(), tt.scope, ask))(t); len(got) != tt.want {
			t.Errorf("%s: got %d dates, want %d", name, len(got), tt.want)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		l.Originator, l.ExpirationDate = "o2", ""
		return tx.SaveLead(ctx, &l, noon(), true)
	})
	if got := must(s.Dates(t.Context(), access.Scope{OriginatorUUID: "o2"}, ask))(t); len(got) != 1 ||
		got[0].Kind != lead.DatePricing {
		t.Errorf("after the reassignment: got %+v", got)
	}
	if got := must(s.Dates(t.Context(), access.Scope{OriginatorUUID: "o1"}, ask))(t); len(got) != 0 {
		t.Errorf("the former originator: got %+v", got)
	}
}

func leadsDropped(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	ended, open := leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1")
	ended.CanceledDate, ended.Step = "2026-11-20", heloc.StepClosed
	add(t, s, ended, open)
	for n := 1; n <= 2; n++ {
		planRepull(t, s, planOf(string(rune('a'+n)), n, noon()))
		notify(t, s, noticeOf(n, "olivia", appIDText(n)))
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.AddNote(ctx, lead.Note{ID: appIDText(n), App: appID(n), ActorID: "olivia",
				Sealed: []byte("x"), At: 1}); err != nil {
				return err
			}
			if err := tx.AddFollowUp(ctx, lead.FollowUp{ID: appIDText(n), App: appID(n), ActorID: "olivia", DueAt: 1,
				CreatedAt: 1}); err != nil {
				return err
			}
			if err := tx.AddExports(ctx, lead.Export{UserID: "olivia", Kind: lead.ExportSheet}, noon(), appID(n)); err != nil {
				return err
			}
			return tx.SaveLastView(ctx, "olivia", appID(n), noon(), false)
		})
	}
	drop := func(before time.Time, want int) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if deleted, err := tx.DropLeads(ctx, before, 9); err != nil || len(deleted) != want {
				t.Errorf("got %v deleted, %v, want %d", deleted, err, want)
			}
			return nil
		})
	}
	drop(noon(), 0)
	setLegalHold(t, s, appID(1))
	drop(noon().Add(time.Hour), 0)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.SetLegalHold(ctx, appID(1), time.Time{})
		return err
	})
	drop(noon().Add(time.Hour), 1)
	_, err := s.AnyLead(t.Context(), appID(1))
	wantKind(t, err, fault.NotFound)
	for n, want := range map[int]int{1: 0, 2: 1} {
		left := len(must(s.Notes(t.Context(), appID(n), 9))(t)) + len(must(s.FollowUps(t.Context(), appID(n)))(t)) +
			len(must(s.Repulls(t.Context(), appID(n), 9))(t)) +
			len(must(s.ViewedAt(t.Context(), "olivia", []heloc.AppID{appID(n)}))(t)) +
			len(must(s.Exports(t.Context(), appID(n), 9))(t))
		if left != 5*want {
			t.Errorf("lead %d: got %d rows left, want %d", n, left, 5*want)
		}
	}
	got := must(s.Notices(t.Context(), store.UserScope{UserID: "olivia", Company: "B1"}, ""))(t)
	if len(got.Notices) != 1 {
		t.Errorf("got %d notifications left, want 1", len(got.Notices))
	}
}

func revealsCounted(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i, r := range []lead.Reveal{
			{ID: "a", App: appID(1), UserID: "olivia", UserName: "Olivia", Fields: "phone", Reason: "contact", At: 5},
			{ID: "b", App: appID(2), UserID: "olivia", UserName: "Olivia", Fields: "phone", Reason: "contact", At: 6},
			{ID: "c", App: appID(1), UserID: "maya", UserName: "Maya", Fields: "e-mail", Reason: "lender", At: 7},
		} {
			if err := tx.AddReveal(ctx, r); err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}
		return nil
	})
	for who, want := range map[string][3]int64{"olivia": {6, 5, 0}, "maya": {7, 0, 0}, "piotr": {}} {
		for newer, at := range want {
			if got := must(s.RevealBefore(t.Context(), who, newer))(t); got != at {
				t.Errorf("%s: the reveal before %d newer ones was at %d, want %d", who, newer, got, at)
			}
		}
	}
	if got := must(s.Reveals(t.Context(), appID(1), 9))(t); len(got) != 2 || got[0].ID != "c" {
		t.Errorf("got %+v, want the newest first", got)
	}
}

// exportsCounted exports more leads at once than one statement inserts.
func exportsCounted(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("maya", access.Manager))
	var all []heloc.AppID
	for n := 1; n <= 250; n++ {
		add(t, s, leadOf(n, "o1", "B1"))
		all = append(all, appID(n))
	}
	export := func(who string, kind lead.ExportKind, about string, at time.Time, apps ...heloc.AppID) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddExports(ctx, lead.Export{UserID: who, Kind: kind, About: about}, at, apps...)
		})
	}
	export("olivia", lead.ExportDocument, "d1", noon(), appID(1))
	export("olivia", lead.ExportDocument, "d2", noon().Add(time.Minute), appID(1))
	export("olivia", lead.ExportDocument, "d1", noon().Add(2*time.Minute), appID(1))
	export("maya", lead.ExportList, "", noon().Add(3*time.Minute), all...)
	export("maya", lead.ExportList, "", noon().Add(4*time.Minute))
	want := []lead.Export{
		{UserID: "maya", Name: userOf("maya", access.Manager).Name, Kind: lead.ExportList, N: 1,
			At: store.Millis(noon().Add(3 * time.Minute))},
		{UserID: "olivia", Name: userOf("olivia", access.Originator).Name, Kind: lead.ExportDocument, About: "d1", N: 2,
			At: store.Millis(noon().Add(2 * time.Minute))},
		{UserID: "olivia", Name: userOf("olivia", access.Originator).Name, Kind: lead.ExportDocument, About: "d2", N: 1,
			At: store.Millis(noon().Add(time.Minute))},
	}
	if got := must(s.Exports(t.Context(), appID(1), 9))(t); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := must(s.Exports(t.Context(), appID(250), 9))(t); !slices.Equal(got, want[:1]) {
		t.Errorf("the last of many: got %+v, want %+v", got, want[:1])
	}
}
