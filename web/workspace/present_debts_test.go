package workspace

import (
	"testing"

	"hearthline/internal/heloc"
)

// A debt has one reason: the lender's own sentence, or else its code in words. Two of them may contradict each other.
func TestUnavailableReason_OneOnly(t *testing.T) {
	for _, tt := range []struct {
		name    string
		reasons []heloc.UnavailableDetail
		want    string
	}{
		{"sentence and code", []heloc.UnavailableDetail{
			{Reason: "NO_STATE_ELIGIBILITY", Description: "A first mortgage is not paid off with a line of credit."},
		}, "A first mortgage is not paid off with a line of credit."},
		{"code only", []heloc.UnavailableDetail{{Reason: "NO_STATE_ELIGIBILITY"}}, "Not offered in this state"},
		{"two reasons", []heloc.UnavailableDetail{{Reason: "SEASONING_REQUIREMENTS_NOT_MET"},
			{Reason: "OTHER", Description: "Too new."}}, "The account is too new"},
		{"an empty reason first", []heloc.UnavailableDetail{{}, {Reason: "OTHER", Description: "Too new."}}, "Too new."},
		{"none", nil, "the lender gives no reason"},
	} {
		if got := unavailableReason(tt.reasons); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
