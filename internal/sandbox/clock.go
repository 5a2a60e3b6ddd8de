package sandbox

import (
	"sync"
	"time"
)

// clock is the lender's calendar, used for the dates of inquiries. It can be set, and runs
// on from there. Processing takes real time and does not depend on it.
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

// set makes now the given instant; the zero instant restores the source.
func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset = 0
	if !t.IsZero() {
		c.offset = t.Sub(c.source())
	}
}

// SetClock sets the lender's calendar, which runs on from there. The zero instant restores
// Config.Now.
func (s *Sandbox) SetClock(t time.Time) { s.clock.set(t) }
