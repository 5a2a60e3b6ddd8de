package storetest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func draftOf(id, owner string) store.Draft {
	return store.Draft{ID: id, OwnerID: owner, Company: "B1", Sealed: []byte(id), StartSnapshot: []byte("start_snapshot"),
		Version: 1, CreatedAt: 1, UpdatedAt: 2}
}

// userScope is a user's scope at the company of the drafts.
func userScope(user string) store.UserScope { return store.UserScope{UserID: user, Company: "B1"} }

func saveDraft(s *store.Store, d store.Draft) error {
	return s.Write(context.Background(), func(tx *store.Tx) error { return tx.SaveDraft(context.Background(), d) })
}

func draftOwner(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	if err := saveDraft(s, draftOf("d1", "olivia")); err != nil {
		t.Fatal(err)
	}
	others := draftOf("d1", "marcus")
	others.Sealed = []byte("overwritten")
	wantKind(t, saveDraft(s, others), fault.NotFound)
	_, err := s.Draft(t.Context(), userScope("marcus"), "d1")
	wantKind(t, err, fault.NotFound)
	remove := func(owner store.UserScope) error {
		return s.Write(t.Context(), func(tx *store.Tx) error { return tx.DeleteDraft(t.Context(), owner, "d1") })
	}
	wantKind(t, remove(userScope("marcus")), fault.NotFound)
	if got := must(s.Draft(t.Context(), userScope("olivia"), "d1"))(t); string(got.Sealed) != "d1" {
		t.Errorf("got %q, want what its owner typed", got.Sealed)
	}
	own := access.Scope{OriginatorUUID: "o1"}
	elsewhere := store.UserScope{UserID: "olivia", Company: "B2"}
	moved := draftOf("d1", "olivia")
	moved.Company, moved.Sealed = "B2", []byte("overwritten")
	wantKind(t, saveDraft(s, moved), fault.NotFound)
	_, err = s.Draft(t.Context(), elsewhere, "d1")
	wantKind(t, err, fault.NotFound)
	wantKind(t, remove(elsewhere), fault.NotFound)
	if got := len(must(s.UnsentDrafts(t.Context(), elsewhere, own))(t)) +
		must(s.CountUnsentDrafts(t.Context(), elsewhere, own))(t); got != 0 {
		t.Errorf("at another company: got %d drafts, want none", got)
	}
	if err := saveDraft(s, draftOf("d1", "olivia")); err != nil {
		t.Fatal(err)
	}
	if got := must(s.DraftOfOperation(t.Context(), "d1"))(t); got.Version != 2 {
		t.Errorf("got version %d, want 2", got.Version)
	}
	for owner, want := range map[string]int{"olivia": 1, "marcus": 0} {
		if got := must(s.UnsentDrafts(t.Context(), userScope(owner), own))(t); len(got) != want {
			t.Errorf("%s: got %d open drafts, want %d", owner, len(got), want)
		}
		if got := must(s.CountUnsentDrafts(t.Context(), userScope(owner), own))(t); got != want {
			t.Errorf("%s: counts %d open drafts, want %d", owner, got, want)
		}
	}
	restart := draftOf("d2", "olivia")
	restart.Restart = appID(7)
	if err := saveDraft(s, restart); err != nil {
		t.Fatal(err)
	}
	if got := must(s.RestartOf(t.Context(), userScope("olivia"), appID(7)))(t); got.ID != "d2" || got.Restart != appID(7) {
		t.Errorf("got %+v, want the draft that corrects the lead", got)
	}
	for owner, app := range map[string]heloc.AppID{"marcus": appID(7), "olivia": appID(8)} {
		_, err := s.RestartOf(t.Context(), userScope(owner), app)
		wantKind(t, err, fault.NotFound)
	}
	_, err = s.RestartOf(t.Context(), userScope("olivia"), "")
	wantKind(t, err, fault.NotFound)
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.LinkDraft(ctx, "d2", appID(8)) })
	_, err = s.RestartOf(t.Context(), userScope("olivia"), appID(7))
	wantKind(t, err, fault.NotFound)
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.LinkDraft(ctx, "d1", appID(1)) })
	if got := must(s.UnsentDrafts(t.Context(), userScope("olivia"), own))(t); len(got) != 0 {
		t.Errorf("got %d open drafts after one became a lead, want none", len(got))
	}
	if got := must(s.DraftOfLead(t.Context(), appID(1)))(t); got.ID != "d1" {
		t.Errorf("got %q, want the draft of the lead", got.ID)
	}
}

