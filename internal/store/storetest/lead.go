package storetest

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// filledLead is a lead with a value in every field that a user or the lender sets.
func filledLead(t *testing.T) lead.Row {
	t.Helper()
	l := leadOf(1, "o1", "B1")
	v := reflect.ValueOf(&l).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if !f.IsZero() {
			continue
		}
		switch f.Kind() {
		case reflect.String:
			f.SetString("value of " + v.Type().Field(i).Name)
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(1000 + i))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			f.SetBytes([]byte("sealed"))
		default:
			t.Fatalf("%s: no value to fill it with", v.Type().Field(i).Name)
		}
	}
	return l
}

func leadRoundTrip(t *testing.T, s *store.Store) {
	want := filledLead(t)
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddLead(ctx, &want, noon()) })
	if got := must(s.AnyLead(t.Context(), want.App))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("added: got  %+v\nwant %+v", got, want)
	}
	want.City, want.Step, want.RefreshFailures = "Elsewhere", heloc.StepPayoff, 9
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveLead(ctx, &want, noon(), true) })
	if got := must(s.AnyLead(t.Context(), want.App))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("saved: got  %+v\nwant %+v", got, want)
	}
	_, err := s.AnyLead(t.Context(), appID(99))
	wantKind(t, err, fault.NotFound)
}

// derivedColumns saves leads with various facts and arbitrary derived columns: the derived columns that are
// read back follow from the facts.
func derivedColumns(t *testing.T, s *store.Store) {
	n := 0
	for _, step := range append(heloc.Steps(), "", heloc.StepRefinanceOffer, "NEVER_HEARD_OF") {
		for _, change := range []func(*lead.Row){
			func(*lead.Row) {},
			func(l *lead.Row) { l.Converted = true },
			func(l *lead.Row) { l.SetAsideAt = 1 },
			func(l *lead.Row) { l.PendingUntil = store.Millis(noon().Add(time.Minute)) },
			func(l *lead.Row) { l.PendingUntil = store.Millis(noon().Add(-time.Minute)) },
			func(l *lead.Row) { l.RepullAt = store.Millis(noon().Add(time.Hour)) },
			func(l *lead.Row) { l.CanceledDate = "2026-11-19" },
			func(l *lead.Row) { l.DeclinedDate = "2026-11-19" },
			func(l *lead.Row) { l.Funded = true },
			func(l *lead.Row) { l.StepSince = store.Millis(noon().Add(-30 * 24 * time.Hour)) },
			func(l *lead.Row) { l.MaxAmount, l.SelectedAmount = 700, 500 },
		} {
			n++
			l := leadOf(n, "o1", "B1")
			l.Step = step
			change(&l)
			l.StatusKey, l.Lane, l.DueSort, l.StatusChangesAt, l.Amount = "wrong", "wrong", 1, 1, 1
			write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddLead(ctx, &l, noon()) })
			checkDerived(t, must(s.AnyLead(t.Context(), l.App))(t))
			l.Lane = "wrong"
			write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveLead(ctx, &l, noon(), false) })
			checkDerived(t, must(s.AnyLead(t.Context(), l.App))(t))
		}
	}
}

func checkDerived(t *testing.T, l lead.Row) {
	t.Helper()
	want := heloc.StatusAt(l.Facts(), noon())
	if l.StatusKey != want.Key || l.Lane != want.Lane || l.WhoseMove != want.Mover || l.DueAt() != store.Millis(want.Due) {
		t.Errorf("%s: got %s/%s/%s due %d, want %+v", l.Step, l.StatusKey, l.Lane, l.WhoseMove, l.DueAt(), want)
	}
	if turns := store.Millis(want.ChangesAt); turns != 0 && l.StatusChangesAt != turns ||
		turns == 0 && l.StatusChangesAt <= store.Millis(noon().AddDate(50, 0, 0)) {
		t.Errorf("%s: status changes at %d, want %d", l.Step, l.StatusChangesAt, turns)
	}
	amount := l.SelectedAmount
	if amount == 0 {
		amount = l.MaxAmount
	}
	if l.Amount != amount {
		t.Errorf("%s: got amount %v, want %v", l.Step, l.Amount, amount)
	}
}

