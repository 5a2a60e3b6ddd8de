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

// leadExtrasFound adds one kind of thing after the other, each first to another lead, and wants to be told of it from
// then on.
func leadExtrasFound(t *testing.T, s *store.Store) {
	for _, name := range []string{"olivia", "marcus"} {
		user := userOf(name, access.Originator)
		user.OriginatorUUID = "orig-" + name
		addUser(t, s, user)
	}
	add(t, s, leadOf(1, "orig-olivia", "B1"), leadOf(2, "orig-marcus", "B1"))
	now := time.Now()
	in := store.UserScope{UserID: "olivia", Company: "B1"}
	read := func() store.LeadExtras { return must(s.LeadExtras(t.Context(), in, appID(1)))(t) }
	var want store.LeadExtras
	if got := read(); got != want {
		t.Fatalf("got %+v, want nothing", got)
	}
	type adding = func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error
	for _, tt := range []struct {
		what   string
		add    adding
		change func(e *store.LeadExtras)
	}{
		{"notes", func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error {
			return tx.AddNote(ctx, lead.Note{ID: id, App: app, ActorID: "olivia", Sealed: []byte{}, At: 1})
		}, func(e *store.LeadExtras) { e.Notes = true }},
		{"follow-ups", func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error {
			return tx.AddFollowUp(ctx, lead.FollowUp{ID: id, App: app, ActorID: "olivia", DueAt: 1, CreatedAt: 1})
		}, func(e *store.LeadExtras) { e.FollowUps = true }},
		{"references", func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error {
			return tx.AddReference(ctx, store.Reference{App: app, BlindIndex: id})
		}, func(e *store.LeadExtras) { e.CRMReferences = true }},
		{"draft of one author", func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error {
			d := draftOf("one"+id, "olivia")
			d.App = app
			return tx.SaveDraft(ctx, d)
		}, func(*store.LeadExtras) {}},
		{"draft of two authors", func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error {
			d := draftOf("two"+id, "olivia")
			d.App, d.PreparedBy = app, "marcus"
			return tx.SaveDraft(ctx, d)
		}, func(e *store.LeadExtras) { e.Prepared = true }},
		{"reassignments", func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error {
			return tx.AddReassignment(ctx, lead.Reassignment{OpID: id, App: app, ActorID: "olivia", Sealed: []byte{}, At: 1})
		}, func(e *store.LeadExtras) { e.Reassigned = true }},
		{"choices", func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error {
			if err := tx.AddOperation(ctx, lead.Operation{ID: id, Kind: heloc.OpSelectOffer, ActorID: "olivia", Company: "B1",
				State: lead.OpSucceeded, App: app, CreatedAt: 1}); err != nil {
				return err
			}
			return tx.AddChoice(ctx, store.Choice{OpID: id, App: app, Kind: heloc.OpSelectOffer, Sealed: []byte{}, At: 1})
		}, func(e *store.LeadExtras) { e.Choices = true }},
		{"payoff plan", func(ctx context.Context, tx *store.Tx, app heloc.AppID, _ string) error {
			return tx.SavePart(ctx, store.SealedPart{App: app, Part: lead.PartPayoffPlan, Version: 1, Sealed: []byte{},
				FetchedAt: 1})
		}, func(e *store.LeadExtras) { e.PayoffPlan = true }},
		{"quotes", func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error {
			return tx.AddQuote(ctx, store.Quote{ID: id, App: app, ActorID: "olivia", SealedRequest: []byte{},
				Sealed: []byte{}, At: 1}, 9)
		}, func(e *store.LeadExtras) { e.Quotes = true }},
		{"shared quotes", func(ctx context.Context, tx *store.Tx, app heloc.AppID, id string) error {
			return tx.AddSharedQuote(ctx, store.SharedQuote{ID: id, App: app, TokenDigest: id, Token: []byte{}, Sealed: []byte{},
				Language: "en", ActorID: "olivia", CreatedAt: 1, ExpiresAt: 2})
		}, func(e *store.LeadExtras) { e.SharedQuotes = true }},
	} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tt.add(ctx, tx, appID(2), tt.what+"2") })
		if got := read(); got != want {
			t.Errorf("%s of another lead: got %+v, want %+v", tt.what, got, want)
		}
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tt.add(ctx, tx, appID(1), tt.what+"1") })
		tt.change(&want)
		if got := read(); got != want {
			t.Errorf("%s: got %+v, want %+v", tt.what, got, want)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.Notify(ctx, lead.Notice{UserID: "olivia", Company: "B1", Kind: lead.NoticeCondition, App: appID(2),
			DedupKey: "a"})
		return err
	})
	want.AllUnread = 1
	if got := read(); got != want {
		t.Errorf("a notification of another lead: got %+v, want %+v", got, want)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.Notify(ctx, lead.Notice{UserID: "olivia", Company: "B1", Kind: lead.NoticeCondition, App: appID(1),
			DedupKey: "b"})
		return err
	})
	want.AllUnread, want.Unread = 2, true
	if got := read(); got != want {
		t.Errorf("a notification of the lead: got %+v, want %+v", got, want)
	}
	absence := lead.Absence{ID: "a", Company: "B1", UserID: "olivia", Originator: "orig-olivia", DeputyID: "marcus",
		StartsAt: 1, EndsAt: 2, CoverEndsAt: 2}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddAbsence(ctx, absence) })
	want.Absences = true
	if got := read(); got != want {
		t.Errorf("an absence: got %+v, want %+v", got, want)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.SaveLastView(ctx, "olivia", appID(1), now, true)
	})
	want.LastView = lead.LastView{ViewedAt: store.Millis(now), DocumentsAt: store.Millis(now)}
	if got := read(); got != want {
		t.Errorf("the last view: got %+v, want %+v", got, want)
	}
}
