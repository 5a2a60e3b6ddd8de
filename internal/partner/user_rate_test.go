package partner

import (
	"context"
	"math"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

func TestUserRate_OneUser_LeavesRateForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &userLimits{perSecond: 5}
		wait := func(userID string, times int) time.Duration {
			t.Helper()
			began := time.Now()
			for range times {
				if err := s.wait(context.Background(), userID); err != nil {
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
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		if err := s.wait(ctx, "olivia"); err == nil {
			t.Error("got no error, want one before the deadline")
		}
	})
}

// The processes that share the key together stay within its rate, and a user within theirs.
func TestShareRate_SeveralProcesses_PartEach(t *testing.T) {
	t.Parallel()
	c, err := New(Config{BaseURL: "https://lender.test", APIKeys: func() []string { return []string{"key"} }, Rate: 10, UserRate: 5})
	if err != nil {
		t.Fatal(err)
	}
	user := c.userLimits.bucket("olivia")
	for processes, want := range map[int]float64{2: 5, 4: 2.5, 1: 10, 30: 10.0 / 30} {
		c.ShareRate(processes)
		if got := float64(c.budget.limiter.Limit()); got != want {
			t.Errorf("%d processes: %v a second, want %v", processes, got, want)
		}
		for _, userID := range []string{"olivia", "new " + strconv.Itoa(processes)} {
			if got := float64(c.userLimits.bucket(userID).Limit()); math.Abs(got-want/2) > 1e-9 {
				t.Errorf("%d processes: %s may send %v a second, want %v", processes, userID, got, want/2)
			}
		}
		if c.budget.limiter.Burst() < 1 || user.Burst() < 1 {
			t.Errorf("%d processes: nothing can be sent", processes)
		}
	}
}
