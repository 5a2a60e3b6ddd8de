package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/store"
)

func alertsPerDay(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	add := func(user, kind string, at time.Time) (first bool) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) (err error) {
			first, err = tx.AddAlert(ctx, store.Alert{UserID: user, Kind: kind, Network: "n", Browser: "b",
				At: store.Millis(at)})
			return err
		})
		return first
	}
	for i, tt := range []struct {
		user, kind string
		after      time.Duration
		want       bool
	}{
		{"olivia", "half", 0, true}, {"olivia", "half", time.Hour, false},
		{"olivia", "guessed", time.Hour, true}, {"marcus", "half", time.Hour, true},
		{"olivia", "half", 25 * time.Hour, true}, {"olivia", "half", 26 * time.Hour, false},
	} {
		if got := add(tt.user, tt.kind, noon().Add(tt.after)); got != tt.want {
			t.Errorf("%d: first of its day: got %v, want %v", i, got, tt.want)
		}
	}
	all := must(s.Alerts(t.Context(), "olivia", 10))(t)
	if len(all) != 3 || all[0].Kind != "half" || all[0].Count != 2 ||
		all[0].LastAt != store.Millis(noon().Add(26*time.Hour)) {
		t.Errorf("got %+v, want three, newest first, with their counts", all)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropAlerts(ctx, noon().Add(2*time.Hour)) })
	if all := must(s.Alerts(t.Context(), "olivia", 10))(t); len(all) != 1 {
		t.Errorf("got %d, want only the recent one", len(all))
	}
}

func loginLocations(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	at := func(n int) store.LoginLocation {
		return store.LoginLocation{UserID: "olivia", Network: fmt.Sprintf("n%d", n), Browser: "b"}
	}
	has := func(p store.LoginLocation) bool { return must(s.SignInState(t.Context(), p))(t).KnownLocation }
	if state := must(s.SignInState(t.Context(), at(0)))(t); state.KnownLocation || !state.FirstSignIn {
		t.Errorf("got %+v, want a first sign-in from a location that is not known", state)
	}
	save := func(n int, when time.Time) {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.SaveLoginLocation(ctx, at(n), when); err != nil {
				return err
			}
			return tx.TrimLoginLocations(ctx, "olivia")
		})
	}
	save(0, noon())
	other := at(0)
	other.Browser = "another"
	if must(s.SignInState(t.Context(), at(0)))(t).FirstSignIn {
		t.Error("the second sign-in counts as the first")
	}
	if !has(at(0)) || has(at(1)) || has(other) {
		t.Errorf("got %v, %v, %v, want only the known location, not another network or another browser",
			has(at(0)), has(at(1)), has(other))
	}
	for n := range 60 {
		save(n, noon().Add(time.Duration(n)*time.Second))
	}
	if has(at(9)) || !has(at(10)) || !has(at(59)) {
		t.Error("the fifty most recent locations are not the ones that are stored")
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.DropLoginLocations(ctx, noon().Add(59*time.Second))
	})
	if has(at(58)) || !has(at(59)) {
		t.Error("locations are not deleted by their last use")
	}
}
