package heloc

// This file declares what the contract does not document but the live service sends
// (interface-live.md). The portal must read and write both.

// StepRefinanceOffer is a step that only the live service sends.
const StepRefinanceOffer Step = "REFINANCE_OFFER"

// Employment types that only the live service uses.
const (
	EmploymentAlimony          EmploymentType = "ALIMONY"
	EmploymentChildSupport     EmploymentType = "CHILD_SUPPORT"
	EmploymentPublicAssistance EmploymentType = "PUBLIC_ASSISTANCE_PROGRAM"
)

// LiveDates are key dates that only the live service sends.
type LiveDates struct {
	LastStatusUpdateDate Date `json:"lastStatusUpdateDate,omitempty"`
}

// LiveCosts is the cost total that only the live service sends.
type LiveCosts struct {
	TotalPaidByBorrower *Money `json:"totalPaidByBorrower,omitempty"`
}

// LiveOffer contains the fields of an offer that only the live service sends.
type LiveOffer struct {
	PreDiscountOriginationFee *Rate `json:"preDiscountOriginationFee,omitempty"`
}

// LiveSelectedOffer contains the fields of a selected offer that only the live service sends.
type LiveSelectedOffer struct {
	OriginationFee       *Rate  `json:"originationFee,omitempty"`
	OriginationFeeAmount *Money `json:"originationFeeAmount,omitempty"`
}

// LiveLiability contains the fields of a debt that only the live service sends.
type LiveLiability struct {
	InterestRateMin *Rate        `json:"interestRatePercentageMin,omitempty"`
	InterestRateMax *Rate        `json:"interestRatePercentageMax,omitempty"`
	PayOffStatus    PayOffStatus `json:"payOffStatus,omitempty"`
}

// LiveNotary contains the deprecated manual appointment.
type LiveNotary struct {
	ManualNotary *ManualNotary `json:"manualNotary,omitempty"`
}

// ManualNotary is a notary appointment entered by hand.
type ManualNotary struct {
	Date Date   `json:"manualNotaryDate,omitempty"`
	Fee  *Money `json:"manualNotaryFee,omitempty"`
}

// LiveOriginatorData contains the fields of a lead's originator that only the live service sends.
type LiveOriginatorData struct {
	CompanyNMLS string `json:"companyNmls,omitempty"`
	Email       string `json:"email,omitempty"`
}

// LiveSigner contains the fields of a borrower that only the live service sends.
type LiveSigner struct {
	Prefix string `json:"prefix,omitempty"`
	Suffix string `json:"suffix,omitempty"`
}

// LivePrequalification contains the fields of an estimate that only the live service sends.
type LivePrequalification struct {
	PersonalizedURL string `json:"personalizedUrl,omitempty"`
	CannedText      string `json:"cannedText,omitempty"`
}

// PayOffStatus is the progress of a debt payoff.
type PayOffStatus string

