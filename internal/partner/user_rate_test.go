package partner

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestRate_SharedKey_Limited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bucket := limiter(10)
		began := time.Now()
		for range 30 {
			if err := bucket.Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := time.Since(began), 2*time.Second; got != want {
			t.Errorf("30 requests at 10 a second took %v, want %v after the burst", got, want)
		}
		began = time.Now()
		for range 1000 {
			if err := limiter(0).Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if got := time.Since(began); got != 0 {
			t.Errorf("no rate: took %v, want 0s", got)
		}
	})
}

func TestUserRate_OneUser_LeavesRateForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &userLimits{perSecond: 5}
		wait := func(userID string, times int) time.Duration {
			t.Helper()
			began := time.Now()
			for range times {
				if err := s.wait(WithUser(context.Background(), userID)); err != nil {
					t.Fatal(err)
				}
			}
			return time.Since(began)
		}
		if got, want := wait("olivia", 30), 2*time.Second; got != want {
			t.Errorf("30 requests of one user took %v, want %v after the burst", got, want)
		}
		for userID, times := range map[string]int{"piotr": 20, "": 1000} {
			if got := wait(userID, times); got != 0 {
				t.Errorf("%q waited %v, want 0s: each user has a separate limit", userID, got)
			}
		}
		ctx, cancel := context.WithTimeout(WithUser(context.Background(), "olivia"), 100*time.Millisecond)
		defer cancel()
		if err := s.wait(ctx); err == nil {
			t.Error("got no error, want one before the deadline")
		}
	})
}

// The processes that share the key together stay within its rate.
func TestShareRate_TwoProcesses_HalfEach(t *testing.T) {
	t.Parallel()
	c, err := New(Config{BaseURL: "https://lender.test", APIKeys: func() []string { return []string{"key"} }, Rate: 10})
	if err != nil {
		t.Fatal(err)
	}
	for processes, want := range map[int]float64{2: 5, 4: 2.5, 1: 10, 30: 10.0 / 30} {
		c.ShareRate(processes)
		if got := float64(c.rate.Limit()); got != want {
			t.Errorf("%d processes: %v a second, want %v", processes, got, want)
		}
		if c.rate.Burst() < 1 {
			t.Errorf("%d processes: nothing can be sent", processes)
		}
	}
}
