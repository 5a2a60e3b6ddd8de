package jobs

import (
	"context"
	"time"
)

// monthlyInterval is how often the runner looks for monthly summaries that are due.
const monthlyInterval = time.Minute

// monthlyLoop writes the monthly summaries until the context ends.
func (w *Runner) monthlyLoop(ctx context.Context) {
	tick := time.NewTicker(monthlyInterval)
	defer tick.Stop()
	for w.awaitDuty(ctx, monthlyDuty) {
		if err := w.Desks.SendMonthlyReports(ctx); err != nil && ctx.Err() == nil {
			w.Log.Error("the monthly summaries could not be written", "cause", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
