package desk

import (
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// Credit is pulled automatically only if every earlier request certainly had no effect.
func TestRepulledSince_OperationState_IgnoresOnlyRejectedAndNotSent(t *testing.T) {
	t.Parallel()
	for state, want := range map[store.OpState]bool{
		store.OpPrepared: true, store.OpSent: true, store.OpSucceeded: true, store.OpUnknown: true, store.OpConfirmed: true,
		store.OpAbsent: true, store.OpAbandoned: true, store.OpRejected: false, store.OpNotSent: false,
	} {
		ops := []store.Operation{{Kind: heloc.OpRepullCredit, State: state, CreatedAt: 5}}
		if got := repulledSince(ops, 5); got != want {
			t.Errorf("%s: got %v, want %v", state, got, want)
		}
		if repulledSince(ops, 6) {
			t.Errorf("%s: an operation from before the plan counts", state)
		}
	}
}
