package journal

import (
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// claimLead refuses a form from an older step. It also refuses a write while another write to the lead blocks it or
// is being sent: an operation holds the lead until it ends or its lease expires. open lists the lead's operations
// that have no outcome yet.
func (j *Journal) claimLead(op *lead.Operation, row lead.Row, open []lead.Operation, fingerprint string) error {
	now := store.Millis(j.now())
	if op.Kind.MovesStep() && op.Kind != heloc.OpCancel {
		if fingerprint != StepFingerprint(row) {
			return fault.New(fault.Conflict,
				"The lead changed after you opened this page. Nothing was sent. Check its current step.")
		}
		if row.PendingUntil > now {
			return fault.New(fault.Conflict,
				"The lender is still processing the last request. Nothing more was sent. Try again in a moment.")
		}
	}
	for _, other := range open {
		if other.State == lead.OpSent {
			if other.LeaseUntil > now {
				return fault.New(fault.Conflict,
					"Another request for this lead is being sent. Nothing more was sent. Try again in a moment.")
			}
			other.State = lead.OpUnknown // its process has ended, and recovery will record that
		}
		if other.Blocks(op.Kind, row.Step) {
			return fault.New(fault.Conflict, "We don’t know yet whether the lender received the last request. "+
				"Nothing more was sent. Wait for the result, or mark the request as not received on its receipt.")
		}
	}
	op.StepBefore, op.HistoryBefore = row.Step, row.HistoryLength
	return nil
}
