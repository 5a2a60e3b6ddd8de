package journal

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// settleAfter is how long the lender's details must show no change before a write with an unknown outcome is marked
// absent and its form may be sent again.
const settleAfter = 2 * time.Minute

// Observed is what the lender's details show about a lead, for comparison.
type Observed struct {
	At            time.Time // when they were read
	Step          heloc.Step
	HistoryLength int
	Canceled      bool
	Originator    heloc.OriginatorID // the lead's originator
	Selected      bool               // the operation's offer is selected, and was not selected before
}

// shows reports whether the details show exactly what an operation requested. This is the only evidence that confirms
// one, by kind:
//
//	start         the lender echoes its reference (Found; the details have no lead before)
//	cancel        INQUIRY_CLOSED with a canceledDate, on a lead that was not closed before
//	reassign      the originator that it names
//	select-offer  the offer that it names is selected, and was not before
//
// For every other kind, the details show nothing that only this operation can have caused: another step or a longer
// history may come from the borrower, the lender or a colleague. Such an operation is never confirmed here.
func shows(op lead.Operation, seen Observed) bool {
	switch op.Kind {
	case heloc.OpCancel:
		return seen.Step == heloc.StepClosed && seen.Canceled && op.StepBefore != heloc.StepClosed
	case heloc.OpReassign:
		return op.Target != "" && seen.Originator == op.Target
	case heloc.OpSelectOffer:
		return seen.Selected
	default:
		return false
	}
}

// MovedOn reports whether the lead has changed for any reason since an operation was sent. Then its outcome can no
// longer be absent, but it is not confirmed either. While the lender is still processing, nothing has changed.
func MovedOn(op lead.Operation, seen Observed) bool {
	if !seen.At.After(store.Instant(op.SentAt)) || !op.Kind.MovesStep() || seen.Step.InProgress() {
		return false
	}
	if op.Kind == heloc.OpCancel {
		// No other change says anything about a cancellation, because the details would show it.
		return seen.Canceled || seen.Step == heloc.StepClosed
	}
	return seen.Step != op.StepBefore || seen.HistoryLength != op.HistoryBefore
}

// Compare compares an operation of unknown outcome with the lender's details: confirmed when they show exactly what
// it requested, absent when they have not changed for long enough, otherwise still unknown. It ignores a reading from
// before the operation was sent. What the details do not show (attributions) is left to a user.
func Compare(op lead.Operation, seen Observed) lead.OpState {
	switch {
	case !seen.At.After(store.Instant(op.SentAt)) || op.Kind == heloc.OpSetAttributions:
		return lead.OpUnknown
	case op.Kind == heloc.OpReassign && seen.Originator == "": // the details do not name the originator
		return lead.OpUnknown
	case shows(op, seen):
		return lead.OpConfirmed
	case op.StepChangedAt != 0 || MovedOn(op, seen):
		return lead.OpUnknown
	case seen.Step.InProgress() && !op.StepBefore.InProgress(): // the lender has begun to work: it may be on this
		return lead.OpUnknown
	case seen.At.Sub(store.Instant(op.SentAt)) >= settleAfter:
		return lead.OpAbsent
	default:
		return lead.OpUnknown
	}
}

// Settle records the known outcome of an operation whose outcome was unknown, in the transaction that found it out.
func (j *Journal) Settle(ctx context.Context, tx *store.Tx, op *lead.Operation, to lead.OpState) error {
	if op.State != lead.OpUnknown && op.State != lead.OpSent {
		return nil
	}
	op.State, op.SettledAt = to, store.Millis(j.now())
	return j.closeOperation(ctx, tx, op)
}

// correctedFor is how long a verdict of no effect is compared with later readings.
const correctedFor = 14 * 24 * time.Hour

// OperationsToCompare lists the operations of a lead whose verdict a reading taken now may change.
func (j *Journal) OperationsToCompare(ctx context.Context, tx *store.Tx, app heloc.AppID) ([]lead.Operation, error) {
	return tx.OperationsToCompare(ctx, app, j.now().Add(-correctedFor))
}

// Correct confirms an operation that was called rejected, absent or abandoned, if the details show what it requested.
// An absent operation becomes unknown again if the lead later changes step: it may have arrived late.
func (j *Journal) Correct(ctx context.Context, tx *store.Tx, op *lead.Operation, seen Observed) (bool, error) {
	switch {
	case !seen.At.After(store.Instant(op.SentAt)):
		return false, nil
	case shows(*op, seen):
		op.CorrectedAt = store.Millis(j.now())
		op.State = lead.OpUnknown
		return true, j.Settle(ctx, tx, op, lead.OpConfirmed)
	case op.State == lead.OpAbsent && MovedOn(*op, seen):
		op.State, op.SettledAt = lead.OpUnknown, 0
		op.StepChangedAt, op.StepAfter = store.Millis(seen.At), seen.Step
		return true, j.closeOperation(ctx, tx, op)
	default:
		return false, nil
	}
}

// Abandon records a user's decision to abandon an operation of unknown outcome, with a reason.
func (j *Journal) Abandon(ctx context.Context, id, userID, reason string) error {
	encrypted, err := j.encryptMessages(vault.AbandonReasonAAD(id), reason)
	if err != nil {
		return err
	}
	return j.store.Write(ctx, func(tx *store.Tx) error {
		op, err := tx.Operation(ctx, id)
		if err != nil {
			return err
		}
		if op.State != lead.OpUnknown {
			return fault.New(fault.Conflict, "The outcome of this operation is already known.")
		}
		op.ResolvedBy, op.Reason = userID, encrypted
		if err := j.Settle(ctx, tx, &op, lead.OpAbandoned); err != nil {
			return err
		}
		return j.raiseRevision(ctx, tx, op)
	})
}
