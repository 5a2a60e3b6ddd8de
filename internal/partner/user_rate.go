package partner

import (
	"context"
	"sync"

	"golang.org/x/time/rate"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// userLimits are the rate limiters of users (Caller.User). The zero value limits nobody.
type userLimits struct {
	perSecond int // of all processes that share the key
	mu        sync.Mutex
	processes int
	buckets   map[string]*rate.Limiter // at most one per account
}

// wait blocks until the user's rate limit allows a request.
func (s *userLimits) wait(ctx context.Context, userID string) error {
	if s.perSecond <= 0 || userID == "" {
		return nil
	}
	return s.bucket(userID).Wait(ctx)
}

// share limits each user to their part of the rate, when so many processes share the key.
func (s *userLimits) share(processes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processes = processes
	for _, l := range s.buckets {
		l.SetLimit(s.limit())
		l.SetBurst(s.burst())
	}
}

func (s *userLimits) limit() rate.Limit {
	return rate.Limit(s.perSecond) / rate.Limit(max(1, s.processes))
}

func (s *userLimits) burst() int { return max(1, burstSeconds*s.perSecond/max(1, s.processes)) }

// burstSeconds is the size of a burst, in seconds of the user's rate: a page may need many
// requests at once, and a pause follows.
const burstSeconds = 4

func (s *userLimits) bucket(userID string) *rate.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.buckets == nil {
		s.buckets = map[string]*rate.Limiter{}
	}
	l, known := s.buckets[userID]
	if !known {
		l = rate.NewLimiter(s.limit(), s.burst())
		s.buckets[userID] = l
	}
	return l
}

// waitForRate waits for the user's rate limit and then for that of the key.
func (c *Client) waitForRate(ctx context.Context, call call) *Failure {
	caller := CallerOf(ctx)
	err := c.userLimits.wait(ctx, caller.User)
	if err == nil {
		err = c.budget.wait(ctx, caller)
	}
	if err == nil {
		return nil
	}
	failure := call.failure(Failure{Reach: heloc.ReachNothing}, fault.Unavailable, err)
	failure.err.Public = "Many requests to the lender are waiting right now. Nothing was sent. Try again in a moment."
	return failure
}
