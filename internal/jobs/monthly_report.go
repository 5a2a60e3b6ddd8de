package jobs

import (
	"context"
	"time"
)

// monthlyInterval is how often the runner looks for monthly summaries that are due.
const monthlyInterval = time.Minute

// monthlyLoop writes the monthly summaries until the context ends.
func (r *Runner) monthlyLoop(ctx context.Context) {
	tick := time.NewTicker(monthlyInterval)
	defer tick.Stop()
	for r.awaitDuty(ctx, monthlyDuty) {
		if err := r.Desks.SendMonthlyReports(ctx); err != nil && ctx.Err() == nil {
			r.Log.Error("the monthly summaries could not be written", "cause", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
