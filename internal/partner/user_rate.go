package partner

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

type userKey struct{}

// WithUser sets the id of the user who makes the requests under this context.
// Config.UserRate then limits all of that user's requests together, whatever the screen.
func WithUser(ctx context.Context, userID string) context.Context {
	return context.WithValue(ctx, userKey{}, userID)
}

// userLimits are the rate limiters of users. The zero value limits nobody.
type userLimits struct {
	perSecond int
	mu        sync.Mutex
	buckets   map[string]*rate.Limiter // at most one per account
}

// wait blocks until the user's rate limit allows a request.
func (s *userLimits) wait(ctx context.Context) error {
	userID, _ := ctx.Value(userKey{}).(string)
	if s.perSecond <= 0 || userID == "" {
		return nil
	}
	return s.bucket(userID).Wait(ctx)
}

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
		l = rate.NewLimiter(rate.Limit(s.perSecond), burstSeconds*s.perSecond)
		s.buckets[userID] = l
	}
	return l
}

// waitForRate waits for the user's rate limit and then for that of the key.
func (c *Client) waitForRate(ctx context.Context, call call) error {
	began := time.Now()
	c.waiting.Add(1)
	defer func() {
		c.waiting.Add(-1)
		c.waited.Add(int64(time.Since(began)))
	}()
	err := c.userLimits.wait(ctx)
	if err == nil {
		err = c.rate.Wait(ctx)
	}
	if err != nil {
		return call.failure(Failure{Reach: heloc.ReachNothing}, fault.Unavailable, err)
	}
	return nil
}
