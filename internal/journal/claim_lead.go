package journal

import (
	"context"
	"slices"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// claimLead acquires the lead's lease for this write and refuses a form from an older step.
func (j *Journal) claimLead(ctx context.Context, tx *store.Tx, op *lead.Operation, fingerprint string) error {
	row, err := tx.AnyLead(ctx, op.App)
	if err != nil {
		return err
	}
	now := j.now()
	if op.Kind.MovesStep() && op.Kind != heloc.OpCancel {
		if fingerprint != StepFingerprint(row) {
			return fault.New(fault.Conflict, "The lead changed after you opened this page. Nothing was sent. Check its current step.")
		}
		if row.PendingUntil > store.Millis(now) {
			return fault.New(fault.Conflict, "The lender is still processing the last request. Nothing more was sent. Try again in a moment.")
		}
	}
	if err := checkNotBlocked(ctx, tx, row, op.Kind); err != nil {
		return err
	}
	op.StepBefore, op.HistoryBefore = row.Step, row.HistoryLength
	acquired, err := tx.AcquireLease(ctx, op.App, op.ID, now, now.Add(leaseDuration))
	if err != nil {
		return err
	}
	if !acquired {
		return fault.New(fault.Conflict, "Another request for this lead is being sent. Nothing more was sent. Try again in a moment.")
	}
	return nil
}

// checkNotBlocked refuses an operation while another one that may have arrived blocks it.
func checkNotBlocked(ctx context.Context, tx *store.Tx, row lead.Row, kind heloc.Operation) error {
	unknown, err := tx.UnknownOperations(ctx, row.App)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(unknown, func(op lead.Operation) bool { return op.Blocks(kind, row.Step) }) {
		return fault.New(fault.Conflict, "We don’t know yet whether the lender received the last request. Nothing more was sent. Wait for the result, or mark the request as not received on its receipt.")
	}
	return nil
}
