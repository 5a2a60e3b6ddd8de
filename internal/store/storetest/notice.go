package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func noticeOf(n int, user, fact string) lead.Notice {
	return lead.Notice{
		UserID: user, Company: "B1", App: appID(n), ShortID: "1-1", Kind: lead.NoticeWire, About: "RETURNED", DedupKey: fact,
		At: store.Millis(noon()),
	}
}

func notify(t *testing.T, s *store.Store, n lead.Notice) (fresh bool) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) (err error) {
		fresh, err = tx.Notify(ctx, n)
		return err
	})
	return fresh
}

func notifiedOnce(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	add(t, s, leadOf(1, "o1", "B1"))
	for i, tt := range []struct {
		user, fact string
		want       bool
	}{{"olivia", "f1", true}, {"olivia", "f1", false}, {"marcus", "f1", true}, {"olivia", "f2", true}} {
		if got := notify(t, s, noticeOf(1, tt.user, tt.fact)); got != tt.want {
			t.Errorf("%d: got new %v, want %v", i, got, tt.want)
		}
	}
	olivia := store.UserScope{UserID: "olivia", Company: "B1"}
	if got := must(s.Notices(t.Context(), olivia, ""))(t); len(got.Notices) != 2 || got.Notices[0].About != "RETURNED" ||
		got.Notices[0].N != 1 {
		t.Errorf("got %+v, want two", got)
	}
	for name, other := range map[string]store.UserScope{"another company": {UserID: "olivia", Company: "B2"},
		"nobody": {}} {
		if got := must(s.Notices(t.Context(), other, ""))(t); len(got.Notices) != 0 {
			t.Errorf("%s reads %d", name, len(got.Notices))
		}
		if got := must(s.Unread(t.Context(), other))(t); got != 0 {
			t.Errorf("%s counts %d", name, got)
		}
	}
}

// batchNotifiedOnce raises the number of one notification, which becomes unread again only when it grows.
func batchNotifiedOnce(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	in := store.UserScope{UserID: "olivia", Company: "B1"}
	batch := func(n int, key string, older ...string) (changed bool) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) (err error) {
			changed, err = tx.NotifyBatch(ctx, lead.Notice{
				UserID: "olivia", Company: "B1", Kind: lead.NoticeLeadsReceived, About: "job", N: n, DedupKey: key,
				OldDedupKeys: older, At: store.Millis(noon()) + int64(n),
			})
			return err
		})
		return changed
	}
	read := func(what store.NoticeSelection) {
		t.Helper()
		what.At = noon()
		write(t, s, func(ctx context.Context, tx *store.Tx) error { _, err := tx.MarkNoticesRead(ctx, in, what); return err })
	}
	if !batch(1, "k") || !batch(2, "k") || batch(2, "k") || batch(1, "k") {
		t.Error("a batch changes only when it grows")
	}
	got := must(s.Notices(t.Context(), in, ""))(t).Notices
	if len(got) != 1 || got[0].N != 2 || got[0].App != "" || got[0].About != "job" {
		t.Fatalf("got %+v, want one of two leads", got)
	}
	read(store.NoticeSelection{Batch: "another"})
	if n := must(s.Unread(t.Context(), in))(t); n != 1 {
		t.Errorf("another batch was read: got %d unread, want 1", n)
	}
	read(store.NoticeSelection{Batch: "job"})
	if n := must(s.Unread(t.Context(), in))(t); n != 0 {
		t.Errorf("it was read: got %d unread, want 0", n)
	}
	if batch(2, "k") || must(s.Unread(t.Context(), in))(t) != 0 {
		t.Error("the same number is unread again")
	}
	// After a change of the key, the notification is found by its older key.
	if !batch(3, "new", "k") || len(must(s.Notices(t.Context(), in, ""))(t).Notices) != 1 ||
		must(s.Unread(t.Context(), in))(t) != 1 {
		t.Error("a third lead makes the one notification unread")
	}
}

