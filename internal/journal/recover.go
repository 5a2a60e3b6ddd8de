package journal

import (
	"context"
	"errors"

	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Recover settles what a crash interrupted: a prepared operation was not sent, and a sent one whose lease has expired
// is unknown. An operation that cannot be stored does not delay the others.
func (j *Journal) Recover(ctx context.Context) error {
	var failed []error
	for _, left := range []struct{ found, truth lead.OpState }{
		{lead.OpPrepared, lead.OpNotSent}, {lead.OpSent, lead.OpUnknown},
	} {
		ops, err := j.store.OperationsIn(ctx, left.found, 500)
		if err != nil {
			return err
		}
		for _, op := range ops {
			if op.LeaseUntil <= store.Millis(j.now()) {
				failed = append(failed, j.recoverOperation(ctx, op.ID, left.found, left.truth))
			}
		}
	}
	return errors.Join(failed...)
}

func (j *Journal) recoverOperation(ctx context.Context, id string, from, to lead.OpState) error {
	return j.store.Write(ctx, func(tx *store.Tx) error {
		op, err := tx.Operation(ctx, id)
		if err != nil || op.State != from || op.LeaseUntil > store.Millis(j.now()) {
			return err
		}
		op.State = to
		return j.finish(ctx, tx, &op)
	})
}

// finish stores an operation in its final state: it releases the lease, records the state in the audit and the lead's
// history, and raises the lead's revision.
func (j *Journal) finish(ctx context.Context, tx *store.Tx, op *lead.Operation) error {
	if err := j.closeOperation(ctx, tx, op); err != nil {
		return err
	}
	return j.raiseRevision(ctx, tx, *op)
}

// closeOperation is finish for a caller that saves the lead itself.
func (j *Journal) closeOperation(ctx context.Context, tx *store.Tx, op *lead.Operation) error {
	op.LeaseOwner, op.LeaseUntil = "", 0
	if err := j.logEvent(ctx, tx, *op); err != nil {
		return err
	}
	return tx.SaveOperation(ctx, *op)
}
