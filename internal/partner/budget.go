package partner

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// interactiveTurns is how many calls that a user waits for are sent before one in the background, while both wait. The
// background has then a quarter of the rate at least, and users have three quarters.
const interactiveTurns = 3

// budget is the rate of the lender's key. Calls that must wait for it are served by company, in turn, and those that a
// user waits for before others.
type budget struct {
	mu          sync.Mutex
	limiter     *rate.Limiter
	interactive Turns[*waiter]
	background  Turns[*waiter]
	inRow       int // interactive calls since the last one in the background
	next        *time.Timer
	observe     func(Wait)
}

// waiter is a call that waits.
type waiter struct {
	since time.Time
	ready chan struct{} // closed when it may be sent
}

// Wait describes how long one call waited for the lender's rate.
type Wait struct {
	Background bool
	Sent       bool // false when the caller gave up
	Duration   time.Duration
}

// QueueStats are the calls that wait for the lender's rate now.
type QueueStats struct {
	Interactive, Background int           // calls
	Companies               int           // that wait with at least one call; one that waits with both kinds counts twice
	Oldest                  time.Duration // how long the first call of the queue has waited
}

func newBudget(perSecond int, observe func(Wait)) *budget {
	return &budget{limiter: limiter(perSecond), observe: observe}
}

func limiter(perSecond int) *rate.Limiter {
	if perSecond <= 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(perSecond), perSecond)
}

// setRate changes the rate; calls that wait already are sent at the new one.
func (b *budget) setRate(limit rate.Limit, burst int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limiter.SetLimit(limit)
	b.limiter.SetBurst(burst)
	b.serve()
}

// wait blocks until the call may be sent. If the context ends first, the call has used nothing.
func (b *budget) wait(ctx context.Context, c Caller) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	w := &waiter{since: time.Now(), ready: make(chan struct{})}
	queue := b.queueOf(c)
	b.mu.Lock()
	queue.Add(c.Company, w)
	b.serve()
	b.mu.Unlock()
	select {
	case <-w.ready:
		b.observe(Wait{Background: c.Background, Sent: true, Duration: time.Since(w.since)})
		return nil
	case <-ctx.Done():
	}
	b.leave(queue, c.Company, w)
	b.observe(Wait{Background: c.Background, Duration: time.Since(w.since)})
	return context.Cause(ctx)
}

// leave removes a call whose caller has given up. If its turn came at the same moment, another call gets it.
func (b *budget) leave(queue *Turns[*waiter], company string, w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !queue.Remove(company, w) && b.interactive.Len()+b.background.Len() > 0 {
		close(b.take().ready)
	}
}

func (b *budget) queueOf(c Caller) *Turns[*waiter] {
	if c.Background {
		return &b.background
	}
	return &b.interactive
}

// serve lets calls go as far as the rate allows, and comes back when it allows the next one. The caller holds the lock.
func (b *budget) serve() {
	for b.interactive.Len()+b.background.Len() > 0 {
		reserved := b.limiter.Reserve()
		if pause := reserved.Delay(); pause > 0 {
			reserved.Cancel() // whose turn it is will be known then
			b.serveAfter(pause)
			return
		}
		close(b.take().ready)
	}
}

func (b *budget) serveAfter(pause time.Duration) {
	if b.next != nil {
		b.next.Reset(pause)
		return
	}
	b.next = time.AfterFunc(pause, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.serve()
	})
}

// take removes the call whose turn it is. There is one.
func (b *budget) take() *waiter {
	background := b.interactive.Len() == 0 || b.background.Len() > 0 && b.inRow >= interactiveTurns
	if background {
		b.inRow = 0
		w, _ := b.background.Next()
		return w
	}
	b.inRow++
	w, _ := b.interactive.Next()
	return w
}

// queued describes the calls that wait.
func (b *budget) queued() QueueStats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := QueueStats{Interactive: b.interactive.Len(), Background: b.background.Len(), Companies: b.interactive.Companies() + b.background.Companies()}
	now := time.Now()
	for _, queue := range []*Turns[*waiter]{&b.interactive, &b.background} {
		for _, items := range queue.waiting {
			s.Oldest = max(s.Oldest, now.Sub(items[0].since))
		}
	}
	return s
}

// Queue describes the calls that wait for the lender's rate now.
func (c *Client) Queue() QueueStats { return c.budget.queued() }
