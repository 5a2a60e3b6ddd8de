package jobs

import (
	"context"
	"time"
)

// outboxInterval is how often the outbox is checked.
const outboxInterval = time.Second

// Outbox sends one message that waits to be sent, and reports whether there was one.
type Outbox interface {
	Deliver(ctx context.Context) (more bool, err error)
}

// outboxLoop empties an outbox until the context ends. A message that fails is retried later.
func (r *Runner) outboxLoop(ctx context.Context, box Outbox) {
	tick := time.NewTicker(outboxInterval)
	defer tick.Stop()
	for {
		for more := true; more && ctx.Err() == nil; {
			var err error
			if more, err = box.Deliver(ctx); err != nil && ctx.Err() == nil {
				r.Log.Warn("an email or a notification could not be sent", "cause", err.Error())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
