package journal

import (
	"cmp"
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// recordResult records the verdict on a call and its effect. It first records the answer in the journal file: if the
// database cannot store it now, it is stored later.
func (j *Journal) recordResult(ctx context.Context, op lead.Operation, got heloc.CallResult, slot int) Outcome {
	learned := verdict{CallResult: got, state: VerdictOf(got), at: store.Millis(j.now())}
	if learned.state != lead.OpSucceeded {
		learned.App = ""
	}
	if err := j.file.record(slot, learned.answer(op)); err != nil {
		j.logError(ctx, "an answer of the lender could not be written to the journal file", op.ID, err)
	}
	answered, err := j.recordVerdict(ctx, op, learned)
	if err != nil {
		return j.saveLater(ctx, unsavedVerdict{op, learned, slot, err})
	}
	j.releaseAnswer(ctx, slot)
	return Outcome{answered, nil}
}

// recordNotSent records that nothing was sent for an operation that may be stored as sent because of an error in its
// transaction.
func (j *Journal) recordNotSent(ctx context.Context, op lead.Operation, slot int, cause error) Outcome {
	none := verdict{CallResult: heloc.CallResult{Reach: heloc.ReachNothing}, state: lead.OpNotSent,
		at: store.Millis(j.now())}
	if err := j.file.record(slot, none.answer(op)); err != nil {
		j.logError(ctx, "that nothing was sent could not be written to the journal file", op.ID, err)
	}
	return j.saveLater(ctx, unsavedVerdict{op, none, slot, cause})
}

// Result returns the operation, with the error of one that had no effect, or fault.Unsaved for one whose answer is not
// stored yet. The error is nil for an operation that succeeded, is in progress, or has an unknown outcome.
func (o Outcome) Result() (lead.Operation, error) {
	if rejection := RejectionError(o.Operation); rejection != nil || o.unsaved == nil {
		return o.Operation, rejection
	}
	public := "The lender answered. We couldn’t save it yet and will when the database is back. Don’t send it again."
	if o.Operation.State == lead.OpUnknown {
		public = "We sent this, and no clear answer arrived. We couldn’t save that yet and will when the database is " +
			"back. Don’t send it again."
	}
	if o.Operation.Kind == heloc.OpStart && o.Operation.App != "" {
		public += " The new application’s ID is " + string(o.Operation.App) + "."
	}
	public += " Receipt ID: " + o.Operation.ID + "."
	return o.Operation, fault.Wrap(fault.Unsaved, public, o.unsaved)
}

// verdict is what to store about a call.
type verdict struct {
	heloc.CallResult
	state lead.OpState
	at    int64
}

// answer returns the part of a verdict that the journal file stores.
func (v verdict) answer(op lead.Operation) Answer {
	return Answer{Operation: op.ID, App: v.App, State: v.state, Status: v.Status, RequestID: v.RequestID,
		SentAt: op.SentAt, At: v.at}
}

// applyTo returns the operation with the verdict and without its lease. Messages come from the lender.
func (v verdict) applyTo(op lead.Operation, messages string) lead.Operation {
	op.State, op.HTTPStatus, op.RequestID, op.Messages, op.AnsweredAt = v.state, v.Status, v.RequestID, messages, v.at
	if op.Kind == heloc.OpStart && v.App != "" {
		op.App = v.App
	}
	op.LeaseOwner, op.LeaseUntil = "", 0
	return op
}

// applyEffect stores the consequences of an accepted operation.
func (j *Journal) applyEffect(ctx context.Context, tx *store.Tx, op *lead.Operation) error {
	switch op.Kind {
	case heloc.OpStart:
		return j.startLead(ctx, tx, op)
	case heloc.OpPrequalify: // belongs to no lead
		return nil
	default:
		return j.acceptOnLead(ctx, tx, op)
	}
}

// startLead creates the lead of a start that the lender accepted. An application that we knew before the start was
// prepared is not its result, and the messages may be about another borrower, so the outcome is unknown.
func (j *Journal) startLead(ctx context.Context, tx *store.Tx, op *lead.Operation) error {
	known, err := tx.AnyLead(ctx, op.App)
	if fault.Is(err, fault.NotFound) {
		return j.createLead(ctx, tx, op)
	}
	if err == nil && known.CreatedAt < op.CreatedAt {
		op.State, op.App, op.Messages = lead.OpUnknown, "", ""
	}
	return err
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
		if v.state == lead.OpSucceeded && current.State != lead.OpConfirmed {
			if err := j.applyEffect(ctx, tx, &op); err != nil {
				return err
			}
			if op.State == lead.OpUnknown {
				messages = ""
			}
		}
		if !first || op != saved {
			if err := tx.SaveOperation(ctx, op); err != nil {
				return err
			}
		}
		err = cmp.Or(j.logEvent(ctx, tx, op), j.raiseRevision(ctx, tx, op))
		op.Messages = messages
		return err
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
					return tx.ExtendLease(ctx, id, j.owner, leaseDuration)
				})
			}
		}
	}()
	return func() { cancel(); <-ended }
}
