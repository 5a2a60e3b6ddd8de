package partner

import (
	"context"
	"time"
)

// idleTimeout ends a download that sends no byte for a while. Only the time that we wait
// for the lender counts, not the time that the browser takes to drink. The zero
// value guards nothing.
type idleTimeout struct {
	timer  *time.Timer
	limit  time.Duration
	cancel context.CancelCauseFunc
}

// newIdleTimeout returns a context that ends when the guard's patience does.
func newIdleTimeout(ctx context.Context, limit time.Duration) (context.Context, *idleTimeout) {
	ctx, cancel := context.WithCancelCause(ctx)
	guard := &idleTimeout{limit: limit, cancel: cancel}
	guard.timer = time.AfterFunc(limit, func() { cancel(errTimeout) })
	return ctx, guard
}

// start begins a wait for the lender, rest ends it, end gives everything back.
func (g *idleTimeout) start() {
	if g.timer != nil {
		g.timer.Reset(g.limit)
	}
}

func (g *idleTimeout) pause() {
	if g.timer != nil {
		g.timer.Stop()
	}
}

func (g *idleTimeout) stop() {
	if g.timer != nil {
		g.timer.Stop()
		g.cancel(nil)
	}
}
