package partner

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// interactiveTurns is how many calls that a user waits for are sent before one in the background, while both wait. The
// background has then a quarter of the rate at least, and users have three quarters.
const interactiveTurns = 3

// limiter enforces the rate of the lender's key. Waiting calls are served by company, in turn, and calls that a user
// waits for go before background calls. Within a company, no user is served twice in a row while another one waits,
// so that one user cannot use up the rate.
type limiter struct {
	mu          sync.Mutex
	bucket      *rate.Limiter
	interactive Turns[*waiter]
	background  Turns[*waiter]
	inRow       int               // interactive calls since the last one in the background
	lastUser    map[string]string // who was served last, by company
	next        *time.Timer
	observe     func(Wait)
}

// waiter is a call that waits.
type waiter struct {
	Caller
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

// newLimiter allows so many calls a second, and bursts of the same size; any number if perSecond is 0.
func newLimiter(perSecond int, observe func(Wait)) *limiter {
	l := &limiter{bucket: rate.NewLimiter(rate.Inf, 0), lastUser: map[string]string{}, observe: observe}
	if perSecond > 0 {
		l.bucket = rate.NewLimiter(rate.Limit(perSecond), perSecond)
	}
	return l
}

// setRate changes the rate; calls that wait already are sent at the new one.
func (l *limiter) setRate(limit rate.Limit, burst int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bucket.SetLimit(limit)
	l.bucket.SetBurst(burst)
	l.serve()
}

// wait blocks until the call may be sent. If the context ends first, the call has used nothing.
func (l *limiter) wait(ctx context.Context, c Caller) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	w := &waiter{Caller: c, since: time.Now(), ready: make(chan struct{})}
	l.mu.Lock()
	l.queueOf(c).Add(c.Company, w)
	l.serve()
	l.mu.Unlock()
	select {
	case <-w.ready:
		l.observe(Wait{Background: c.Background, Sent: true, Duration: time.Since(w.since)})
		return nil
	case <-ctx.Done():
		l.leave(w)
		l.observe(Wait{Background: c.Background, Duration: time.Since(w.since)})
		return context.Cause(ctx)
	}
}

// leave removes a call whose caller has given up. If its turn came at the same moment, another call gets it.
func (l *limiter) leave(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.queueOf(w.Caller).Remove(w.Company, w) && l.waiting() > 0 {
		l.serveOne()
	}
}

func (l *limiter) queueOf(c Caller) *Turns[*waiter] {
	if c.Background {
		return &l.background
	}
	return &l.interactive
}

func (l *limiter) waiting() int { return l.interactive.Len() + l.background.Len() }

// serve sends as many calls as the rate allows, and schedules itself for the next one. The caller holds the lock.
func (l *limiter) serve() {
	for l.waiting() > 0 {
		reserved := l.bucket.Reserve()
		if pause := reserved.Delay(); pause > 0 {
			reserved.Cancel() // whose turn it is will be known then
			if l.next != nil {
				l.next.Stop()
			}
			l.next = time.AfterFunc(pause, func() {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.serve()
			})
			return
		}
		l.serveOne()
	}
}

// serveOne sends the call whose turn it is. At least one call must be waiting.
func (l *limiter) serveOne() {
	queue := &l.interactive
	l.inRow++
	if l.interactive.Len() == 0 || l.background.Len() > 0 && l.inRow > interactiveTurns {
		queue, l.inRow = &l.background, 0
	}
	w, _ := queue.NextWhere(func(w *waiter) bool { return w.User != l.lastUser[w.Company] })
	if !w.Background {
		l.lastUser[w.Company] = w.User
	}
	close(w.ready)
}

// Queue describes the calls that wait for the lender's rate now.
func (c *Client) Queue() QueueStats { return c.limiter.queued() }

func (l *limiter) queued() QueueStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := QueueStats{
		Interactive: l.interactive.Len(), Background: l.background.Len(),
		Companies: l.interactive.Companies() + l.background.Companies(),
	}
	for _, queue := range []*Turns[*waiter]{&l.interactive, &l.background} {
		for _, items := range queue.waiting {
			s.Oldest = max(s.Oldest, time.Since(items[0].since))
		}
	}
	return s
}

// ShareRate limits this client to its share of Config.Rate when several processes use the key.
func (c *Client) ShareRate(processes int) {
	if c.cfg.Rate > 0 && processes > 0 {
		c.limiter.setRate(rate.Limit(c.cfg.Rate)/rate.Limit(processes), max(1, c.cfg.Rate/processes))
	}
}

// waitForRate waits until the call may be sent.
func (c *Client) waitForRate(ctx context.Context, call call) *Failure {
	err := c.limiter.wait(ctx, CallerOf(ctx))
	if err == nil {
		return nil
	}
	failure := call.failure(Failure{Reach: heloc.ReachNothing}, fault.Unavailable, err)
	failure.err.Public = "Many requests to the lender are waiting right now. Nothing was sent. Try again in a moment."
	return failure
}

// Caller is for whom calls to the lender are made. Companies share the lender's rate, which serves them in turn.
type Caller struct {
	// User is the id of the user who waits for the answer; empty for none.
	User string
	// Company is the company of the user or the lead; empty for work that belongs to no company.
	Company string
	// Background reports that nobody waits for the answer.
	Background bool
}

type callerKey struct{}

// WithCaller sets for whom the calls under this context are made. Without it, a call has the zero Caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns for whom the calls under a context are made.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// Turns is a queue that serves companies in turn: of each company the oldest item, then of the next company. An item
// of a company that had nothing in the queue waits for at most one item of each other company. The zero value is an
// empty queue; it is not safe for use by multiple goroutines.
type Turns[T comparable] struct {
	order   []string // companies with items, in the order of their turns
	waiting map[string][]T
	n       int
}

// Len is the number of items.
func (t *Turns[T]) Len() int { return t.n }

// Companies is the number of companies with items.
func (t *Turns[T]) Companies() int { return len(t.order) }

// LenOf is the number of items of a company.
func (t *Turns[T]) LenOf(company string) int { return len(t.waiting[company]) }

// Add appends an item to those of its company.
func (t *Turns[T]) Add(company string, item T) {
	if t.waiting == nil {
		t.waiting = map[string][]T{}
	}
	if len(t.waiting[company]) == 0 {
		t.order = append(t.order, company)
	}
	t.waiting[company] = append(t.waiting[company], item)
	t.n++
}

// Next removes the item whose turn it is; ok is false when the queue is empty.
func (t *Turns[T]) Next() (item T, ok bool) {
	return t.NextWhere(func(T) bool { return true })
}

// NextWhere is Next, but prefers the oldest item that fits among those of the company whose turn it is.
func (t *Turns[T]) NextWhere(fits func(T) bool) (item T, ok bool) {
	if len(t.order) == 0 {
		return item, false
	}
	company := t.order[0]
	items := t.waiting[company]
	item = items[max(0, slices.IndexFunc(items, fits))]
	t.Remove(company, item)
	if t.LenOf(company) > 0 {
		t.order = append(t.order[1:], company)
	}
	return item, true
}

// Remove removes an item that is no longer needed, and reports whether it was in the queue. The company keeps its turn.
func (t *Turns[T]) Remove(company string, item T) bool {
	i := slices.Index(t.waiting[company], item)
	if i < 0 {
		return false
	}
	t.n--
	t.waiting[company] = slices.Delete(t.waiting[company], i, i+1)
	if len(t.waiting[company]) == 0 {
		delete(t.waiting, company)
		t.order = slices.DeleteFunc(t.order, func(other string) bool { return other == company })
	}
	return true
}
