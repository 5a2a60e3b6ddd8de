package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// accessRevisionChanges makes each kind of change that can end a session or change its user, and others that cannot.
// The revision is another one after each of the first kind.
func accessRevisionChanges(t *testing.T, s *store.Store) {
	now := time.Now()
	for _, name := range []string{"olivia", "marcus"} {
		addOriginator(t, s, originatorOf("orig-"+name, "B1"), now)
		user := userOf(name, access.Originator)
		user.OriginatorUUID = "orig-" + name
		addUser(t, s, user)
	}
	addUser(t, s, userOf("ada", access.Assistant))
	session := sessionOf(1, "olivia", now)
	other := sessionOf(2, "olivia", now)
	for _, one := range []access.Session{session, other} {
		if err := s.AddSession(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	hash := session.IDHash
	inTx := func(f func(ctx context.Context, tx *store.Tx) error) func() error {
		return func() error {
			return s.Write(t.Context(), func(tx *store.Tx) error { return f(t.Context(), tx) })
		}
	}
	cover := lead.Absence{
		ID: "a", Company: "B1", UserID: "marcus", Originator: "orig-marcus", DeputyID: "olivia", FirstDay: "2026-11-20",
		LastDay: "2099-11-20", StartsAt: 1, EndsAt: store.Millis(now.Add(time.Hour)),
		CoverEndsAt: store.Millis(now.Add(time.Hour)), CreatedBy: "maya", CreatedAt: 1,
	}
	moved := originatorOf("orig-olivia", "B2")
	for _, tt := range []struct {
		what    string
		decides bool
		change  func() error
	}{
		{"activity", false, func() error { return s.TouchSession(t.Context(), hash, now.Add(time.Minute)) }},
		{"dismissed updates", false, func() error { return s.MarkUpdatesSeen(t.Context(), "olivia") }},
		{"a sign-in", false, inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.SaveLoginLocation(ctx, store.LoginLocation{UserID: "olivia", Network: "n", Browser: "b"}, now)
		})},
		{"the same directory", false, inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.SaveOriginator(ctx, originatorOf("orig-olivia", "B1"), now.Add(time.Hour))
		})},
		{"a lead", false, inTx(func(ctx context.Context, tx *store.Tx) error {
			l := leadOf(1, "orig-olivia", "B1")
			return tx.AddLead(ctx, &l, now)
		})},
		{"another time zone", true, inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.SetTimeZone(ctx, "olivia", "America/Boise")
		})},
		{"a cover", true, inTx(func(ctx context.Context, tx *store.Tx) error { return tx.AddAbsence(ctx, cover) })},
		{"a changed cover", true, inTx(func(ctx context.Context, tx *store.Tx) error {
			ended := cover
			ended.CoverEndsAt = 2
			return tx.SaveAbsence(ctx, ended)
		})},
		{"a planned cover", true, inTx(func(ctx context.Context, tx *store.Tx) error {
			planned := cover
			planned.ID, planned.StartsAt, planned.EndsAt, planned.CoverEndsAt = "b", store.Millis(now.Add(time.Hour)),
				store.Millis(now.Add(2*time.Hour)), store.Millis(now.Add(2*time.Hour))
			return tx.AddAbsence(ctx, planned)
		})},
		{"a deleted cover", true, inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.DropAbsence(ctx, "B1", "b")
		})},
		{"another name", true, inTx(func(ctx context.Context, tx *store.Tx) error {
			renamed := originatorOf("orig-olivia", "B1")
			renamed.LastName = "Other"
			return tx.SaveOriginator(ctx, renamed, now)
		})},
		{"a new originator", true, inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.SaveOriginator(ctx, originatorOf("orig-new", "B1"), now)
		})},
		{"an originator is missing", false, inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.NoteMissing(ctx, "orig-new", now)
		})},
		{"an originator is removed", true, inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.MarkRemoved(ctx, "orig-new", now)
		})},
		{"another company", true, inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.SaveOriginator(ctx, moved, now)
		})},
		{"an assistant's originators", true, inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.SetAssistant(ctx, access.Actor{UserID: "maya"}, "ada", "orig-marcus", false)
		})},
		{"another session ended", true, func() error { return s.EndSession(t.Context(), other.IDHash) }},
		{"another role", true, func() error { return s.SetUserRole(t.Context(), "olivia", access.Assistant) }},
		{"a new token", true, func() error {
			hash = "session-new"
			next := session
			next.IDHash = hash
			_, err := s.ElevateSession(t.Context(), session.IDHash, next)
			return err
		}},
		{"a disabled account", true, func() error { return s.DisableUser(t.Context(), "olivia") }},
	} {
		before := must(s.AccessRevision(t.Context()))(t)
		_, was, _ := s.Session(t.Context(), hash)
		if err := tt.change(); err != nil {
			t.Fatalf("%s: %v", tt.what, err)
		}
		after := must(s.AccessRevision(t.Context()))(t)
		if (after != before) != tt.decides {
			t.Errorf("%s: the revision was %d and is %d", tt.what, before, after)
		}
		if _, is, _ := s.Session(t.Context(), hash); !tt.decides && is != was {
			t.Errorf("%s: the user was %+v and is %+v, with the same revision", tt.what, was, is)
		}
	}
}