func draftsInScope(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	for i, originator := range []string{"o1", "o2"} {
		l := leadOf(i+1, originator, "B1")
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddLead(ctx, &l, noon()) })
	}
	for id, change := range map[string]func(*store.Draft){
		"a plain":                func(*store.Draft) {},
		"b own correction":       func(d *store.Draft) { d.Restart = appID(1) },
		"c another's correction": func(d *store.Draft) { d.Restart = appID(2) },
		"d transferred to her":   func(d *store.Draft) { d.Restart, d.PreparedBy = appID(2), "ada" },
		"e without a lead":       func(d *store.Draft) { d.Restart = appID(9) },
		"f sent":                 func(d *store.Draft) { d.App = appID(1) },
	} {
		d := draftOf(id, "olivia")
		change(&d)
		if err := saveDraft(s, d); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		scope access.Scope
		want  int
	}{"her own": {access.Scope{OriginatorUUID: "o1"}, 3}, "the company's": {access.Scope{BrokerID: "B1"}, 4},
		"nothing": {access.Scope{}, 2}} {
		if got := len(must(s.UnsentDrafts(t.Context(), userScope("olivia"), tt.scope))(t)); got != tt.want {
			t.Errorf("%s: got %d drafts, want %d", name, got, tt.want)
		}
		if got := must(s.CountUnsentDrafts(t.Context(), userScope("olivia"), tt.scope))(t); got != tt.want {
			t.Errorf("%s: counts %d drafts, want %d", name, got, tt.want)
		}
	}
	// All unsent drafts are transferable, one page at a time.
	var given []string
	for after := ""; ; {
		some := must(s.TransferableDrafts(t.Context(), userScope("olivia"), after, 2))(t)
		for _, d := range some {
			given, after = append(given, d.ID[:1]), d.ID
		}
		if len(some) < 2 {
			break
		}
	}
	if got := strings.Join(given, ""); got != "abcde" {
		t.Errorf("transferable: got %s, want abcde", got)
	}
	if got := must(s.CountTransferableDrafts(t.Context(), userScope("olivia")))(t); got != 5 {
		t.Errorf("transferable: counts %d, want 5", got)
	}
}

func draftNotDeletedWhileStartUnknown(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	if err := saveDraft(s, draftOf("d1", "olivia")); err != nil {
		t.Fatal(err)
	}
	op := operationOf(1, lead.OpUnknown)
	op.DraftID = "d1"
	addOperations(t, s, op)
	remove := func() error {
		return s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.DeleteDraft(t.Context(), userScope("olivia"), "d1")
		})
	}
	wantKind(t, remove(), fault.Conflict)
	op.State = lead.OpAbandoned
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveOperation(ctx, op) })
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	_, err := s.Draft(t.Context(), userScope("olivia"), "d1")
	wantKind(t, err, fault.NotFound)
}

func draftsUnderLegalHold(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	l := leadOf(1, "o1", "B1")
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddLead(ctx, &l, noon()) })
	sent, correction := draftOf("sent", "olivia"), draftOf("correction", "olivia")
	sent.App, correction.Restart = l.App, l.App
	for _, d := range []store.Draft{sent, correction} {
		if err := saveDraft(s, d); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(id string) error {
		return s.Write(t.Context(), func(tx *store.Tx) error { return tx.DeleteDraft(t.Context(), userScope("olivia"), id) })
	}
	wantKind(t, remove("sent"), fault.Conflict) // with or without a legal hold
	setLegalHold(t, s, l.App)
	wantKind(t, remove("sent"), fault.Conflict)
	wantKind(t, remove("correction"), fault.Conflict)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.SetLegalHold(ctx, l.App, time.Time{})
		return err
	})
	if err := remove("correction"); err != nil {
		t.Errorf("after the hold was removed: got %v, want it deleted", err)
	}
}