// Enum lists the values seen in the live service for an enumeration that the contract
// leaves open (interface-live.md sections 3 and 4), given the enumeration's name.
func Enum(name string) []string {
	return map[string][]string{
		"FinancingPurposeType": {
			"UNKNOWN", "DEBT_CONSOLIDATION", "HOME_IMPROVEMENT", "MAJOR_PURCHASE", "TRAVEL", "EDUCATION", "HEALTH_MEDICAL",
			"CARING_FOR_FAMILY", "RETIREMENT", "SMALL_BUSINESS", "HOME_IMPROVEMENT_SMALL_BUSINESS",
			"SOLAR_ENERGY_EFFICIENT_INSTALLATION", "OTHER",
		},
		"CostType":      {"NOTARY_FEE", "RECORDING_TAX", "RECORDING_FEE", "TITLE_FEE", "BPO_FEE", "DRIVE_BY_VALUATION_FEE", "ONSITE_APPRAISAL_FEE"},
		"RateType":      {"VARIABLE", "FIXED"},
		"LiabilityType": {"AUTO", "PERSONAL", "HOME_IMPROVEMENT", "CREDIT_CARD", "MORTGAGE", "HELOC"},
		"LiabilitySubType": {
			"LEASE", "LOAN_SUB_TYPE", "FEDERAL", "PRIVATE", "HELOC", "LINE_OF_CREDIT", "FLEXIBLE_SPENDING", "CHARGE",
			"SECURED", "UNSECURED", "PURCHASE", "BUSINESS",
		},
		"UnavailableReason": {
			"NO_MATCHED_TRADELINE", "NO_MATCHED_LIEN", "NO_STATE_ELIGIBILITY", "ABOVE_MAXIMUM_BALANCE", "EXCLUDED_BY_CREDIT_SCORE",
			"EXCLUDED_BY_CHARGED_OFF_ACCOUNT", "EXCLUDED_BY_CREDIT_CARD_TOTAL_ACCOUNT_DTI", "EXCLUDED_BY_NEXT_MIN_PAYMENT",
			"EXCLUDED_BY_MONETARY_BALANCE", "EXCLUDED_BY_MONETARY_ORIGINAL_LOAN_AMOUNT", "EXCLUDED_BY_PAYMENT_CAPABILITY",
			"EXCLUDED_BY_SUBSCRIPTION_CAPABILITY", "EXCLUDED_BY_SENSITIVE_ACCOUNT_CAPABILITY", "SEASONING_REQUIREMENTS_NOT_MET", "OTHER",
		},
		"PayOffStatus":                 {"MARKED_FOR_PAYOFF", "PAID_OFF", "PAYOFF_REQUESTED", "PAYOFF_FAILED", "PAYOFF_REVERSAL", "PAYOFF_REVERSAL_PROCESSING"},
		"UnderwritingCreditProvider":   {"EXPERIAN", "TRANS_UNION"},
		"CoDeedStatusType":             {"INITIAL", "IN_PROGRESS", "COMPLETE"},
		"NotaryType":                   {"NOT_APPLICABLE", "ELECTRONIC", "MANUAL"},
		"PaymentRailType":              {"ACH", "WIRE"},
		"FundingTransactionStatusType": {"PENDING", "SENT", "COMPLETE", "CANCELLED", "EXCEPTION", "RETURNED", "NOC", "REQUIRES_APPROVAL", "REJECTED"},
		"EntityType":                   {"SOLE_PROPRIETORSHIP", "SINGLE_OWNER_LLC", "PARTNERSHIP", "MULTI_OWNER_LLC", "S_CORP", "PARTNERSHIP_OR_LLC"},
		"SuffixType":                   {"Jr", "Sr", "II", "III", "IV"},
		"PrequalifyAddressType":        {"HOME", "MAILING", "SECONDARY", "INVESTMENT"},
		"SelfCreditRating":             {"UNKNOWN_CREDIT", "EXCELLENT", "GOOD", "FAIR", "POOR"},
		"EmploymentStatus":             {"UNKNOWN_STATUS", "EMPLOYED", "UNEMPLOYED", "SELF_EMPLOYED", "MILITARY", "RETIRED"},
		"LoanPurpose": {
			"UNKNOWN_LOAN_PURPOSE", "DEBT_CONSOLIDATION", "HOME_IMPROVEMENT", "TRAVEL", "EDUCATION", "HEALTH_OR_MEDICAL",
			"CARING_FOR_FAMILY", "RETIREMENT", "MAJOR_PURCHASE", "OTHER",
		},
	}[name]
}

// Funding statuses that affect the portal's behavior.
const (
	FundingPending   FundingStatus = "PENDING"
	FundingSent      FundingStatus = "SENT"
	FundingComplete  FundingStatus = "COMPLETE"
	FundingCanceled  FundingStatus = "CANCELLED"
	FundingReturned  FundingStatus = "RETURNED"
	FundingException FundingStatus = "EXCEPTION"
	FundingRejected  FundingStatus = "REJECTED"
)