func revisionRises(t *testing.T, s *store.Store) {
	for i, tt := range []struct {
		name    string
		changed bool
		change  func(*lead.Row)
		rises   int64
	}{
		{"nothing", false, func(*lead.Row) {}, 0},
		{"only the schedule", false, func(l *lead.Row) { l.RefreshAt, l.RefreshedAt, l.RefreshFailures = 1, 2, 4 }, 0},
		{"changed by the caller", true, func(*lead.Row) {}, 1},
		{"a new status", false, func(l *lead.Row) { l.Step = heloc.StepOffersAvailable }, 1},
		{"both, once", true, func(l *lead.Row) { l.Step = heloc.StepOffersAvailable }, 1},
		{"the due time moves", false, func(l *lead.Row) { l.StepSince += 1000 }, 1},
	} {
		l := leadOf(i+1, "o1", "B1")
		add(t, s, l)
		l = must(s.AnyLead(t.Context(), l.App))(t)
		before, at := l.Revision, noon().Add(time.Minute)
		tt.change(&l)
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveLead(ctx, &l, at, tt.changed) })
		got := must(s.AnyLead(t.Context(), l.App))(t)
		if got.Revision-before != tt.rises {
			t.Errorf("%s: the revision rose by %d, want %d", tt.name, got.Revision-before, tt.rises)
		}
		if moved := got.ChangedAt == store.Millis(at); moved != tt.changed {
			t.Errorf("%s: changed at moved: got %v, want %v", tt.name, moved, tt.changed)
		}
	}
}

func leadsDue(t *testing.T, s *store.Store) {
	for i, after := range []time.Duration{time.Hour, -time.Second, -time.Minute} {
		l := leadOf(i+1, "o1", "B1")
		l.Step = heloc.StepUnknown
		l.RefreshAt = store.Millis(noon().Add(after))
		l.PendingUntil = store.Millis(noon().Add(after + time.Hour))
		add(t, s, l)
	}
	want := []heloc.AppID{appID(3), appID(2)}
	due := []store.DueLead{{App: appID(3), Company: "B1"}, {App: appID(2), Company: "B1"}}
	if got := must(s.LeadsDue(t.Context(), noon(), 10))(t); !reflect.DeepEqual(got, due) {
		t.Errorf("due: got %v, want %v", got, due)
	}
	if got := must(s.LeadsDue(t.Context(), noon(), 1))(t); len(got) != 1 {
		t.Errorf("due with a limit of one: got %v", got)
	}
	if got := must(s.LeadsChangingStatus(t.Context(), noon().Add(time.Hour), 10))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("changing: got %v, want %v", got, want)
	}
}

func webhooks(t *testing.T, s *store.Store) {
	l := leadOf(1, "o1", "B1")
	l.RefreshAt = store.Millis(noon().Add(time.Hour))
	add(t, s, l)
	at := noon().Add(time.Second)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for app, want := range map[heloc.AppID]bool{l.App: true, appID(9): false} {
			if known, err := tx.MarkWebhook(ctx, app, at, true); err != nil || known != want {
				t.Errorf("known: got %v, %v, want %v", known, err, want)
			}
		}
		return nil
	})
	got := must(s.AnyLead(t.Context(), l.App))(t)
	if got.WebhookAt != store.Millis(at) || got.RefreshAt != store.Millis(at) {
		t.Errorf("got webhook at %d, due %d", got.WebhookAt, got.RefreshAt)
	}
	// Five webhooks cause immediate refreshes, as when a borrower signs in and signs documents. A flood
	// causes one every ten seconds, and a repeated body does not count as an answer from the lender.
	for _, tt := range []struct {
		after, due, hinted time.Duration
		counts             bool
	}{
		{1, 1, 1, true}, {1, 1, 1, false}, {2, 2, 2, true}, {3, 3, 3, true}, {4, 10, 4, true}, {9, 10, 4, false},
		{11, 20, 11, true}, {12, 20, 12, true}, {200, 200, 200, true}, {200, 200, 200, true},
	} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.MarkWebhook(ctx, l.App, at.Add(tt.after*time.Second), tt.counts)
			return err
		})
		got := must(s.AnyLead(t.Context(), l.App))(t)
		if got.RefreshAt != store.Millis(at.Add(tt.due*time.Second)) ||
			got.WebhookAt != store.Millis(at.Add(tt.hinted*time.Second)) {
			t.Errorf("after %d s: got due %v, webhook at %v, want %d s and %d s after the first", tt.after,
				store.Instant(got.RefreshAt).Sub(at), store.Instant(got.WebhookAt).Sub(at), tt.due, tt.hinted)
		}
	}
}

func parts(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	for i := range 2 {
		for _, part := range []lead.Part{lead.PartDetails, lead.PartDocuments} {
			p := store.SealedPart{App: appID(1), Part: part, Version: i, Sealed: []byte{byte(i)}, FetchedAt: int64(i)}
			write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SavePart(ctx, p) })
		}
	}
	got := must(s.Parts(t.Context(), appID(1)))(t)
	want := store.SealedPart{App: appID(1), Part: lead.PartDetails, Version: 1, Sealed: []byte{1}, FetchedAt: 1}
	if len(got) != 2 || !reflect.DeepEqual(got[lead.PartDetails], want) {
		t.Errorf("got %+v, want two parts from the second round", got)
	}
	if got := must(s.Parts(t.Context(), appID(2)))(t); len(got) != 0 {
		t.Errorf("got %+v for another lead, want none", got)
	}
}

