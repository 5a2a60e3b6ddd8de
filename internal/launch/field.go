package launch

import (
	"regexp"
	"strings"
)

// fieldPattern matches the fields that a launch can fill in: the controls of a new inquiry, except what only the
// borrower or the user may state.
var fieldPattern = regexp.MustCompile(`^(` + strings.Join([]string{
	`applicant\.name\.(firstName|middleName|lastName|prefix|suffix)`,
	`applicant\.(dob|phone|email)`,
	`(applicant\.homeAddress|property\.address|businessInfo\.address)\.(street1|street2|city|state|zip)`,
	`applicant\.income\.(employmentType|grossAnnualIncome|otherAnnualIncome|annualRetirementIncome|` +
		`annualInvestmentIncome|annualBusinessIncome|savingsAmount)`,
	`property\.(propertyType|ownershipType|isListedForSale|borrowerEstimatedValue)`,
	`property\.liens\.([0-9]|[1-4][0-9])\.(lenderName|originationDate|originalBalance|currentBalance|monthlyPayment)`,
	`businessInfo\.(entityName|entityType|ownershipPercentage|totalMonthlyRevenue|ein|stateOfIncorporation)`,
	`partnerDataRequest\.(externalAppId|externalReferenceId|externalCustomerId|utmParameters\.(source|medium|campaign|` +
		`term|content))`,
	`amountWanted`,
}, "|") + `)$`)

// IsField reports whether a launch can fill in a control.
func IsField(name string) bool { return fieldPattern.MatchString(name) }

// isReserved reports whether a launch never fills in a control, whatever its value, and does not report it: an SSN, a
// consent or a confirmation.
func isReserved(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), "ssn") || strings.HasPrefix(name, "consent.") ||
		strings.HasPrefix(name, "confirm.")
}

// maxFieldName is how much of the name of an unknown field is shown.
const maxFieldName = 60

// shownName returns the name of an unknown field as it can be shown and stored: short, and in plain characters.
func shownName(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune("._-[] ", r) {
			return r
		}
		return '?'
	}, name)
	return plain[:min(len(plain), maxFieldName)]
}