func draftsUnsent(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	onHold := leadOf(1, "o1", "B1")
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddLead(ctx, &onHold, noon()) })
	setLegalHold(t, s, onHold.App)
	late := store.Millis(noon())
	for id, change := range map[string]func(*store.Draft){
		"idle":        func(*store.Draft) {},
		"saved":       func(d *store.Draft) { d.UpdatedAt = late },
		"transferred": func(d *store.Draft) { d.TransferredAt, d.PreparedBy = late, "ada" },
		"sent":        func(d *store.Draft) { d.App = appID(9) },
		"correcting":  func(d *store.Draft) { d.Restart = onHold.App },
		"unsettled":   func(d *store.Draft) { d.OpID = "hl-01" },
	} {
		d := draftOf(id, "olivia")
		change(&d)
		if err := saveDraft(s, d); err != nil {
			t.Fatal(err)
		}
	}
	lost := operationOf(1, lead.OpUnknown)
	lost.DraftID = "unsettled"
	addOperations(t, s, lost)
	drop := func() {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.DropUnsentDrafts(ctx, noon().Add(-time.Hour), 9)
		})
	}
	drop()
	drop() // the deletion is audited only once
	exists := func(id string) bool {
		_, err := s.Draft(t.Context(), userScope("olivia"), id)
		return err == nil
	}
	for _, id := range []string{"saved", "transferred", "sent", "correcting", "unsettled"} {
		if !exists(id) {
			t.Errorf("the draft %q was deleted", id)
		}
	}
	if exists("idle") {
		t.Error("the idle draft was not deleted")
	}
	audited := must(s.AuditOf(t.Context(), "draft:idle", 9))(t)
	if len(audited) != 1 || audited[0].Action != store.ActionDraftDelete || audited[0].ActorID != "system" ||
		audited[0].Company != "B1" {
		t.Errorf("got %+v, want one audit row for it", audited)
	}
}

func webhooksUnderLegalHold(t *testing.T, s *store.Store) {
	for n := range 2 {
		l := leadOf(n+1, "o1", "B1")
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.AddLead(ctx, &l, noon()); err != nil {
				return err
			}
			_, err := tx.AddWebhook(ctx, store.Webhook{Digest: l.ShortID, App: l.App, Sealed: []byte("x"), ReceivedAt: 1})
			return err
		})
	}
	setLegalHold(t, s, appID(1))
	for n, want := range []bool{false, true} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.DropWebhooks(ctx, noon()); err != nil {
				return err
			}
			l := leadOf(n+1, "o1", "B1")
			fresh, err := tx.AddWebhook(ctx, store.Webhook{Digest: l.ShortID, App: l.App, Sealed: []byte("x"), ReceivedAt: 1})
			if fresh != want {
				t.Errorf("lead %d: got fresh %v for a webhook, want %v", n+1, fresh, want)
			}
			return err
		})
	}
}

func draftsDropped(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	old, young := noon().Add(-31*24*time.Hour), noon().Add(-29*24*time.Hour)
	cases := []struct {
		name    string
		step    heloc.Step
		since   time.Time
		changed time.Time
		change  func(*lead.Row)
		gone    bool
	}{
		{"under a legal hold, closed long ago", heloc.StepClosed, old, old, nil, false},
		{"closed long ago", heloc.StepClosed, old, young, nil, true},
		{"closed recently", heloc.StepClosed, young, young, nil, false},
		{"complete long ago", heloc.StepComplete, old, young, nil, true},
		{"withdrawn long ago", heloc.StepWithdrawn, old, young, nil, true},
		{"offers available long ago", heloc.StepOffersAvailable, old, old, nil, false},
		{"set aside long ago", heloc.StepNoOffers, old, old, func(l *lead.Row) { l.SetAsideAt = 1 }, false},
		{"converted long ago", heloc.StepOffersAvailable, old, old, func(l *lead.Row) { l.Converted = true }, true},
		{"converted recently", heloc.StepOffersAvailable, old, young, func(l *lead.Row) { l.Converted = true }, false},
		{"declined long ago", heloc.StepOffersAvailable, old, old, func(l *lead.Row) { l.DeclinedDate = "2026-01-01" }, true},
	}
	for i, tt := range cases {
		l := leadOf(i+1, "o1", "B1")
		l.Step, l.StepSince = tt.step, store.Millis(tt.since)
		if tt.change != nil {
			tt.change(&l)
		}
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddLead(ctx, &l, tt.changed) })
		if strings.HasPrefix(tt.name, "under a legal hold") {
			setLegalHold(t, s, l.App)
		}
		d := draftOf(tt.name, "olivia")
		d.App = l.App
		if err := saveDraft(s, d); err != nil {
			t.Fatal(err)
		}
	}
	if err := saveDraft(s, draftOf("never sent", "olivia")); err != nil {
		t.Fatal(err)
	}
	var all, ended, listed []heloc.AppID
	for i, tt := range cases {
		if all = append(all, appID(i+1)); tt.gone {
			ended = append(ended, appID(i+1))
		}
	}
	before := noon().Add(-30 * 24 * time.Hour)
	for page := must(s.EndedDrafts(t.Context(), before, "", 2))(t); len(page) > 0; page = must(s.EndedDrafts(t.Context(),
		before, page[len(page)-1], 2))(t) {
		listed = append(listed, page...)
	}
	if !slices.Equal(listed, ended) {
		t.Errorf("got drafts of %v, want %v", listed, ended)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropDrafts(ctx, before, nil) })
	// some have not ended, or no longer
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropDrafts(ctx, before, all) })
	for _, tt := range cases {
		_, err := s.Draft(t.Context(), userScope("olivia"), tt.name)
		if gone := fault.Is(err, fault.NotFound); gone != tt.gone {
			t.Errorf("%s: deleted: got %v, want %v", tt.name, gone, tt.gone)
		}
	}
	if _, err := s.Draft(t.Context(), userScope("olivia"), "never sent"); err != nil {
		t.Errorf("never sent: got %v, want it to remain", err)
	}
}