func events(t *testing.T, s *store.Store) {
	assigned := leadOf(3, "o1", "B1") // its step did not change
	assigned.Step = heloc.StepOffersAvailable
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o2", "B1"), assigned)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddEvent(ctx, lead.Event{App: appID(3), Originator: "o1", Kind: lead.EventReassigned,
			StatusKey: heloc.StatusOffers, At: store.Millis(noon())}); err != nil {
			return err
		}
		for i, e := range []lead.Event{
			{App: appID(1), Originator: "o1", Kind: lead.EventStep, StatusKey: heloc.StatusOffers},
			{App: appID(1), Originator: "o1", Kind: lead.EventStep, StatusKey: heloc.StatusOffers},
			{App: appID(1), Originator: "o1", Kind: lead.EventStatus, StatusKey: heloc.StatusOffers},
			{App: appID(1), Originator: "o1", Kind: lead.EventStep, StatusKey: heloc.StatusInProgress},
			{App: appID(2), Originator: "o2", Kind: lead.EventStep, StatusKey: heloc.StatusOffers},
		} {
			e.At = store.Millis(noon()) + int64(i/2) // several in one millisecond: they sort in the order of writing
			e.Detail = string(rune('a' + i))
			if err := tx.AddEvent(ctx, e); err != nil {
				return err
			}
		}
		return nil
	})
	details := ""
	for _, e := range must(s.Events(t.Context(), appID(1), 10))(t) {
		details += e.Detail
	}
	if details != "dcba" {
		t.Errorf("got %q, want newest first", details)
	}
	atStep := func(step heloc.Step) {
		t.Helper()
		l := must(s.AnyLead(t.Context(), appID(1)))(t)
		l.Step = step
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveLead(ctx, &l, noon(), true) })
	}
	atStep(heloc.StepOffersAvailable)
	notes := 0
	since := func(at time.Time) []lead.StatusCount {
		counts, n, err := s.UpdatesSince(t.Context(), "o1", at, "olivia")
		if err != nil || n != notes {
			t.Errorf("got %d leads with notes, %v, want %d", n, err, notes)
		}
		return counts
	}
	counts := since(noon().Add(-time.Second))
	if want := []lead.StatusCount{{StatusKey: heloc.StatusOffers, Count: 1}}; !reflect.DeepEqual(counts, want) {
		t.Errorf("updates: got %+v, want %+v", counts, want)
	}
	atStep(heloc.StepLienMatching)
	counts = since(noon().Add(-time.Second))
	if want := []lead.StatusCount{{StatusKey: heloc.StatusVerifyLiens, Count: 1}}; !reflect.DeepEqual(counts, want) {
		t.Errorf("updates of a lead that had offers: got %+v, want %+v", counts, want)
	}
	note := func(app heloc.AppID, by string) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddEvent(ctx, lead.Event{App: app, Kind: lead.EventNote, ActorID: by, Originator: "o1",
				At: store.Millis(noon())})
		})
	}
	note(appID(1), "olivia") // the reader
	since(noon().Add(-time.Second))
	note(appID(1), "maya")
	note(appID(1), "maya")
	note(appID(2), "maya") // another originator has the lead now
	notes = 1
	since(noon().Add(-time.Second))
	notes = 0
	if counts := since(noon().Add(time.Second)); len(counts) != 0 {
		t.Errorf("later updates: got %+v, want none", counts)
	}
}

func usualWaits(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i, took := range []int64{30, 0, 10, 20} {
			e := lead.Event{App: appID(1), At: int64(i + 1), Kind: lead.EventStep, Operation: heloc.OpAddSSN, TookMillis: took}
			if err := tx.AddEvent(ctx, e); err != nil {
				return err
			}
		}
		return tx.AddEvent(ctx, lead.Event{App: appID(1), At: 9, Kind: lead.EventStep, Operation: heloc.OpCancel,
			TookMillis: 99})
	})
	if got, want := must(s.Waits(t.Context(), heloc.OpAddSSN, 2))(t), []int64{20, 10}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want the newest that changed the step: %v", got, want)
	}
}

