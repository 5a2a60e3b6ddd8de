package sandbox

import (
	"sync"
	"time"
)

// clock is the lender's calendar: what it stamps on inquiries. It can be set, and
// ticks on from there. How long processing takes is real time and none of its business.
type clock struct {
	source func() time.Time
	mu     sync.Mutex
	offset time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.source().Add(c.offset).UTC().Truncate(time.Millisecond)
}

// set makes now the given instant; the zero instant gives the source back.
func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset = 0
	if !t.IsZero() {
		c.offset = t.Sub(c.source())
	}
}

// SetClock sets the lender's calendar; it ticks on from there. The zero instant
// gives Config.Now back.
func (s *Sandbox) SetClock(t time.Time) { s.clock.set(t) }
