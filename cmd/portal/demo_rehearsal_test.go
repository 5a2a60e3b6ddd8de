package main

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

// TestStartRehearsals_SeededWrites_DoNotCount expects that missions count from the end of the seed, although the
// account is older than what the seed sent.
func TestStartRehearsals_SeededWrites_DoNotCount(t *testing.T) {
	t.Parallel()
	created := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	now := created
	clock := func() time.Time { return now }
	db, err := store.Open(t.Context(), storetest.NewDatabase(t), store.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	h := &portal{store: db, desks: desk.New(desk.Deps{Store: db, Now: clock})}
	var olivia access.Actor
	for i, p := range demoUsers() {
		who := access.Actor{UserID: p.email, Email: p.email, Name: p.name, Role: p.role}
		if p.role != access.Admin {
			who.OriginatorUUID, who.BrokerID = string(rune('a'+i)), "B1"
		}
		if i == 0 {
			olivia = who
		}
		if err := db.AddUser(t.Context(), access.User{Actor: who}, ""); err != nil {
			t.Fatal(err)
		}
	}
	since := func() time.Time {
		t.Helper()
		rehearsal, err := h.desks.For(olivia).Rehearsal()
		if err != nil {
			t.Fatal(err)
		}
		progress, err := rehearsal.Progress(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return progress.Since
	}
	if got := since(); !got.Equal(created) {
		t.Fatalf("before: got %s, want the account's %s", got, created)
	}
	now = created.Add(48 * time.Hour)
	if err := h.startRehearsals(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := since(); !got.Equal(now) {
		t.Errorf("got %s, want %s", got, now)
	}
}
