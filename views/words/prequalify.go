package words

// The older pre-qualification endpoint uses its own values.

var addressType = map[string]string{"HOME": "Home", "MAILING": "Mailing address", "SECONDARY": "Second home", "INVESTMENT": "Investment"}

// AddressType returns the text of an address.type.
func AddressType(v string) string { return lookup(addressType, v) }

var creditRating = map[string]string{"UNKNOWN_CREDIT": "Not known", "EXCELLENT": "Excellent", "GOOD": "Good", "FAIR": "Fair", "POOR": "Poor"}

// CreditRating returns the text of a selfCreditRating.
func CreditRating(v string) string { return lookup(creditRating, v) }

var workStatus = map[string]string{
	"UNKNOWN_STATUS": "Not known", "EMPLOYED": "Employed", "UNEMPLOYED": "Not employed", "SELF_EMPLOYED": "Self-employed", "MILITARY": "Military", "RETIRED": "Retired",
}

// WorkStatus returns the text of an employmentStatus.
func WorkStatus(v string) string { return lookup(workStatus, v) }

var loanPurpose = map[string]string{
	"UNKNOWN_LOAN_PURPOSE": "Not known", "DEBT_CONSOLIDATION": "Pay off debts", "HOME_IMPROVEMENT": "Home improvement", "TRAVEL": "Travel", "EDUCATION": "Education",
	"HEALTH_OR_MEDICAL": "Health", "CARING_FOR_FAMILY": "Caring for family", "RETIREMENT": "Retirement", "MAJOR_PURCHASE": "A large purchase", "OTHER": "Other",
}

// LoanPurpose returns the text of a loanPurpose.
func LoanPurpose(v string) string { return lookup(loanPurpose, v) }

// LoanPurposes returns the options of the quick estimate.
func LoanPurposes() [][2]string {
	return options(loanPurpose, "HOME_IMPROVEMENT", "DEBT_CONSOLIDATION", "MAJOR_PURCHASE", "EDUCATION", "HEALTH_OR_MEDICAL", "CARING_FOR_FAMILY", "RETIREMENT", "TRAVEL", "OTHER")
}
