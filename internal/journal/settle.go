package journal

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// settleAfter is how long the lender's details must show no movement before a write whose
// outcome is unknown is called absent, and the form may be sent anew.
const settleAfter = 2 * time.Minute

// Observed is what the lender's details show of a lead, for comparison.
type Observed struct {
	At            time.Time // when they were read
	Step          heloc.Step
	HistoryLength int
	Canceled      bool
	Originator    heloc.OriginatorID // who has the lead
	Selected      bool               // the offer that the operation names is selected, and was not before
}

// shows reports whether the details show the very thing that an operation asked for. This
// is all the evidence that confirms one, by kind:
//
//	start         the lender echoes its reference (Found; the details have no lead before)
//	cancel        INQUIRY_CLOSED with a canceledDate, on a lead that was not closed before
//	reassign      the originator that it names
//	select-offer  the offer that it names is selected, and was not before
//
// Of every other kind the details show nothing that only this operation can have caused:
// another step or a longer history may come from the borrower, from the lender, or from a
// colleague. An operation of such a kind is never confirmed here.
func shows(op store.Operation, seen Observed) bool {
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

// MovedOn reports whether the lead has moved since an operation was sent, for whatever
// reason: its outcome can then no longer be called absent, and is not confirmed either.
// While the lender is still working nothing has moved.
func MovedOn(op store.Operation, seen Observed) bool {
	if !seen.At.After(store.Instant(op.SentAt)) || !op.Kind.MovesStep() || working(seen.Step) {
		return false
	}
	if op.Kind == heloc.OpCancel {
		// Any other movement leaves a cancellation as open as it was: it would show.
		return seen.Canceled || seen.Step == heloc.StepClosed
	}
	return seen.Step != op.StepBefore || seen.HistoryLength != op.HistoryBefore
}

// working reports whether a step says only that the lender is working.
func working(step heloc.Step) bool { return step == "" || step == heloc.StepUnknown }

// Compare judges an operation of unknown outcome against the lender's details: confirmed
// when they show the very thing that it asked for, absent when they stayed still long
// enough, else unknown still. What was read before the operation was sent says nothing of
// it, and what the details do not show (attributions) is left to a person.
func Compare(op store.Operation, seen Observed) store.OpState {
	switch {
	case !seen.At.After(store.Instant(op.SentAt)) || op.Kind == heloc.OpSetAttributions:
		return store.OpUnknown
	case op.Kind == heloc.OpReassign && seen.Originator == "": // the details do not say who has the lead
		return store.OpUnknown
	case shows(op, seen):
		return store.OpConfirmed
	case op.StepChangedAt != 0 || MovedOn(op, seen):
		return store.OpUnknown
	case working(seen.Step) && !working(op.StepBefore): // the lender has begun to work: it may be on this
		return store.OpUnknown
	case seen.At.Sub(store.Instant(op.SentAt)) >= settleAfter:
		return store.OpAbsent
	default:
		return store.OpUnknown
	}
}

// Settle turns an operation of unknown outcome into a known one, in the transaction
// that learned it.
func (j *Journal) Settle(ctx context.Context, tx *store.Tx, op *store.Operation, to store.OpState) error {
	if op.State != store.OpUnknown && op.State != store.OpSent {
		return nil
	}
	op.State, op.SettledAt = to, store.Millis(j.now())
	op.LeaseUntil, op.LeaseOwner = 0, ""
	if err := tx.ReleaseLease(ctx, op.App, op.ID); err != nil {
		return err
	}
	if err := j.logEvent(ctx, tx, *op); err != nil {
		return err
	}
	return tx.SaveOperation(ctx, *op)
}

// Abandon is a person's word that an unknown outcome is given up, with a reason.
func (j *Journal) Abandon(ctx context.Context, id, userID, reason string) error {
	kept, err := j.encryptMessages(abandonReasonAAD(id), reason)
	if err != nil {
		return err
	}
	return j.store.Write(ctx, func(tx *store.Tx) error {
		op, err := tx.Operation(ctx, id)
		if err != nil {
			return err
		}
		if op.State != store.OpUnknown {
			return fault.New(fault.Conflict, "The outcome of this operation is known by now.")
		}
		op.ResolvedBy, op.Reason = userID, kept
		if err := j.Settle(ctx, tx, &op, store.OpAbandoned); err != nil {
			return err
		}
		return j.raiseRevision(ctx, tx, op)
	})
}
