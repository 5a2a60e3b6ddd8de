package journal

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// quietFor is how long the lender's details must show no movement before a write whose
// outcome is unknown is called absent, and the form may be sent anew.
const quietFor = 2 * time.Minute

// Seen is what the lender's details show of a lead, for comparison.
type Seen struct {
	At            time.Time // when they were read
	Step          heloc.Step
	HistoryLength int
	Canceled      bool
	Originator    heloc.OriginatorID // who has the lead
}

// Compare judges an operation of unknown outcome against the lender's details: confirmed
// when they moved, absent when they stayed still long enough, else unknown still. What
// was read before the operation was sent says nothing of it, and what the details do not
// show (attributions) is left to a person.
func Compare(op store.Operation, seen Seen) store.OpState {
	if !seen.At.After(store.Instant(op.SentAt)) {
		return store.OpUnknown
	}
	var moved bool
	switch op.Kind {
	case heloc.OpSetAttributions:
		return store.OpUnknown
	case heloc.OpCancel:
		moved = seen.Canceled || seen.Step == heloc.StepClosed
	case heloc.OpReassign:
		if seen.Originator == "" {
			return store.OpUnknown // the details do not say who has the lead
		}
		moved = op.Target != "" && seen.Originator == op.Target
	default:
		moved = seen.Step != op.StepBefore || seen.HistoryLength != op.HistoryBefore
	}
	if moved {
		return store.OpConfirmed
	}
	if seen.At.Sub(store.Instant(op.SentAt)) >= quietFor {
		return store.OpAbsent
	}
	return store.OpUnknown
}

// Settle turns an operation of unknown outcome into a known one, in the transaction
// that learned it.
func (j *Journal) Settle(ctx context.Context, tx *store.Tx, op *store.Operation, to store.OpState) error {
	if op.State != store.OpUnknown && op.State != store.OpSent {
		return nil
	}
	op.State, op.SettledAt = to, store.Millis(j.now())
	op.LeaseUntil, op.LeaseOwner = 0, ""
	if err := tx.FreeLease(ctx, op.App, op.ID); err != nil {
		return err
	}
	if err := j.tell(ctx, tx, *op); err != nil {
		return err
	}
	return tx.SaveOperation(ctx, *op)
}

// Abandon is a person's word that an unknown outcome is given up, with a reason.
func (j *Journal) Abandon(ctx context.Context, id, userID, reason string) error {
	kept, err := j.sealWords(placeOfReason(id), reason)
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
		return j.touch(ctx, tx, op)
	})
}
