package words

// The older pre-qualification names its own values.

var addressType = map[string]string{"HOME": "Home", "MAILING": "Mailing address", "SECONDARY": "Second home", "INVESTMENT": "Investment"}

// AddressType says an address.type.
func AddressType(v string) string { return lookup(addressType, v) }

var creditRating = map[string]string{"UNKNOWN_CREDIT": "Not known", "EXCELLENT": "Excellent", "GOOD": "Good", "FAIR": "Fair", "POOR": "Poor"}

// CreditRating says a selfCreditRating.
func CreditRating(v string) string { return lookup(creditRating, v) }

// CreditRatings are what the quick estimate offers.
func CreditRatings() [][2]string { return options(creditRating, "EXCELLENT", "GOOD", "FAIR", "POOR") }

var workStatus = map[string]string{
	"UNKNOWN_STATUS": "Not known", "EMPLOYED": "Employed", "UNEMPLOYED": "Not employed", "SELF_EMPLOYED": "Self-employed", "MILITARY": "Military", "RETIRED": "Retired",
}

// WorkStatus says an employmentStatus.
func WorkStatus(v string) string { return lookup(workStatus, v) }

// WorkStatuses are what the quick estimate offers.
func WorkStatuses() [][2]string {
	return options(workStatus, "EMPLOYED", "SELF_EMPLOYED", "MILITARY", "RETIRED", "UNEMPLOYED")
}

var loanPurpose = map[string]string{
	"UNKNOWN_LOAN_PURPOSE": "Not known", "DEBT_CONSOLIDATION": "Pay off debts", "HOME_IMPROVEMENT": "Home improvement", "TRAVEL": "Travel", "EDUCATION": "Education",
	"HEALTH_OR_MEDICAL": "Health", "CARING_FOR_FAMILY": "Caring for family", "RETIREMENT": "Retirement", "MAJOR_PURCHASE": "A large purchase", "OTHER": "Other",
}

// LoanPurpose says a loanPurpose.
func LoanPurpose(v string) string { return lookup(loanPurpose, v) }

// LoanPurposes are what the quick estimate offers.
func LoanPurposes() [][2]string {
	return options(loanPurpose, "HOME_IMPROVEMENT", "DEBT_CONSOLIDATION", "MAJOR_PURCHASE", "EDUCATION", "HEALTH_OR_MEDICAL", "CARING_FOR_FAMILY", "RETIREMENT", "TRAVEL", "OTHER")
}
