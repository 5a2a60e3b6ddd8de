package sandbox

import (
	"sync"
	"time"
	_ "time/tzdata" // the lender's zone must be known on a machine without a time zone database
)

// lenderZone is the time zone of the lender. The dates of the interface are its calendar days.
const lenderZone = "America/New_York"

// clock is the lender's calendar, used for the dates of inquiries. It can be set, and runs
// on from there. Processing takes real time and does not depend on it.
type clock struct {
	source func() time.Time
	zone   *time.Location
	mu     sync.Mutex
	offset time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.source().Add(c.offset).UTC().Truncate(time.Millisecond)
}

// lenderTime is now in the lender's time zone. Records store it with its offset from UTC, so its calendar day
// stays the lender's after a restart.
func (c *clock) lenderTime() time.Time { return c.now().In(c.zone) }

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
