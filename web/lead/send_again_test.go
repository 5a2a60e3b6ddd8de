package lead

import (
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TestCanSendAgain_OnlyWhereTheFormIs: a receipt leads back to a form only if the lead still has it.
func TestCanSendAgain_OnlyWhereTheFormIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		op   lead.Operation
		row  lead.Row
		want bool
	}{
		{"refused, same step", lead.Operation{Kind: heloc.OpAddSSN, State: lead.OpRejected},
			lead.Row{Step: heloc.StepCreditMatch, StatusKey: heloc.StatusSSNNeeded}, true},
		{"refused, another step", lead.Operation{Kind: heloc.OpAddSSN, State: lead.OpRejected},
			lead.Row{Step: heloc.StepLienMatching, StatusKey: heloc.StatusVerifyLiens}, false},
		{"refused, expired", lead.Operation{Kind: heloc.OpAddSSN, State: lead.OpRejected},
			lead.Row{Step: heloc.StepCreditMatch, StatusKey: heloc.StatusExpired}, false},
		{"accepted", lead.Operation{Kind: heloc.OpAddSSN, State: lead.OpSucceeded},
			lead.Row{Step: heloc.StepCreditMatch, StatusKey: heloc.StatusSSNNeeded}, false},
		{"the older operation of a step", lead.Operation{Kind: heloc.OpAddIncome, State: lead.OpNotSent},
			lead.Row{Step: heloc.StepMoreAssets, StatusKey: heloc.StatusMoreAssets}, true},
		{"the older operation, another step", lead.Operation{Kind: heloc.OpAddIncome, State: lead.OpNotSent},
			lead.Row{Step: heloc.StepPayoff, StatusKey: heloc.StatusPayoff}, false},
		{"of no step", lead.Operation{Kind: heloc.OpReassign, State: lead.OpAbsent},
			lead.Row{Step: heloc.StepPayoff, StatusKey: heloc.StatusPayoff}, true},
		{"of no step, ended", lead.Operation{Kind: heloc.OpCancel, State: lead.OpAbsent},
			lead.Row{StatusKey: heloc.StatusFunded}, false},
	} {
		if got := canSendAgain(tt.op, tt.row); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
