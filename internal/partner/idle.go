package partner

import (
	"context"
	"time"
)

// idle ends a download that sends no byte for a while. Only the time that we wait
// for the lender counts, not the time that the browser takes to drink. The zero
// value guards nothing.
type idle struct {
	timer  *time.Timer
	limit  time.Duration
	cancel context.CancelCauseFunc
}

// newIdle returns a context that ends when the guard's patience does.
func newIdle(ctx context.Context, limit time.Duration) (context.Context, *idle) {
	ctx, cancel := context.WithCancelCause(ctx)
	guard := &idle{limit: limit, cancel: cancel}
	guard.timer = time.AfterFunc(limit, func() { cancel(errTimeout) })
	return ctx, guard
}

// wait begins a wait for the lender, rest ends it, end gives everything back.
func (g *idle) wait() {
	if g.timer != nil {
		g.timer.Reset(g.limit)
	}
}

func (g *idle) rest() {
	if g.timer != nil {
		g.timer.Stop()
	}
}

func (g *idle) end() {
	if g.timer != nil {
		g.timer.Stop()
		g.cancel(nil)
	}
}
