package text

// Pre-qualification uses its own values.

var addressType = map[string]string{"HOME": "Primary residence", "MAILING": "Mailing address",
	"SECONDARY": "Second home", "INVESTMENT": "Investment property"}

// HomeTypes returns the uses of the property.
func HomeTypes() [][2]string { return options(addressType, "HOME", "SECONDARY", "INVESTMENT") }

// AddressTypes returns the uses of an address.
func AddressTypes() [][2]string {
	return options(addressType, "HOME", "SECONDARY", "INVESTMENT", "MAILING")
}

var creditRating = map[string]string{"UNKNOWN_CREDIT": "Not sure", "EXCELLENT": "Excellent", "GOOD": "Good",
	"FAIR": "Fair", "POOR": "Poor"}

// CreditRatings returns how borrowers rate their own credit.
func CreditRatings() [][2]string {
	return options(creditRating, "EXCELLENT", "GOOD", "FAIR", "POOR", "UNKNOWN_CREDIT")
}

var workStatus = map[string]string{
	"UNKNOWN_STATUS": "Not known", "EMPLOYED": "Employed", "UNEMPLOYED": "Not employed", "SELF_EMPLOYED": "Self-employed",
	"MILITARY": "Active military", "RETIRED": "Retired",
}

// WorkStatuses returns the employment statuses of the quick estimate.
func WorkStatuses() [][2]string {
	return options(workStatus, "EMPLOYED", "SELF_EMPLOYED", "MILITARY", "RETIRED", "UNEMPLOYED", "UNKNOWN_STATUS")
}

var loanPurpose = map[string]string{
	"UNKNOWN_LOAN_PURPOSE": "Not known", "DEBT_CONSOLIDATION": "Debt consolidation",
	"HOME_IMPROVEMENT": "Home improvement", "TRAVEL": "Travel", "EDUCATION": "Education",
	"HEALTH_OR_MEDICAL": "Medical expenses", "CARING_FOR_FAMILY": "Caring for family", "RETIREMENT": "Retirement",
	"MAJOR_PURCHASE": "Major purchase", "OTHER": "Other",
}

// LoanPurposes returns the options of the quick estimate.
func LoanPurposes() [][2]string {
	return options(loanPurpose, "HOME_IMPROVEMENT", "DEBT_CONSOLIDATION", "MAJOR_PURCHASE", "EDUCATION",
		"HEALTH_OR_MEDICAL", "CARING_FOR_FAMILY", "RETIREMENT", "TRAVEL", "OTHER")
}
