package journal

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// recordResult records the verdict on a call and its effect. If they cannot be stored, the outcome is unknown here although
// the lender has responded. It is found out later through the lender's echo or by comparing the details.
func (j *Journal) recordResult(ctx context.Context, op lead.Operation, got heloc.CallResult, effect Effect) (lead.Operation, error) {
	learned := verdict{CallResult: got, state: VerdictOf(got), at: store.Millis(j.now()), effect: effect}
	if learned.state != lead.OpSucceeded {
		learned.App, learned.effect = "", nil
	}
	err := j.recordVerdict(ctx, &op, learned)
	if err == nil {
		return op, RejectionError(op)
	}
	learned.state, learned.App = lead.OpUnknown, ""
	learned.effect = func(ctx context.Context, tx *store.Tx, _ *lead.Operation) error {
		if got.App == "" {
			return nil
		}
		return tx.AddUnknownApplication(ctx, got.App, j.now())
	}
	if again := j.recordVerdict(ctx, &op, learned); again != nil {
		op.State = lead.OpSent // recovery will mark it unknown
		return op, errors.Join(err, again)
	}
	if j.Log != nil {
		j.Log.ErrorContext(ctx, "a response of the lender could not be stored", "operation", op.ID, "cause", err.Error())
	}
	return op, nil
}

// verdict is what to store about a call.
type verdict struct {
	heloc.CallResult
	state  lead.OpState
	at     int64
	effect Effect // nil for none
}

// recordVerdict stores a verdict and its effect in one transaction. If the operation was settled in the meantime,
// that result takes precedence over a missing response.
func (j *Journal) recordVerdict(ctx context.Context, op *lead.Operation, v verdict) error {
	return j.store.Write(ctx, func(tx *store.Tx) error {
		current, err := tx.Operation(ctx, op.ID)
		if err != nil {
			return err
		}
		*op = current
		if current.SettledAt != 0 && v.state == lead.OpUnknown {
			return nil
		}
		op.State, op.HTTPStatus, op.RequestID, op.Messages, op.AnsweredAt = v.state, v.Status, v.RequestID, MessageText(v.Messages), v.at
		if op.Kind == heloc.OpStart && v.App != "" {
			op.App = v.App
		}
		if v.effect != nil && current.State != lead.OpConfirmed {
			if err := v.effect(ctx, tx, op); err != nil {
				return err
			}
		}
		stored, err := j.withMessages(*op)
		if err != nil {
			return err
		}
		if err := j.finish(ctx, tx, &stored); err != nil {
			return err
		}
		op.LeaseOwner, op.LeaseUntil = stored.LeaseOwner, stored.LeaseUntil
		return nil
	})
}

// extendLeaseUntilStopped extends the lease during the call; stop ends that and waits.
func (j *Journal) extendLeaseUntilStopped(ctx context.Context, id string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(heartbeatInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				// If one extension fails, the lease only expires earlier, which is safe.
				_ = j.store.Write(ctx, func(tx *store.Tx) error { return tx.ExtendLease(ctx, id, j.owner, j.now().Add(leaseDuration)) })
			}
		}
	}()
	return func() { cancel(); <-ended }
}
