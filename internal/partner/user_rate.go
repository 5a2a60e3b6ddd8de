package partner

import (
	"context"
	"sync"

	"golang.org/x/time/rate"

	"hearthline/internal/fault"
)

type userKey struct{}

// WithUser names the person in whose name requests under this context are made, by id.
// Their share of Config.UserRate then bounds all of them together, whatever the screen.
func WithUser(ctx context.Context, person string) context.Context {
	return context.WithValue(ctx, userKey{}, person)
}

// userLimits are the buckets of persons. The zero value limits nobody.
type userLimits struct {
	perSecond int
	mu        sync.Mutex
	buckets   map[string]*rate.Limiter // as many as there are accounts
}

// wait lets a request through when the person's share has room for it.
func (s *userLimits) wait(ctx context.Context) error {
	person, _ := ctx.Value(userKey{}).(string)
	if s.perSecond <= 0 || person == "" {
		return nil
	}
	return s.bucket(person).Wait(ctx)
}

// burstSeconds is how many requests a person may make at once, in seconds of their share: a page
// that asks for much, then a pause.
const burstSeconds = 4

func (s *userLimits) bucket(person string) *rate.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.buckets == nil {
		s.buckets = map[string]*rate.Limiter{}
	}
	l, known := s.buckets[person]
	if !known {
		l = rate.NewLimiter(rate.Limit(s.perSecond), burstSeconds*s.perSecond)
		s.buckets[person] = l
	}
	return l
}

// waitForRate waits for a place in the person's share and in that of the whole key.
func (c *Client) waitForRate(ctx context.Context, call call) error {
	err := c.userLimits.wait(ctx)
	if err == nil {
		err = c.rate.Wait(ctx)
	}
	if err != nil {
		return call.failure(Failure{Delivery: DeliveryNotSent}, fault.Unavailable, err)
	}
	return nil
}