func webhooksOnce(t *testing.T, s *store.Store) {
	for i, want := range []bool{true, false} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			fresh, err := tx.AddWebhook(ctx, store.Webhook{Digest: "d", App: appID(1), Sealed: []byte("x"),
				ReceivedAt: store.Millis(noon())})
			if fresh != want {
				t.Errorf("time %d: got fresh %v, want %v", i+1, fresh, want)
			}
			return err
		})
	}
	for _, tt := range []struct {
		before time.Time
		fresh  bool
	}{{noon(), false}, {noon().Add(time.Millisecond), true}} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.DropWebhooks(ctx, tt.before); err != nil {
				return err
			}
			fresh, err := tx.AddWebhook(ctx, store.Webhook{Digest: "d", App: appID(1), Sealed: []byte("x"),
				ReceivedAt: store.Millis(noon())})
			if fresh != tt.fresh {
				t.Errorf("dropped before %v: got fresh %v, want %v", tt.before, fresh, tt.fresh)
			}
			return err
		})
	}
}

func webhooksLimited(t *testing.T, s *store.Store) {
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i := range store.MaxWebhooksPerApp + 5 {
			h := store.Webhook{Digest: fmt.Sprint("d", i), App: appID(1), Sealed: []byte("x"), ReceivedAt: store.Millis(noon())}
			if fresh, err := tx.AddWebhook(ctx, h); err != nil || !fresh {
				t.Errorf("webhook %d: got fresh %v, %v", i, fresh, err)
			}
		}
		// A webhook over the limit was not stored, so it is new again.
		for digest, want := range map[string]bool{"d0": false, fmt.Sprint("d", store.MaxWebhooksPerApp): true} {
			h := store.Webhook{Digest: digest, App: appID(1), Sealed: []byte("x"), ReceivedAt: store.Millis(noon())}
			if fresh, err := tx.AddWebhook(ctx, h); err != nil || fresh != want {
				t.Errorf("%s: got fresh %v, %v, want %v", digest, fresh, err, want)
			}
		}
		return nil
	})
}

// unknownApplicationsTakeTurns has far more unknown applications than are looked up at a time.
func unknownApplicationsTakeTurns(t *testing.T, s *store.Store) {
	const many = 1000
	second := func(n int) time.Time { return noon().Add(time.Duration(n) * time.Second) }
	lost, late := operationOf(1, lead.OpUnknown), operationOf(2, lead.OpUnknown)
	lost.Kind, lost.App, lost.SentAt = heloc.OpStart, "", store.Millis(second(300))
	late.Kind, late.App, late.SentAt = heloc.OpStart, "", store.Millis(second(many))
	addOperations(t, s, lost, late)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for n := range many {
			if err := tx.AddUnknownApplication(ctx, appID(n), second(n)); err != nil {
				return err
			}
		}
		if err := tx.AddUnknownApplication(ctx, appID(0), second(many)); err != nil { // it keeps its position in the queue
			return err
		}
		return tx.RetryUnknownApplication(ctx, appID(many-1), second(2*many))
	})
	numbers := func(now time.Time, each int) (all []int) {
		t.Helper()
		for _, u := range must(s.UnknownApplicationsDue(t.Context(), now, each))(t) {
			n, err := strconv.Atoi(string(u.App[24:]))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, n)
		}
		return all
	}
	if got, want := numbers(second(many), 2), []int{0, 1, 300, 301, 997, 998}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v: the oldest, those named after the lost start, and the newest", got, want)
	}
	if got := numbers(second(many), many); len(got) != many-1 {
		t.Errorf("got %d due, want all except the one that is tried later", len(got))
	}
	if got := numbers(noon().AddDate(0, 0, -1), 2); len(got) != 2 {
		t.Errorf("got %v after the clock was set back, want two", got)
	}
}

