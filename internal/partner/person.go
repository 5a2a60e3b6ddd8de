package partner

import (
	"context"
	"sync"

	"golang.org/x/time/rate"

	"hearthline/internal/fault"
)

type personKey struct{}

// OnBehalf names the person in whose name requests under this context are made, by id.
// Their share of Config.PersonRate then bounds all of them together, whatever the screen.
func OnBehalf(ctx context.Context, person string) context.Context {
	return context.WithValue(ctx, personKey{}, person)
}

// shares are the buckets of persons. The zero value limits nobody.
type shares struct {
	perSecond int
	mu        sync.Mutex
	of        map[string]*rate.Limiter // as many as there are accounts
}

// wait lets a request through when the person's share has room for it.
func (s *shares) wait(ctx context.Context) error {
	person, _ := ctx.Value(personKey{}).(string)
	if s.perSecond <= 0 || person == "" {
		return nil
	}
	return s.bucket(person).Wait(ctx)
}

// burst is how many requests a person may make at once, in seconds of their share: a page
// that asks for much, then a pause.
const burst = 4

func (s *shares) bucket(person string) *rate.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[string]*rate.Limiter{}
	}
	l, known := s.of[person]
	if !known {
		l = rate.NewLimiter(rate.Limit(s.perSecond), burst*s.perSecond)
		s.of[person] = l
	}
	return l
}

// admit waits for a place in the person's share and in that of the whole key.
func (c *Client) admit(ctx context.Context, call call) error {
	err := c.shares.wait(ctx)
	if err == nil {
		err = c.rate.Wait(ctx)
	}
	if err != nil {
		return call.fail(Failure{Reached: NotSent}, fault.Unavailable, err)
	}
	return nil
}
