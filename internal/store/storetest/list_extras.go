package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// listExtrasFound adds one kind of thing after the other, each first for another user or too early, and wants to be
// told of it from then on.
func listExtrasFound(t *testing.T, s *store.Store) {
	for _, name := range []string{"olivia", "marcus"} {
		user := userOf(name, access.Originator)
		user.OriginatorUUID = "orig-" + name
		addUser(t, s, user)
	}
	add(t, s, leadOf(1, "orig-olivia", "B1"), leadOf(2, "orig-marcus", "B1"))
	now := time.Now()
	in, since := store.UserScope{UserID: "olivia", Company: "B1"}, now.Add(-time.Hour)
	later := store.Millis(now.Add(-time.Second))
	read := func() store.ListExtras { return must(s.ListExtras(t.Context(), in, since))(t) }
	first := read() // the lead may be older than the account
	want := store.ListExtras{UpdatesSeenAt: first.UpdatesSeenAt, CreatedAt: first.CreatedAt, WaitingOwn: first.WaitingOwn}
	if got := read(); got != want || got.UpdatesSeenAt == 0 {
		t.Fatalf("got %+v, want nothing since the account was created", got)
	}
	after := want.UpdatesSeenAt + 1
	operation := func(id, actor string, app heloc.AppID) lead.Operation {
		return lead.Operation{ID: id, Kind: heloc.OpStart, ActorID: actor, Company: "B1", State: lead.OpUnknown, App: app,
			CreatedAt: 1}
	}
	absence := func(id, user string, ends int64) lead.Absence {
		return lead.Absence{ID: id, Company: "B1", UserID: user, Originator: "orig-" + heloc.OriginatorID(user),
			DeputyID: "marcus", StartsAt: 1, EndsAt: ends, CoverEndsAt: ends}
	}
	view := func(id, user string) store.SavedView {
		return store.SavedView{ID: id, UserID: user, Company: "B1", Sealed: []byte("s")}
	}
	for _, tt := range []struct {
		what      string
		not, does func(ctx context.Context, tx *store.Tx) error
		change    func(e *store.ListExtras)
	}{
		{"events", func(ctx context.Context, tx *store.Tx) error {
			return tx.AddEvent(ctx, lead.Event{App: appID(2), Originator: "orig-marcus", Kind: lead.EventStep, At: after})
		}, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddEvent(ctx, lead.Event{App: appID(1), Originator: "orig-olivia", Kind: lead.EventStep, At: after})
		}, func(e *store.ListExtras) { e.Events = true }},
		{"follow-ups", func(ctx context.Context, tx *store.Tx) error {
			return tx.AddFollowUp(ctx, lead.FollowUp{ID: "f2", App: appID(2), ActorID: "marcus", DueAt: after, CreatedAt: 1})
		}, func(ctx context.Context, tx *store.Tx) error {
			l, err := tx.AnyLead(ctx, appID(1))
			if err != nil {
				return err
			}
			l.FollowUpAt = after
			return tx.SaveLead(ctx, &l, noon(), true)
		}, func(e *store.ListExtras) { e.FollowUps = 1 }},
		{"drafts", func(ctx context.Context, tx *store.Tx) error { return tx.SaveDraft(ctx, draftOf("d2", "marcus")) },
			func(ctx context.Context, tx *store.Tx) error { return tx.SaveDraft(ctx, draftOf("d1", "olivia")) },
			func(e *store.ListExtras) { e.Drafts = true }},
		{"starts", func(ctx context.Context, tx *store.Tx) error {
			return tx.AddOperation(ctx, operation("s2", "marcus", ""))
		},
			func(ctx context.Context, tx *store.Tx) error {
				return tx.AddOperation(ctx, operation("s1", "olivia", ""))
			},
			func(e *store.ListExtras) { e.Unsettled = true }},
		{"notifications", func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.Notify(ctx, lead.Notice{UserID: "marcus", Company: "B1", Kind: lead.NoticeCondition, App: appID(1),
				DedupKey: "a"})
			return err
		}, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.Notify(ctx, lead.Notice{UserID: "olivia", Company: "B1", Kind: lead.NoticeCondition, App: appID(1),
				DedupKey: "a"})
			return err
		}, func(e *store.ListExtras) { e.Unread = 1 }},
		{"views", func(ctx context.Context, tx *store.Tx) error { return tx.AddSavedView(ctx, view("v2", "marcus")) },
			func(ctx context.Context, tx *store.Tx) error { return tx.AddSavedView(ctx, view("v1", "olivia")) },
			func(e *store.ListExtras) { e.OwnViews = true }},
		{"shared views", func(context.Context, *store.Tx) error { return nil },
			func(ctx context.Context, tx *store.Tx) error { return tx.ShareSavedView(ctx, "v2", now) },
			func(e *store.ListExtras) { e.SharedViews = true }},
		{"reassignments", func(ctx context.Context, tx *store.Tx) error {
			return tx.AddReassignment(ctx, lead.Reassignment{OpID: "r0", App: appID(1), ActorID: "olivia", Sealed: []byte{},
				At: store.Millis(since) - 1})
		}, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddReassignment(ctx, lead.Reassignment{OpID: "r1", App: appID(1), ActorID: "olivia",
				Sealed: []byte{}, At: later})
		}, func(e *store.ListExtras) { e.Reassigned = true }},
		{"runs", func(ctx context.Context, tx *store.Tx) error {
			return tx.AddJob(ctx, lead.Job{ID: "j0", Kind: lead.JobRule, ActorID: "olivia", Company: "B1", Sealed: []byte{},
				CreatedAt: later}, nil)
		}, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddJob(ctx, lead.Job{ID: "j1", Kind: lead.JobUndo, ActorID: "olivia", Company: "B1", Sealed: []byte{},
				CreatedAt: later}, nil)
		}, func(e *store.ListExtras) { e.Runs = true }},
		{"absences", func(ctx context.Context, tx *store.Tx) error {
			return tx.AddAbsence(ctx, absence("a0", "olivia", store.Millis(now.Add(time.Hour))))
		}, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddAbsence(ctx, absence("a1", "olivia", later))
		},
			func(e *store.ListExtras) { e.Returned = true }},
	} {
		write(t, s, tt.not)
		want.Unknown = want.Unknown || tt.what == "starts" // of any user
		if got := read(); got != want {
			t.Errorf("%s of another user or time: got %+v, want %+v", tt.what, got, want)
		}
		write(t, s, tt.does)
		tt.change(&want)
		if got := read(); got != want {
			t.Errorf("%s: got %+v, want %+v", tt.what, got, want)
		}
	}
}