func unknownApplicationsDropped(t *testing.T, s *store.Store) {
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i := range 3 {
			if err := tx.AddUnknownApplication(ctx, appID(i), noon().Add(time.Duration(i)*time.Minute)); err != nil {
				return err
			}
		}
		if err := tx.RetryUnknownApplication(ctx, appID(0), noon().Add(time.Hour)); err != nil {
			return err
		}
		if err := tx.PostponeUnknownApplication(ctx, appID(1), noon().Add(2*time.Hour)); err != nil {
			return err
		}
		return tx.DropUnknownApplication(ctx, appID(2))
	})
	got := must(s.UnknownApplicationsDue(t.Context(), noon().Add(3*time.Hour), 10))(t)
	if len(got) != 2 || got[0].App != appID(0) || got[0].Tries != 1 || got[1].Tries != 0 {
		t.Errorf("got %+v, want one try for the first and none for the second", got)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.DropUnknownApplications(ctx, noon().Add(30*time.Second))
	})
	if got := must(s.UnknownApplicationsDue(t.Context(), noon().Add(3*time.Hour), 10))(t); len(got) != 1 ||
		got[0].App != appID(1) {
		t.Errorf("got %+v, want only the newer one", got)
	}
}

func settings(t *testing.T, s *store.Store) {
	if got := must(s.Setting(t.Context(), "name"))(t); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
	for _, value := range []string{"one", "two"} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveSetting(ctx, "name", value) })
		if got := must(s.Setting(t.Context(), "name"))(t); got != value {
			t.Errorf("got %q, want %q", got, value)
		}
	}
}

func draftTransferred(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("ada", access.Assistant))
	addUser(t, s, userOf("olivia", access.Originator))
	if err := saveDraft(s, draftOf("d1", "ada")); err != nil {
		t.Fatal(err)
	}
	hand := func(from string) error {
		return s.Write(t.Context(), func(tx *store.Tx) error {
			d := draftOf("d1", from)
			d.PreparedBy, d.TransferredAt, d.Transfers = from, 9, []byte("then")
			return tx.TransferDraft(t.Context(), d, "olivia")
		})
	}
	if err := hand("ada"); err != nil {
		t.Fatal(err)
	}
	got := must(s.Draft(t.Context(), userScope("olivia"), "d1"))(t)
	if got.PreparedBy != "ada" || got.TransferredAt != 9 || string(got.Transfers) != "then" ||
		string(got.Sealed) != "d1" || got.Version != 2 {
		t.Errorf("got %+v, want it transferred by ada", got)
	}
	_, err := s.Draft(t.Context(), userScope("ada"), "d1")
	wantKind(t, err, fault.NotFound)
	wantKind(t, hand("ada"), fault.Conflict)
	// A save by the new owner does not change who prepared the draft.
	changed := draftOf("d1", "olivia")
	changed.ChangedBy = "olivia"
	if err := saveDraft(s, changed); err != nil {
		t.Fatal(err)
	}
	if got := must(s.Draft(t.Context(), userScope("olivia"), "d1"))(t); got.PreparedBy != "ada" ||
		got.ChangedBy != "olivia" {
		t.Errorf("got prepared by %q, changed by %q", got.PreparedBy, got.ChangedBy)
	}
}

func setLegalHold(t *testing.T, s *store.Store, app heloc.AppID) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		had, err := tx.SetLegalHold(ctx, app, noon())
		if err == nil && !had {
			t.Errorf("there is no lead %s to put under a legal hold", app)
		}
		return err
	})
}
