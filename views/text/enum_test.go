package text

import (
	"testing"

	"hearthline/internal/heloc"
)

// TestEnums_LiveValues_HaveText compares our tables with the lender's actual values: a count alone would not
// notice that one value replaced another.
func TestEnums_LiveValues_HaveText(t *testing.T) {
	for name, table := range map[string]map[string]string{
		"FinancingPurposeType": purpose, "CostType": cost, "LiabilitySubType": liabilitySub, "UnavailableReason": unavailable,
		"PayOffStatus": payoff, "UnderwritingCreditProvider": bureau, "CoDeedStatusType": coDeed, "NotaryType": notary,
		"PaymentRailType": rail, "FundingTransactionStatusType": funding, "EntityType": entity,
	} {
		values := heloc.Enum(name)
		if len(values) == 0 {
			t.Errorf("%s: heloc.Enum has no values", name)
		}
		for _, v := range values {
			if table[v] == "" {
				t.Errorf("%s: %s has no text", name, v)
			}
		}
	}
	for _, v := range heloc.Enum("LiabilityType") {
		if Liability(v) == v || Liability(v) == Dash {
			t.Errorf("LiabilityType: %s has no text", v)
		}
	}
}
