package jobs

import (
	"context"
	"time"
)

// rulesInterval is how often the runner looks for unassigned leads of companies that have assignment rules.
const rulesInterval = 15 * time.Second

// rulesLoop assigns leads by rule until the context ends.
func (r *Runner) rulesLoop(ctx context.Context) {
	tick := time.NewTicker(rulesInterval)
	defer tick.Stop()
	for r.awaitDuty(ctx, rulesDuty) {
		if err := r.RunAssignmentRules(ctx); err != nil && ctx.Err() == nil {
			r.Log.Error("the assignment rules could not be applied", "cause", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// RunAssignmentRules decides who gets the unassigned leads of the companies whose rules are on, and adds the runs that
// reassign them. While the lender is down it decides nothing, because the reasons would be old when a run begins.
func (r *Runner) RunAssignmentRules(ctx context.Context) error {
	if r.Desks.SendingPaused() {
		return nil
	}
	return r.Desks.RunAssignmentRules(ctx)
}
