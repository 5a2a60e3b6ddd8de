package partner

import (
	"context"
	"time"
)

// idleTimeout cancels a download when no byte arrives for a while. Only the time spent
// waiting for the lender counts, not the time that the browser takes to read. The zero
// value does nothing.
type idleTimeout struct {
	timer  *time.Timer
	limit  time.Duration
	cancel context.CancelCauseFunc
}

// newIdleTimeout returns a context that is canceled when a wait exceeds the limit.
func newIdleTimeout(ctx context.Context, limit time.Duration) (context.Context, *idleTimeout) {
	ctx, cancel := context.WithCancelCause(ctx)
	guard := &idleTimeout{limit: limit, cancel: cancel}
	guard.timer = time.AfterFunc(limit, func() { cancel(errTimeout) })
	return ctx, guard
}

// start begins a wait for the lender, pause ends it, and stop releases the resources.
func (i *idleTimeout) start() {
	if i.timer != nil {
		i.timer.Reset(i.limit)
	}
}

func (i *idleTimeout) pause() {
	if i.timer != nil {
		i.timer.Stop()
	}
}

func (i *idleTimeout) stop() {
	if i.timer != nil {
		i.timer.Stop()
		i.cancel(nil)
	}
}
