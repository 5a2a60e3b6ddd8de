package watch

import (
	"context"
	"time"
)

// Scheduled does what has come due of what people planned, each thing once. The desks
// are one: what is done then is done with the rights that the person has then.
type Scheduled interface {
	RunDue(ctx context.Context) error
}

const scheduledEvery = time.Second

// scheduledLoop has a goroutine of its own: a call to the lender may take its time, and
// the sweep must not wait for it.
func (w *Watch) scheduledLoop(ctx context.Context) {
	tick := time.NewTicker(scheduledEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := w.Scheduled.RunDue(ctx); err != nil && ctx.Err() == nil {
			w.Log.Error("what was planned could not be done", "cause", err.Error())
		}
	}
}