func lastViews(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	add(t, s, leadOf(1, "o1", "B1"))
	for _, view := range []struct {
		at        time.Time
		documents bool
	}{
		{noon(), true},
		{noon().Add(time.Hour), false},
		{noon().Add(time.Minute), false}, // saved after one that came later
		{noon().Add(-time.Minute), true},
	} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.SaveLastView(ctx, "olivia", appID(1), view.at, view.documents)
		})
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.SaveDisplayed(ctx, "olivia", appID(1), noon().Add(2*time.Hour))
	})
	want := lead.LastView{ViewedAt: store.Millis(noon().Add(time.Hour)), DocumentsAt: store.Millis(noon()),
		DisplayedAt: store.Millis(noon().Add(2 * time.Hour))}
	viewOf := func(userID string) lead.LastView {
		return must(s.LeadExtras(t.Context(), store.UserScope{UserID: userID}, appID(1)))(t).LastView
	}
	if got := viewOf("olivia"); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := viewOf("marcus"); got != (lead.LastView{}) {
		t.Errorf("got %+v for another user, want none", got)
	}

	addUser(t, s, userOf("maya", access.Manager))
	write(t, s, func(ctx context.Context, tx *store.Tx) error { // she only saw a rejected form, say
		return tx.AuditDaily(ctx, store.AuditEntry{At: want.DocumentsAt, ActorID: "maya", Action: store.ActionLeadOpen,
			Object: "lead:" + string(appID(1)), Outcome: "opened"})
	})
	viewers := []lead.Viewer{{UserID: "olivia", Name: userOf("olivia", access.Originator).Name, ViewedAt: want.ViewedAt},
		{UserID: "maya", Name: userOf("maya", access.Manager).Name, ViewedAt: want.DocumentsAt}}
	if got := must(s.LeadViewers(t.Context(), appID(1)))(t); !slices.Equal(got, viewers) {
		t.Errorf("got the viewers %+v, want %+v", got, viewers)
	}
}

// Ten leads of one company have waited longer than those of two others.
func leadsDueOfEachCompany(t *testing.T, s *store.Store) {
	if got := must(s.LeadsDueOfEach(t.Context(), noon()))(t); len(got) != 0 {
		t.Errorf("without leads: got %v", got)
	}
	for i := range 10 {
		l := leadOf(i+1, "o1", "B1")
		l.RefreshAt = store.Millis(noon().Add(time.Duration(i-100) * time.Minute))
		add(t, s, l)
	}
	for i, l := range []lead.Row{leadOf(21, "o2", "B2"), leadOf(22, "o2", "B2"), leadOf(23, "o3", "B3"),
		leadOf(24, "o4", "B4")} {
		l.RefreshAt = store.Millis(noon().Add(time.Duration(i-3) * time.Minute))
		add(t, s, l)
	}
	want := []store.DueLead{
		{App: appID(1), Company: "B1"}, {App: appID(21), Company: "B2"}, {App: appID(23), Company: "B3"},
		{App: appID(24), Company: "B4"}, {App: appID(2), Company: "B1"}, {App: appID(22), Company: "B2"},
		{App: appID(3), Company: "B1"}, {App: appID(4), Company: "B1"},
	}
	if got := must(s.LeadsDueOfEach(t.Context(), noon()))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := must(s.LeadsDueOfEach(t.Context(), noon().Add(-90*time.Minute)))(t); len(got) != 4 {
		t.Errorf("90 minutes earlier: got %v, want four of B1", got)
	}
}

// A company with many runs has as many turns as one with a single run.
func jobsTakeTurnsByCompany(t *testing.T, s *store.Store) {
	job := func(id, company string) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			rows := []lead.JobRow{{JobID: id, App: appID(1), State: lead.JobRowWaiting}}
			return tx.AddJob(ctx, lead.Job{ID: id, Kind: lead.JobReassign, ActorID: "u", Company: company, Sealed: []byte{},
				CreatedAt: store.Millis(noon())}, rows)
		})
	}
	for _, id := range []string{"a1", "a2", "a3", "a4"} {
		job(id, "A")
	}
	at := noon()
	s.LeaseClock = func() time.Time { return at }
	turn := func(end bool) string {
		t.Helper()
		at = at.Add(time.Second)
		leased, ok, err := s.LeaseJob(t.Context(), "w")
		if err != nil || !ok {
			t.Fatalf("no job: %v", err)
		}
		if end {
			write(t, s, func(ctx context.Context, tx *store.Tx) error {
				return tx.SaveJobRow(ctx, lead.JobRow{JobID: leased.ID, State: "done"})
			})
		}
		if err := s.ReleaseJob(t.Context(), leased.ID, "w"); err != nil {
			t.Fatal(err)
		}
		return leased.Company
	}
	if got := turn(true); got != "A" { // and that run has ended
		t.Errorf("got %s", got)
	}
	job("b1", "B")
	job("c1", "C")
	var got string
	for range 6 {
		got += turn(false)
	}
	if got != "BCABCA" {
		t.Errorf("got the turns %s, want each company in turn", got)
	}
	// A job that another process has does not count as waiting.
	at = at.Add(time.Second)
	if leased, _, err := s.LeaseJob(t.Context(), "other"); err != nil ||
		leased.Company != "B" {
		t.Errorf("got %s, %v", leased.Company, err)
	}
	got = ""
	for range 4 {
		got += turn(false)
	}
	if got != "CACA" {
		t.Errorf("got the turns %s, want those of A and C", got)
	}
}
