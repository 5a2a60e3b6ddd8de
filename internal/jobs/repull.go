package jobs

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/desk"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

const (
	dueBatch = 20
	// maxAttemptTime is longer than any call: the process of an attempt that began earlier is gone.
	maxAttemptTime = 2 * time.Minute
)

// RunDueRepulls requests the credit reports that are due, each plan at most once and in the name of its user. It may
// run in several processes: each plan is claimed in a separate transaction before anything else happens, so whatever
// stops an attempt, no second one follows.
func (r *Runner) RunDueRepulls(ctx context.Context) error {
	now := r.Now()
	due, err := r.Store.RepullsDue(ctx, now, now.Add(-maxAttemptTime), dueBatch)
	if err != nil {
		return err
	}
	var failed []error
	for _, plan := range due {
		failed = append(failed, r.runRepull(ctx, plan))
	}
	return errors.Join(failed...)
}

func (r *Runner) runRepull(ctx context.Context, plan lead.Repull) error {
	if plan.State == lead.RepullTrying {
		return r.skipPlan(ctx, plan, desklead.RepullSkippedInterrupted)
	}
	if r.Desks.SendingPaused() {
		return nil // it stays due until the lender is back
	}
	plan.State, plan.TriedAt = lead.RepullTrying, store.Millis(r.Now())
	claimed := false
	err := r.Store.Write(ctx, func(tx *store.Tx) (err error) {
		claimed, err = tx.UpdateRepullState(ctx, plan, lead.RepullWaiting)
		return err
	})
	if err != nil || !claimed {
		return err
	}
	// From here on, finish the attempt even if the context ends.
	ctx = context.WithoutCancel(ctx)
	l, why, err := r.leadOf(ctx, plan)
	if err == nil && why == "" {
		ctx = desk.InBackground(ctx, l.Row().Company)
	}
	var op lead.Operation
	if err == nil && why == "" {
		op, why, err = l.ExecutePlannedRepull(ctx, plan)
	}
	switch {
	case fault.Is(err, fault.Denied):
		return r.skipPlan(ctx, plan, desklead.RepullSkippedPerson)
	case err != nil:
		return errors.Join(err, r.skipPlan(ctx, plan, desklead.RepullSkippedInterrupted))
	case why != "":
		return r.skipPlan(ctx, plan, why)
	}
	plan.State, plan.Outcome = lead.RepullDone, op.ID
	notices := map[lead.OpState]string{lead.OpRejected: desklead.RepullRejected,
		lead.OpUnknown: desklead.RepullUnknown}[op.State]
	return r.Desks.FinishRepull(ctx, plan, notices)
}

// leadOf opens the lead at the desk of the plan's user, with their current permissions.
func (r *Runner) leadOf(ctx context.Context, plan lead.Repull) (l *desk.Lead, why string, err error) {
	who, err := r.Store.User(ctx, plan.UserID)
	if fault.Is(err, fault.NotFound) || err == nil && who.Disabled {
		return nil, desklead.RepullSkippedPerson, nil
	}
	if err != nil {
		return nil, "", err
	}
	l, err = r.Desks.For(who.Actor).Lead(ctx, string(plan.App))
	if !fault.Is(err, fault.NotFound) {
		return l, "", err
	}
	row, err := r.Store.AnyLead(ctx, plan.App)
	switch {
	case err == nil && row.Originator == plan.Originator && who.OriginatorUUID != string(plan.Originator):
		return nil, desklead.RepullSkippedPerson, nil // they no longer cover for the lead's originator
	case err != nil && !fault.Is(err, fault.NotFound):
		return nil, "", err
	default:
		return nil, desklead.RepullSkippedOwner, nil
	}
}

// skipPlan ends a plan without a request and notifies the user of the reason.
func (r *Runner) skipPlan(ctx context.Context, plan lead.Repull, why string) error {
	plan.State, plan.Outcome = lead.RepullSkipped, why
	return r.Desks.FinishRepull(ctx, plan, why)
}
