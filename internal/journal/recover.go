package journal

import (
	"cmp"
	"context"
	"errors"
	"time"

	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Recover settles what a crash interrupted: an operation that was sent and whose lease has expired is unknown. An
// operation that cannot be stored does not delay the others. An operation whose answer is known but not stored yet is
// left to Run.
func (j *Journal) Recover(ctx context.Context) error {
	ops, err := j.store.OperationsIn(ctx, lead.OpSent, 500)
	if err != nil {
		return err
	}
	now, err := j.store.LeaseNow(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, op := range ops {
		if _, unsaved := j.unsavedOf(op.ID); !unsaved && !j.leased(op, now) {
			failed = append(failed, j.recoverOperation(ctx, op.ID))
		}
	}
	return errors.Join(failed...)
}

// leased reports whether the process that is sending an operation is still alive. For operations of this process,
// that does not depend on the clock.
func (j *Journal) leased(op lead.Operation, now time.Time) bool {
	_, running := j.running.Load(op.ID)
	return running || !store.LeaseExpired(op.LeaseUntil, now, leaseDuration)
}

func (j *Journal) recoverOperation(ctx context.Context, id string) error {
	return j.store.Write(ctx, func(tx *store.Tx) error {
		op, err := tx.Operation(ctx, id)
		if err != nil || op.State != lead.OpSent {
			return err
		}
		if now, err := tx.LeaseNow(ctx); err != nil || j.leased(op, now) {
			return err
		}
		op.State = lead.OpUnknown
		if err := j.closeOperation(ctx, tx, &op); err != nil {
			return err
		}
		return j.raiseRevision(ctx, tx, op)
	})
}

// closeOperation stores an operation in its final state: it releases the lease, and records the state in the audit and
// the lead's history. The caller saves the lead.
func (j *Journal) closeOperation(ctx context.Context, tx *store.Tx, op *lead.Operation) error {
	op.LeaseOwner, op.LeaseUntil = "", 0
	return cmp.Or(j.logEvent(ctx, tx, *op), tx.SaveOperation(ctx, *op))
}