func noticesPaged(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	add(t, s, leadOf(1, "o1", "B1"))
	in := store.UserScope{UserID: "olivia", Company: "B1"}
	const many = 2*store.PageSize + 7
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i := range many {
			n := noticeOf(1, "olivia", appIDText(i))
			n.At += int64(i / 3) // three per instant
			if _, err := tx.Notify(ctx, n); err != nil {
				return err
			}
		}
		return nil
	})
	seen, after := map[string]bool{}, ""
	last := int64(1 << 62)
	for {
		page := must(s.Notices(t.Context(), in, after))(t)
		for _, n := range page.Notices {
			if seen[n.ID] || n.At > last {
				t.Fatalf("%s appears twice, or out of order", n.ID)
			}
			seen[n.ID], last = true, n.At
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if len(seen) != many {
		t.Errorf("got %d, want %d", len(seen), many)
	}
	if got := must(s.Unread(t.Context(), in))(t); got != lead.UnreadLimit {
		t.Errorf("counts %d, want it to stop at %d", got, lead.UnreadLimit)
	}
}

func appIDText(n int) string { return string(appID(n)) }

func noticesMarkedRead(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	for _, n := range []lead.Notice{noticeOf(1, "olivia", "a"), noticeOf(2, "olivia", "b"), noticeOf(1, "olivia", "c"),
		noticeOf(1, "marcus", "a")} {
		notify(t, s, n)
	}
	olivia, marcus := store.UserScope{UserID: "olivia", Company: "B1"}, store.UserScope{UserID: "marcus", Company: "B1"}
	reads := func(in store.UserScope, what store.NoticeSelection, want, left int) {
		t.Helper()
		what.At = noon()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if n, err := tx.MarkNoticesRead(ctx, in, what); err != nil || n != int64(want) {
				t.Errorf("%+v: got %d read, %v, want %d", what, n, err, want)
			}
			return nil
		})
		if got := must(s.Unread(t.Context(), olivia))(t); got != left {
			t.Errorf("%+v: got %d unread, want %d", what, got, left)
		}
	}
	all := must(s.Notices(t.Context(), olivia, ""))(t).Notices
	reads(olivia, store.NoticeSelection{}, 0, 3)
	reads(marcus, store.NoticeSelection{ID: all[0].ID}, 0, 3)
	reads(olivia, store.NoticeSelection{App: appID(2), Until: noon().Add(-time.Millisecond)}, 0, 3)
	reads(olivia, store.NoticeSelection{App: appID(2), Until: noon()}, 1, 2)
	if must(s.HasUnread(t.Context(), olivia, store.NoticeSelection{App: appID(2)}))(t) ||
		!must(s.HasUnread(t.Context(), olivia, store.NoticeSelection{App: appID(1)}))(t) {
		t.Error("the unread state of a lead is wrong")
	}
	later := noticeOf(1, "olivia", "d")
	later.At += 5
	notify(t, s, later)
	reads(olivia, store.NoticeSelection{UpTo: all[0].ID}, 2, 1)
	if got := must(s.Unread(t.Context(), marcus))(t); got != 1 {
		t.Errorf("another user's: got %d unread, want 1", got)
	}
	drop := func(read, any time.Time, want int) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropNotices(ctx, read, any) })
		if got := must(s.Notices(t.Context(), olivia, ""))(t); len(got.Notices) != want {
			t.Errorf("got %d left, want %d", len(got.Notices), want)
		}
	}
	drop(noon(), noon().Add(-time.Hour), 4)
	drop(noon().Add(time.Hour), noon().Add(-time.Hour), 1) // notifications that were read are deleted
	drop(noon().Add(time.Hour), noon().Add(time.Hour), 0)
}

func peopleOfLead(t *testing.T, s *store.Store) {
	for _, u := range []access.User{
		userOf("gone", access.Originator), userOf("olivia", access.Originator), userOf("maya", access.Manager),
		userOf("other", access.Manager),
	} {
		switch u.UserID {
		case "olivia", "gone":
			u.OriginatorUUID = "o1"
		case "other":
			u.BrokerID = "B2"
		}
		addUser(t, s, u)
		if u.UserID == "gone" {
			if err := s.DisableUser(t.Context(), "gone"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for originator, want := range map[string]string{"o1": "[olivia]", "": "[maya]", "o9": "[]"} {
		got := must(s.PeopleOf(t.Context(), heloc.OriginatorID(originator), "B1"))(t)
		if text := fmt.Sprint(got); text != want {
			t.Errorf("%q: got %s, want %s", originator, text, want)
		}
	}
}

func viewsOfManyLeads(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"), leadOf(3, "o2", "B2"))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.SaveLastView(ctx, "olivia", appID(1), noon(), false)
	})
	apps := []heloc.AppID{appID(1), appID(2), appID(3)}
	if got := must(s.ViewedAt(t.Context(), "olivia", apps))(t); len(got) != 1 || got[appID(1)] != store.Millis(noon()) {
		t.Errorf("got %v", got)
	}
	if got := must(s.ViewedAt(t.Context(), "olivia", nil))(t); len(got) != 0 {
		t.Errorf("of none: got %v", got)
	}
	if got := must(s.LeadsAmong(t.Context(), access.Scope{BrokerID: "B1"}, apps))(t); len(got) != 2 {
		t.Errorf("got %d leads of the company, want 2", len(got))
	}
	if got := must(s.LeadsAmong(t.Context(), access.Scope{}, apps))(t); len(got) != 0 {
		t.Errorf("got %d leads without a scope", len(got))
	}
}
