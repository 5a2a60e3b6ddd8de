package lead

import (
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Credit is pulled automatically only if every earlier request certainly had no effect.
func TestRepulledSince_OperationState_IgnoresOnlyRejectedAndNotSent(t *testing.T) {
	t.Parallel()
	for state, want := range map[lead.OpState]bool{
		lead.OpSent: true, lead.OpSucceeded: true, lead.OpUnknown: true, lead.OpConfirmed: true,
		lead.OpAbsent: true, lead.OpAbandoned: true, lead.OpRejected: false, lead.OpNotSent: false,
	} {
		ops := []lead.Operation{{Kind: heloc.OpRepullCredit, State: state, CreatedAt: 5}}
		if got := repulledSince(ops, 5); got != want {
			t.Errorf("%s: got %v, want %v", state, got, want)
		}
		if repulledSince(ops, 6) {
			t.Errorf("%s: an operation from before the plan counts", state)
		}
	}
}
