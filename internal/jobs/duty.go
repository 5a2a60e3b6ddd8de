package jobs

import (
	"context"
	"time"
)

// Several processes can serve one database. Each duty is work that one of them does; jobs, planned re-pulls and emails
// are claimed one by one instead, by any of them.
const (
	rulesDuty      = "assignment rules"
	monthlyDuty    = "monthly summaries"
	reencryptDuty  = "re-encryption"
	dutyCheckEvery = 3 * time.Second // well below the time after which another process takes over
)

// awaitDuty returns when this process has the duty; false when the context has ended.
func (r *Runner) awaitDuty(ctx context.Context, name string) bool {
	for ctx.Err() == nil {
		held, err := r.Store.Duty(name, r.Owner).Held(ctx)
		if held && err == nil {
			return true
		}
		if err != nil && ctx.Err() == nil {
			r.Log.Error("whose duty it is could not be read", "cause", err.Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(dutyCheckEvery):
		}
	}
	return false
}

// releaseDuties lets another process have the duties, when this one ends.
func (r *Runner) releaseDuties(ctx context.Context) {
	for _, name := range []string{rulesDuty, monthlyDuty, reencryptDuty} {
		if err := r.Store.Duty(name, r.Owner).Release(context.WithoutCancel(ctx)); err != nil {
			r.Log.Warn("a duty could not be released; another process takes over when it expires", "cause", err.Error())
		}
	}
}
