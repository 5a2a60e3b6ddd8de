package text

import "testing"

// TestEnums_LiveValues_HaveText compares our tables with the lender's actual values: a count alone would not
// notice that one value replaced another.
func TestEnums_LiveValues_HaveText(t *testing.T) {
	for name, table := range map[string]map[string]string{
		"FinancingPurposeType": purpose, "CostType": cost, "LiabilitySubType": liabilitySub, "UnavailableReason": unavailable,
		"PayOffStatus": payoff, "UnderwritingCreditProvider": bureau, "CoDeedStatusType": coDeed, "NotaryType": notary,
		"PaymentRailType": rail, "FundingTransactionStatusType": funding, "EntityType": entity,
	} {
		values := liveValues(name)
		if len(values) == 0 {
			t.Errorf("%s: no live values", name)
		}
		for _, v := range values {
			if table[v] == "" {
				t.Errorf("%s: %s has no text", name, v)
			}
		}
	}
	for _, v := range liveValues("LiabilityType") {
		if Liability(v) == v || Liability(v) == Dash {
			t.Errorf("LiabilityType: %s has no text", v)
		}
	}
}

// liveValues lists the values seen in the live service for an enumeration that the contract
// leaves open (interface-live.md sections 3 and 4), given the enumeration's name.
func liveValues(name string) []string {
	return map[string][]string{
		"FinancingPurposeType": {
			"UNKNOWN", "DEBT_CONSOLIDATION", "HOME_IMPROVEMENT", "MAJOR_PURCHASE", "TRAVEL", "EDUCATION", "HEALTH_MEDICAL",
			"CARING_FOR_FAMILY", "RETIREMENT", "SMALL_BUSINESS", "HOME_IMPROVEMENT_SMALL_BUSINESS",
			"SOLAR_ENERGY_EFFICIENT_INSTALLATION", "OTHER",
		},
		"CostType": {"NOTARY_FEE", "RECORDING_TAX", "RECORDING_FEE", "TITLE_FEE", "BPO_FEE", "DRIVE_BY_VALUATION_FEE",
			"ONSITE_APPRAISAL_FEE"},
		"RateType":      {"VARIABLE", "FIXED"},
		"LiabilityType": {"AUTO", "PERSONAL", "HOME_IMPROVEMENT", "CREDIT_CARD", "MORTGAGE", "HELOC"},
		"LiabilitySubType": {
			"LEASE", "LOAN_SUB_TYPE", "FEDERAL", "PRIVATE", "HELOC", "LINE_OF_CREDIT", "FLEXIBLE_SPENDING", "CHARGE",
			"SECURED", "UNSECURED", "PURCHASE", "BUSINESS",
		},
		"UnavailableReason": {
			"NO_MATCHED_TRADELINE", "NO_MATCHED_LIEN", "NO_STATE_ELIGIBILITY", "ABOVE_MAXIMUM_BALANCE",
			"EXCLUDED_BY_CREDIT_SCORE", "EXCLUDED_BY_CHARGED_OFF_ACCOUNT",
			"EXCLUDED_BY_CREDIT_CARD_TOTAL_ACCOUNT_DTI", "EXCLUDED_BY_NEXT_MIN_PAYMENT",
			"EXCLUDED_BY_MONETARY_BALANCE", "EXCLUDED_BY_MONETARY_ORIGINAL_LOAN_AMOUNT", "EXCLUDED_BY_PAYMENT_CAPABILITY",
			"EXCLUDED_BY_SUBSCRIPTION_CAPABILITY", "EXCLUDED_BY_SENSITIVE_ACCOUNT_CAPABILITY",
			"SEASONING_REQUIREMENTS_NOT_MET", "OTHER",
		},
		"PayOffStatus": {"MARKED_FOR_PAYOFF", "PAID_OFF", "PAYOFF_REQUESTED", "PAYOFF_FAILED",
			"PAYOFF_REVERSAL", "PAYOFF_REVERSAL_PROCESSING"},
		"UnderwritingCreditProvider": {"EXPERIAN", "TRANS_UNION"},
		"CoDeedStatusType":           {"INITIAL", "IN_PROGRESS", "COMPLETE"},
		"NotaryType":                 {"NOT_APPLICABLE", "ELECTRONIC", "MANUAL"},
		"PaymentRailType":            {"ACH", "WIRE"},
		"FundingTransactionStatusType": {"PENDING", "SENT", "COMPLETE", "CANCELLED", "EXCEPTION", "RETURNED", "NOC",
			"REQUIRES_APPROVAL", "REJECTED"},
		"EntityType": {"SOLE_PROPRIETORSHIP", "SINGLE_OWNER_LLC", "PARTNERSHIP", "MULTI_OWNER_LLC", "S_CORP",
			"PARTNERSHIP_OR_LLC"},
		"SuffixType":            {"Jr", "Sr", "II", "III", "IV"},
		"PrequalifyAddressType": {"HOME", "MAILING", "SECONDARY", "INVESTMENT"},
		"SelfCreditRating":      {"UNKNOWN_CREDIT", "EXCELLENT", "GOOD", "FAIR", "POOR"},
		"EmploymentStatus":      {"UNKNOWN_STATUS", "EMPLOYED", "UNEMPLOYED", "SELF_EMPLOYED", "MILITARY", "RETIRED"},
		"LoanPurpose": {
			"UNKNOWN_LOAN_PURPOSE", "DEBT_CONSOLIDATION", "HOME_IMPROVEMENT", "TRAVEL", "EDUCATION", "HEALTH_OR_MEDICAL",
			"CARING_FOR_FAMILY", "RETIREMENT", "MAJOR_PURCHASE", "OTHER",
		},
	}[name]
}
