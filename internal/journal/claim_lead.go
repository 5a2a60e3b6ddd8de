package journal

import (
	"slices"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// attempt is an operation that is about to be sent, its lead, the lead's operations that may have arrived, and the time
// of the clock of leases.
type attempt struct {
	op       *lead.Operation
	row      lead.Row
	open     []lead.Operation
	leasedAt time.Time
}

// ConfirmRepeat is the control that confirms sending an operation again.
const ConfirmRepeat = "confirm.repeat"

// checkRepeat rejects a repeat that may harm the borrower, unless the user has confirmed it.
func checkRepeat(c attempt, in Intent) error {
	if in.RepeatConfirmed || !in.Kind.RiskyToRepeat() ||
		!slices.ContainsFunc(c.open, func(o lead.Operation) bool { return o.MayRepeat(in.Kind, c.row) }) {
		return nil
	}
	return fault.InvalidFields(fault.Field{Name: ConfirmRepeat,
		Message: "Check this box to send it again"})
}

// claimLead refuses a form from an older step. It also refuses a write while another write to the lead blocks it or
// is being sent: an operation holds the lead until it ends or its lease expires.
func (j *Journal) claimLead(c attempt, fingerprint string) error {
	op, row := c.op, c.row
	if op.Kind.MovesStep() && op.Kind != heloc.OpCancel {
		if fingerprint != StepFingerprint(row) {
			return fault.New(fault.Conflict,
				"The lead changed after you opened this page. Nothing was sent. Check its current step.")
		}
		if pending := store.Instant(row.PendingUntil).Sub(j.now()); pending > 0 && pending <= MaxWait {
			return fault.New(fault.Conflict,
				"The lender is still processing the last request. Nothing more was sent. Try again in a moment.")
		}
	}
	for _, other := range c.open {
		if other.State == lead.OpAbsent || other.State == lead.OpAbandoned {
			continue
		}
		if other.State == lead.OpSent {
			if j.leased(other, c.leasedAt) {
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
