package journal

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// sendPrepared sends a prepared operation and records its verdict.
func (j *Journal) sendPrepared(ctx context.Context, op store.Operation, send Send, effect Effect) (store.Operation, error) {
	if err := j.markSent(ctx, &op); err != nil {
		return op, err
	}
	stop := j.extendLeaseUntilStopped(ctx, op.ID)
	defer stop() // should send panic, the lease must run out
	outcome := send(ctx, op.ID)
	stop()
	return j.recordOutcome(ctx, op, outcome, effect)
}

// markSent writes the operation down as sent. Whoever was held up for so long that the
// lease ran out sends nothing any more: by now it may have been called not sent, and
// another write may have the lead.
func (j *Journal) markSent(ctx context.Context, op *store.Operation) error {
	now := j.now()
	err := j.store.Write(ctx, func(tx *store.Tx) error {
		current, err := tx.Operation(ctx, op.ID)
		if err != nil {
			return err
		}
		*op = current
		if current.State != store.OpPrepared {
			return nil
		}
		if current.LeaseUntil <= store.Millis(now) {
			op.State = store.OpNotSent
			return j.finish(ctx, tx, op)
		}
		op.State, op.SentAt, op.LeaseUntil = store.OpSent, store.Millis(now), store.Millis(now.Add(leaseDuration))
		if err := tx.SaveOperation(ctx, *op); err != nil {
			return err
		}
		return tx.ExtendLease(ctx, op.ID, j.owner, now.Add(leaseDuration))
	})
	if err == nil && op.State != store.OpSent {
		return RejectionError(*op)
	}
	return err
}

// recordOutcome records the verdict with what follows from it. When that cannot be written
// the outcome is unknown here, although the lender has answered: it is found again by
// the lender's echo, or by comparing the details.
func (j *Journal) recordOutcome(ctx context.Context, op store.Operation, outcome Outcome, effect Effect) (store.Operation, error) {
	if outcome.State != store.OpSucceeded {
		effect = nil
	}
	learned := verdict{outcome, store.Millis(j.now()), effect}
	err := j.recordVerdict(ctx, &op, learned)
	if err == nil {
		return op, RejectionError(op)
	}
	learned.State, learned.App = store.OpUnknown, ""
	learned.effect = func(ctx context.Context, tx *store.Tx, _ *store.Operation) error {
		if outcome.App == "" {
			return nil
		}
		return tx.AddUnknownApplication(ctx, outcome.App, j.now())
	}
	if again := j.recordVerdict(ctx, &op, learned); again != nil {
		op.State = store.OpSent // recovery will call it unknown
		return op, errors.Join(err, again)
	}
	if j.Log != nil {
		j.Log.Error("an answer of the lender could not be written down", "operation", op.ID, "cause", err.Error())
	}
	return op, nil
}

// verdict is what is to be written down of a call.
type verdict struct {
	Outcome
	at     int64
	effect Effect // nil for none
}

// recordVerdict is one transaction with a verdict and its effect. What was settled meanwhile is
// known better than by an answer that never came.
func (j *Journal) recordVerdict(ctx context.Context, op *store.Operation, v verdict) error {
	return j.store.Write(ctx, func(tx *store.Tx) error {
		current, err := tx.Operation(ctx, op.ID)
		if err != nil {
			return err
		}
		*op = current
		if current.SettledAt != 0 && v.State == store.OpUnknown {
			return tx.ReleaseLease(ctx, op.App, op.ID)
		}
		op.State, op.HTTPStatus, op.RequestID, op.Messages, op.AnsweredAt = v.State, v.HTTPStatus, v.RequestID, v.MessageText(), v.at
		if op.Kind == heloc.OpStart && v.App != "" {
			op.App = v.App
		}
		if v.effect != nil && current.State != store.OpConfirmed {
			if err := v.effect(ctx, tx, op); err != nil {
				return err
			}
		}
		kept, err := j.withMessages(*op)
		if err != nil {
			return err
		}
		if err := j.finish(ctx, tx, &kept); err != nil {
			return err
		}
		op.LeaseOwner, op.LeaseUntil = kept.LeaseOwner, kept.LeaseUntil
		return nil
	})
}

// extendLeaseUntilStopped prolongs the lease while the call lasts; stop ends it and waits.
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
				// A lost beat only lets the lease run out, which is safe.
				_ = j.store.Write(ctx, func(tx *store.Tx) error { return tx.ExtendLease(ctx, id, j.owner, j.now().Add(leaseDuration)) })
			}
		}
	}()
	return func() { cancel(); <-ended }
}
