package journal

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// recordResult records the verdict on a call and its effect. If they cannot be stored, the outcome is unknown here
// although the lender has responded. It is found out later through the lender's echo or by comparing the details.
func (j *Journal) recordResult(ctx context.Context, op lead.Operation, got heloc.CallResult,
	effect Effect) (lead.Operation, error) {
	learned := verdict{CallResult: got, state: VerdictOf(got), at: store.Millis(j.now()), effect: effect}
	if learned.state != lead.OpSucceeded {
		learned.App, learned.effect = "", nil
	}
	answered, err := j.recordVerdict(ctx, op, learned)
	if err == nil {
		return answered, RejectionError(answered)
	}
	learned.state, learned.App = lead.OpUnknown, ""
	learned.effect = func(ctx context.Context, tx *store.Tx, _ *lead.Operation) error {
		if got.App == "" {
			return nil
		}
		return tx.AddUnknownApplication(ctx, got.App, j.now())
	}
	answered, again := j.recordVerdict(ctx, op, learned)
	if again != nil {
		return op, errors.Join(err, again) // it stays sent; recovery will mark it unknown
	}
	if j.Log != nil {
		j.Log.ErrorContext(ctx, "a response of the lender could not be stored", "operation", op.ID, "cause", err.Error())
	}
	return answered, nil
}

// verdict is what to store about a call.
type verdict struct {
	heloc.CallResult
	state  lead.OpState
	at     int64
	effect Effect // nil for none
}

// applyTo returns an operation with the verdict, its lease released. Messages are the encrypted messages of the lender.
func (v verdict) applyTo(op lead.Operation, messages string) lead.Operation {
	op.State, op.HTTPStatus, op.RequestID, op.Messages, op.AnsweredAt = v.state, v.Status, v.RequestID, messages, v.at
	if op.Kind == heloc.OpStart && v.App != "" {
		op.App = v.App
	}
	op.LeaseOwner, op.LeaseUntil = "", 0
	return op
}

// recordVerdict stores a verdict and its effect in one transaction. If the operation was settled since it was sent,
// that result takes precedence over a missing response.
func (j *Journal) recordVerdict(ctx context.Context, sent lead.Operation, v verdict) (op lead.Operation, err error) {
	messages := MessageText(v.Messages)
	encrypted, err := j.encryptMessages(vault.OperationMessagesAAD(sent.ID), messages)
	if err != nil {
		return op, err
	}
	err = j.store.Write(ctx, func(tx *store.Tx) error {
		current, saved := sent, v.applyTo(sent, encrypted)
		first, err := tx.AnswerOperation(ctx, saved)
		if err == nil && !first {
			current, err = tx.Operation(ctx, sent.ID)
		}
		if err != nil {
			return err
		}
		if op = current; current.SettledAt != 0 && v.state == lead.OpUnknown {
			return nil
		}
		op = v.applyTo(current, encrypted)
		if v.effect != nil && current.State != lead.OpConfirmed {
			if err := v.effect(ctx, tx, &op); err != nil {
				return err
			}
		}
		if !first || op != saved {
			if err := tx.SaveOperation(ctx, op); err != nil {
				return err
			}
		}
		if err := j.logEvent(ctx, tx, op); err != nil {
			return err
		}
		if err := j.raiseRevision(ctx, tx, op); err != nil {
			return err
		}
		op.Messages = messages
		return nil
	})
	return op, err
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
				_ = j.store.Write(ctx, func(tx *store.Tx) error {
					return tx.ExtendLease(ctx, id, j.owner, j.now().Add(leaseDuration))
				})
			}
		}
	}()
	return func() { cancel(); <-ended }
}
