package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// usersTold: notifications that are due together are one entry of the outbox, and only those that still matter are
// listed when it is processed. noon() is a Friday.
func usersTold(t *testing.T, s *store.Store) {
	now := noon()
	s.Now = func() time.Time { return now }
	s.Tell = func(lead.TellChannel) bool { return true }
	addUser(t, s, userOf("olivia", access.Originator))
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"), leadOf(3, "o1", "B1"))
	olivia := store.UserScope{UserID: "olivia", Company: "B1"}
	tell := func(n int, kind lead.NoticeKind) {
		t.Helper()
		one := noticeOf(n, "olivia", fmt.Sprint(kind, n))
		one.Kind, one.At = kind, store.Millis(now)
		notify(t, s, one)
	}
	tell(1, lead.NoticeOffersReady)
	now = now.Add(time.Second)
	tell(2, lead.NoticeBlocked)
	tell(3, lead.NoticeWire)
	tell(1, lead.NoticeEnded)     // by email on Monday
	tell(2, lead.NoticeDirectory) // only in the inbox
	lease := func(kind store.MailKind) (store.Mail, bool) {
		t.Helper()
		m, ok, err := s.LeaseMail(t.Context(), kind, now, now.Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		return m, ok
	}
	for _, kind := range []store.MailKind{store.MailNotices, store.PushNotices} {
		if m, ok := lease(kind); ok {
			t.Errorf("got %+v, want no entry before its time", m)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.MarkNoticesRead(ctx, olivia, store.NoticeSelection{At: now, App: appID(3), Until: now}); err != nil {
			return err
		}
		return tx.SaveLastView(ctx, "olivia", appID(2), now.Add(time.Second), false)
	})
	now = now.Add(5 * time.Second)
	if m, ok := lease(store.PushNotices); !ok || m.UserToTell() != "olivia" {
		t.Errorf("got %+v, %v, want the browsers' entry", m, ok)
	}
	if m, ok := lease(store.PushNotices); ok {
		t.Errorf("got %+v, want one entry for browsers", m)
	}
	now = now.Add(2 * time.Minute)
	entry, ok := lease(store.MailNotices)
	if !ok {
		t.Fatal("the email is not due")
	}
	due := must(s.DueNotices(t.Context(), olivia, lead.TellByEmail))(t)
	if len(due) != 1 || due[0].Kind != lead.NoticeOffersReady {
		t.Fatalf("got %+v, want one: the others were viewed, read or are for Monday", due)
	}
	if got := must(s.DueNotices(t.Context(), store.UserScope{UserID: "olivia", Company: "B2"}, lead.TellByEmail))(t); len(
		got) != 0 {
		t.Errorf("at another company: got %+v", got)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.EndTelling(ctx, entry, olivia, lead.TellByEmail)
	})
	if got := must(s.DueNotices(t.Context(), olivia, lead.TellByEmail))(t); len(got) != 0 {
		t.Errorf("after the email: got %+v", got)
	}
	now = now.Add(time.Hour)
	if m, ok := lease(store.MailNotices); ok {
		t.Errorf("got %+v, want the daily entry on Monday", m)
	}
	now = time.Date(2026, 11, 23, 7, 30, 0, 0, time.UTC).Add(time.Minute)
	if _, ok := lease(store.MailNotices); !ok {
		t.Error("the daily entry is not due on Monday")
	}
	tell(1, lead.NoticeBlocked)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.MarkHandled(ctx, appID(1), lead.NoticeBlocked, lead.NoticeOffersReady)
	})
	if got := must(s.Unread(t.Context(), olivia))(t); got != 3 {
		t.Errorf("after the step: got %d unread, want 3", got)
	}
}

// tellChoicesStored: choices are stored, and apply to the next notification.
func tellChoicesStored(t *testing.T, s *store.Store) {
	s.Tell = func(lead.TellChannel) bool { return true }
	addUser(t, s, userOf("olivia", access.Originator))
	c := must(s.TellChoices(t.Context(), "olivia"))(t)
	for e := range c.Email {
		c.Email[e], c.Push[e] = lead.TellNever, lead.TellNever
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SetTellChoices(ctx, "olivia", c) })
	if got := must(s.TellChoices(t.Context(), "olivia"))(t); got.Text() != c.Text() {
		t.Errorf("got %s, want %s", got.Text(), c.Text())
	}
	add(t, s, leadOf(1, "o1", "B1"))
	one := noticeOf(1, "olivia", "f")
	notify(t, s, one)
	got := must(s.Notices(t.Context(), store.UserScope{UserID: "olivia", Company: "B1"}, ""))(t).Notices
	if len(got) != 1 || got[0].EmailAt != 0 || got[0].PushAt != 0 {
		t.Errorf("got %+v, want one that nobody is told about", got)
	}
}

// pushSubscriptionsStored: a browser belongs to one user, and ends with the user's sessions.
func pushSubscriptionsStored(t *testing.T, s *store.Store) {
	for _, id := range []string{"olivia", "marcus"} {
		addUser(t, s, userOf(id, access.Originator))
	}
	subscribe := func(user, digest string, n int) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddPushSubscription(ctx, store.PushSubscription{ID: fmt.Sprint(user, digest, n), UserID: user,
				EndpointDigest: digest, Sealed: []byte("sealed"), Browser: "Chrome on Windows", CreatedAt: int64(n)})
		})
	}
	count := func(user string) int {
		t.Helper()
		return len(must(s.PushSubscriptions(t.Context(), user))(t))
	}
	subscribe("olivia", "shared", 1)
	subscribe("olivia", "shared", 2)
	subscribe("marcus", "shared", 3)
	if o, m := count("olivia"), count("marcus"); o != 0 || m != 1 {
		t.Errorf("got %d and %d, want the browser with the last user", o, m)
	}
	for i := range store.MaxPushSubscriptions + 2 {
		subscribe("olivia", fmt.Sprint("d", i), 10+i)
	}
	all := must(s.PushSubscriptions(t.Context(), "olivia"))(t)
	if len(all) != store.MaxPushSubscriptions || all[0].EndpointDigest != "d11" || all[9].EndpointDigest != "d2" {
		t.Errorf("got %+v, want the newest", all)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if dropped, err := tx.DropPushSubscription(ctx, "marcus", "d11"); err != nil || dropped {
			return fmt.Errorf("another user's browser: %v, %w", dropped, err)
		}
		_, err := tx.DropPushSubscription(ctx, "olivia", "d11")
		return err
	})
	if _, err := s.PushSubscription(t.Context(), all[0].ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("got %v, want not found", err)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.EndSessionsOf(ctx, "olivia", "kept")
		return err
	})
	if o, m := count("olivia"), count("marcus"); o != 0 || m != 1 {
		t.Errorf("after the sessions ended: got %d and %d", o, m)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.CloseUser(ctx, access.Operator().Actor, "marcus")
	})
	if m := count("marcus"); m != 0 {
		t.Errorf("after the account closed: got %d", m)
	}
}
