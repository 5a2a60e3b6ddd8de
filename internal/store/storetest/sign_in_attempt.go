package storetest

import (
	"context"
	"maps"
	"sync"
	"testing"
	"time"

	"hearthline/internal/store"
)

func saveAttempts(t *testing.T, s *store.Store, rows ...store.SignInAttempts) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveSignInAttempts(ctx, rows...) })
}

func signInAttemptsStored(t *testing.T, s *store.Store) {
	at := store.Millis(noon())
	want := map[string]store.SignInAttempts{
		"failures": {Key: "failures", Count: 2, At: at}, "level": {Key: "level", Level: 7, At: at},
		"full": {Key: "full", Level: 9, At: at},
	}
	check := func(what string) {
		t.Helper()
		if got := must(s.SignInAttempts(t.Context(), "failures", "level", "full", "none"))(t); !maps.Equal(got, want) {
			t.Errorf("%s: got %+v, want %+v", what, got, want)
		}
	}
	saveAttempts(t, s) // nothing
	saveAttempts(t, s, store.SignInAttempts{Key: "failures", Count: 1, Level: 1, At: 1}, want["level"])
	saveAttempts(t, s, want["full"], want["failures"])
	check("saved")
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.ClearSignInAttempts(ctx, store.Refund{Key: "failures"}, store.Refund{Key: "level", Level: 8},
			store.Refund{Key: "full", Level: 4},
			store.Refund{Key: "none", Level: 1})
	})
	want["failures"] = store.SignInAttempts{Key: "failures", At: at}
	want["level"] = store.SignInAttempts{Key: "level", At: at}
	want["full"] = store.SignInAttempts{Key: "full", Level: 5, At: at}
	check("after a success")
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.DropSignInAttempts(ctx); err != nil {
			return err
		}
		n, err := tx.DropSignInAttempts(ctx, "level", "none", "failures")
		if n != 2 {
			t.Errorf("dropped %d, want two", n)
		}
		return err
	})
	delete(want, "failures")
	delete(want, "level")
	check("dropped")
}

// signInAttemptsCounted checks that concurrent attempts are all counted.
func signInAttemptsCounted(t *testing.T, s *store.Store) {
	const attempts = 8
	var running sync.WaitGroup
	for range attempts {
		running.Go(func() {
			write(t, s, func(ctx context.Context, tx *store.Tx) error {
				rows, err := tx.SignInAttempts(ctx, "key")
				if err != nil {
					return err
				}
				return tx.SaveSignInAttempts(ctx, store.SignInAttempts{Key: "key", Count: rows["key"].Count + 1, At: 1})
			})
		})
	}
	running.Wait()
	if got := must(s.SignInAttempts(t.Context(), "key"))(t)["key"].Count; got != attempts {
		t.Errorf("got %d, want each of %d counted", got, attempts)
	}
}

func signInAttemptsForgotten(t *testing.T, s *store.Store) {
	before := noon().Add(-24 * time.Hour)
	saveAttempts(t, s,
		store.SignInAttempts{Key: "old", Count: 3, At: store.Millis(before.Add(-time.Hour))},
		store.SignInAttempts{Key: "old level", Level: 3, At: store.Millis(before.Add(-time.Hour))},
		store.SignInAttempts{Key: "young", Count: 3, At: store.Millis(before.Add(time.Hour))},
		store.SignInAttempts{Key: "rejected", Count: 3, At: 1, Action: "login"},
	)
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.ForgetSignInAttempts(ctx, before) })
	got := must(s.SignInAttempts(t.Context(), "old", "old level", "young", "rejected"))(t)
	if len(got) != 2 || got["young"].Count != 3 || got["rejected"].Count != 3 {
		t.Errorf("got %+v, want the young one and the rejections, which are not summed up yet", got)
	}
}

func rejectedSignInsCounted(t *testing.T, s *store.Store) {
	one := store.SignInAttempts{Key: "a", Action: "login", Object: "user:1", Detail: "d", At: store.Millis(noon())}
	other := one
	other.Key, other.At = "b", one.At+1
	saveAttempts(t, s, other, one, store.SignInAttempts{Key: "failures", Count: 1, At: 1})
	one.Count = 4
	saveAttempts(t, s, one)
	if got := must(s.SignInAttempts(t.Context(), "a", "c"))(t); len(got) != 1 || got["a"] != one {
		t.Errorf("got %+v, want %+v", got, one)
	}
	if n := must(s.CountRejectedSubjects(t.Context()))(t); n != 2 {
		t.Errorf("got %d subjects, want two", n)
	}
	if _, ok, err := s.RejectedSignInsBefore(t.Context(), noon()); err != nil || ok {
		t.Errorf("before the window ends: got %v, %v", ok, err)
	}
	if got, ok, err := s.RejectedSignInsBefore(t.Context(), noon().Add(time.Minute)); err != nil || !ok || got.Key != "a" {
		t.Errorf("got %+v, %v, %v, want the oldest", got, ok, err)
	}
	for _, want := range []int64{1, 0} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if got, err := tx.DropSignInAttempts(ctx, "a"); err != nil || got != want {
				t.Errorf("dropped: got %v, %v, want %v", got, err, want)
			}
			return nil
		})
	}
}
