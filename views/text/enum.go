package text

import (
	"cmp"
	"strings"

	"hearthline/internal/heloc"
)

var employment = map[string]string{
	"UNKNOWN": "Not known", "SELF_EMPLOYED": "Self-employed", "OTHER": "Other", "FULL_TIME": "Full time",
	"PART_TIME": "Part time", "RETIRED": "Retired", "UNEMPLOYED": "Not employed",
	"SEPARATE_MAINTENANCE_PAYMENTS": "Separate maintenance", "ALIMONY": "Alimony", "CHILD_SUPPORT": "Child support",
	"PUBLIC_ASSISTANCE_PROGRAM": "Public assistance",
}

// Employment returns the text of an EmploymentType.
func Employment(v string) string { return lookup(employment, v) }

var property = map[string]string{
	"UNKNOWN": "Not known", "PRIMARY": "Primary residence", "SECONDARY": "Second home",
	"INVESTMENT": "Investment property",
}

// Property returns the text of a PropertyType.
func Property(v string) string { return lookup(property, v) }

var ownership = map[string]string{
	"UNKNOWN": "Not known", "SOLE": "Sole owner", "JOINT": "Joint owners", "TRUST": "Trust", "LLC": "LLC",
	"OTHER": "Other",
}

// Ownership returns the text of an OwnershipType.
func Ownership(v string) string { return lookup(ownership, v) }

var purpose = map[string]string{
	"UNKNOWN": "Not known", "PERSONAL": "Personal", "BUSINESS_OR_COMMERCIAL": "Business or commercial",
	"DEBT_CONSOLIDATION": "Debt consolidation", "HOME_IMPROVEMENT": "Home improvement", "MAJOR_PURCHASE": "Major purchase",
	"TRAVEL": "Travel", "EDUCATION": "Education", "HEALTH_MEDICAL": "Health or medical",
	"CARING_FOR_FAMILY": "Caring for family", "RETIREMENT": "Retirement", "SMALL_BUSINESS": "Small business",
	"HOME_IMPROVEMENT_SMALL_BUSINESS":     "Home improvement for a small business",
	"SOLAR_ENERGY_EFFICIENT_INSTALLATION": "Solar or energy-saving installation", "OTHER": "Another purpose",
}

// Purpose returns the text of a FinancingPurposeType.
func Purpose(v string) string { return lookup(purpose, v) }

var rateType = map[string]string{
	"UNKNOWN": "Not known", "FIXED": "Fixed", "FLOATING": "Variable", "VARIABLE": "Variable",
}

// RateType returns the text for the rate type of an offer or a debt; both dialects call an adjustable rate
// "Variable".
func RateType(v string) string { return lookup(rateType, v) }

var licenseHolder = map[string]string{
	"UNKNOWN": "Not known", "LENDER": "Lender", "BROKER": "Broker company", "LOAN_OFFICER": "Loan originator",
}

// LicenseHolder returns the text of a LicenseHolderType.
func LicenseHolder(v string) string { return lookup(licenseHolder, v) }

var licenseType = map[string]string{
	"UNKNOWN": "Not known", "UNSPECIFIED": "Not specified", "FEDERAL_LICENSE": "Federal license",
	"CA_RMLA_STATE_LICENSE": "California RMLA license", "CA_CFL_STATE_LICENSE": "California CFL license",
	"CA_DRE_STATE_LICENSE": "California DRE license",
}

// LicenseType returns the text of a LicenseStateType.
func LicenseType(v string) string { return lookup(licenseType, v) }

var cost = map[string]string{
	"NOTARY_FEE": "Notary fee", "RECORDING_TAX": "Recording tax", "RECORDING_FEE": "Recording fee",
	"TITLE_FEE": "Title fee", "BPO_FEE": "Broker price opinion", "DRIVE_BY_VALUATION_FEE": "Drive-by valuation",
	"ONSITE_APPRAISAL_FEE": "On-site appraisal",
}

// Cost returns the text of a CostType.
func Cost(v string) string { return lookup(cost, v) }

var liability = map[string]string{
	"AUTO": "Car loan", "PERSONAL": "Personal loan", "HOME_IMPROVEMENT": "Home improvement loan",
	"CREDIT_CARD": "Credit card", "MORTGAGE": "Mortgage", "HELOC": "Home equity line",
}

// Liability returns the text of a LiabilityType. The lender's own HELOC is reported as
// <LENDER>_SERVICING_HELOC.
func Liability(v string) string {
	if strings.HasSuffix(v, "_SERVICING_HELOC") {
		return "Home equity line, serviced by the lender"
	}
	return lookup(liability, v)
}

var liabilitySub = map[string]string{
	"LEASE": "Lease", "LOAN_SUB_TYPE": "Loan", "FEDERAL": "Federal", "PRIVATE": "Private", "HELOC": "Home equity line",
	"LINE_OF_CREDIT": "Line of credit", "FLEXIBLE_SPENDING": "Flexible spending card", "CHARGE": "Charge card",
	"SECURED": "Secured", "UNSECURED": "Unsecured", "PURCHASE": "Purchase", "BUSINESS": "Business",
}

// LiabilitySub returns the text of a LiabilitySubType.
func LiabilitySub(v string) string { return lookup(liabilitySub, v) }

var unavailable = map[string]string{
	"NO_MATCHED_TRADELINE": "No matching account on the credit report",
	"NO_MATCHED_LIEN":      "No matching lien on the property", "NO_STATE_ELIGIBILITY": "Not offered in this state",
	"ABOVE_MAXIMUM_BALANCE":                     "The balance exceeds the lender’s payoff limit",
	"EXCLUDED_BY_CREDIT_SCORE":                  "Excluded by the lender’s credit rules",
	"EXCLUDED_BY_CHARGED_OFF_ACCOUNT":           "The account is charged off",
	"EXCLUDED_BY_CREDIT_CARD_TOTAL_ACCOUNT_DTI": "Excluded by the DTI of all card accounts",
	"EXCLUDED_BY_NEXT_MIN_PAYMENT":              "Excluded by its next minimum payment",
	"EXCLUDED_BY_MONETARY_BALANCE":              "The balance doesn’t qualify for payoff",
	"EXCLUDED_BY_MONETARY_ORIGINAL_LOAN_AMOUNT": "Excluded by its original amount",
	"EXCLUDED_BY_PAYMENT_CAPABILITY":            "The lender cannot pay this kind of account",
	"EXCLUDED_BY_SUBSCRIPTION_CAPABILITY":       "The lender cannot pay this creditor",
	"EXCLUDED_BY_SENSITIVE_ACCOUNT_CAPABILITY":  "The lender cannot pay this kind of account",
	"SEASONING_REQUIREMENTS_NOT_MET":            "The account is too new", "OTHER": "Another reason",
}

// Unavailable returns the text of an UnavailableReason: why a debt cannot be paid off.
func Unavailable(v string) string { return lookup(unavailable, v) }

var payoff = map[string]string{
	"MARKED_FOR_PAYOFF": "Marked for payoff", "PAID_OFF": "Paid off",
	"PAYOFF_REQUESTED": "Payoff requested", "PAYOFF_FAILED": "Payoff failed",
	"PAYOFF_REVERSAL": "Payoff reversed", "PAYOFF_REVERSAL_PROCESSING": "Payoff being reversed",
}

// Payoff returns the text of a payOffStatus.
func Payoff(v string) string { return lookup(payoff, v) }

var bureau = map[string]string{"EXPERIAN": "Experian", "TRANS_UNION": "TransUnion", "EQUIFAX": "Equifax"}

// Bureau returns the text of an UnderwritingCreditProvider.
func Bureau(v string) string { return lookup(bureau, v) }

var coDeed = map[string]string{"INITIAL": "Not started", "IN_PROGRESS": "In progress", "COMPLETE": "Complete"}

// CoDeed returns the text of a CoDeedStatusType.
func CoDeed(v string) string { return lookup(coDeed, v) }

var notary = map[string]string{"NOT_APPLICABLE": "None needed", "ELECTRONIC": "Remote online notarization (RON)",
	"MANUAL": "In person"}

// Notary returns the text of a NotaryType.
func Notary(v string) string { return lookup(notary, v) }

var rail = map[string]string{"ACH": "ACH", "WIRE": "Wire"}

// Rail returns the text of a PaymentRailType.
func Rail(v string) string { return lookup(rail, v) }

var funding = map[string]string{
	"PENDING": "Pending", "SENT": "Sent", "COMPLETE": "Complete", "CANCELLED": "Canceled", "EXCEPTION": "On hold",
	"RETURNED": "Returned", "NOC": "Account details changed by the bank", "REQUIRES_APPROVAL": "Pending approval",
	"REJECTED": "Rejected by the bank",
}

// Funding returns the text of a FundingTransactionStatusType.
func Funding(v string) string { return lookup(funding, v) }

var entity = map[string]string{
	"SOLE_PROPRIETORSHIP": "Sole proprietorship", "SINGLE_OWNER_LLC": "Single-member LLC", "PARTNERSHIP": "Partnership",
	"MULTI_OWNER_LLC": "Multi-member LLC", "S_CORP": "S corporation", "PARTNERSHIP_OR_LLC": "Partnership or LLC",
}

// Entity returns the text of an EntityType.
func Entity(v string) string { return lookup(entity, v) }

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

// The options of forms are in the order in which users look for them. Unknown is never offered, and the first
// option is "Choose…" unless a comment says otherwise.

func options(table map[string]string, values ...string) [][2]string {
	out := make([][2]string, 0, len(values)+1)
	out = append(out, [2]string{"", "Choose…"})
	for _, v := range values {
		out = append(out, [2]string{v, lookup(table, v)})
	}
	return out
}

// Employments returns values and text. The live dialect has three more, which go last because Reg B lets the
// borrower leave them unstated.
func Employments(live bool) [][2]string {
	values := []string{"FULL_TIME", "PART_TIME", "SELF_EMPLOYED", "RETIRED", "UNEMPLOYED",
		"SEPARATE_MAINTENANCE_PAYMENTS", "OTHER"}
	if live {
		values = append(values, "ALIMONY", "CHILD_SUPPORT", "PUBLIC_ASSISTANCE_PROGRAM")
	}
	all := options(employment, values...)
	for i, o := range all {
		if o[0] == "SEPARATE_MAINTENANCE_PAYMENTS" {
			all[i][1] += " (only if the borrower chooses to disclose it)"
		}
	}
	return all
}

// Properties returns the ways a property can be used.
func Properties() [][2]string { return options(property, "PRIMARY", "SECONDARY", "INVESTMENT") }

// Ownerships returns the ways a property can be owned.
func Ownerships() [][2]string {
	return options(ownership, "SOLE", "JOINT", "TRUST", "LLC", "OTHER")
}

// Entities returns the kinds of business.
func Entities() [][2]string {
	return options(entity, "SOLE_PROPRIETORSHIP", "SINGLE_OWNER_LLC", "MULTI_OWNER_LLC", "PARTNERSHIP",
		"PARTNERSHIP_OR_LLC", "S_CORP")
}

// Suffixes returns the suggested name suffixes; the field accepts any text.
func Suffixes() [][2]string {
	return [][2]string{{"", Dash}, {"Jr", "Jr"}, {"Sr", "Sr"}, {"II", "II"}, {"III", "III"}, {"IV", "IV"}}
}

// Prefixes returns the suggested forms of address, without periods, as the lender accepts them; the field accepts any
// text.
func Prefixes() [][2]string {
	return [][2]string{{"", Dash}, {"Mr", "Mr."}, {"Mrs", "Mrs."}, {"Ms", "Ms."}, {"Mx", "Mx."}, {"Dr", "Dr."}}
}

var consent = map[string]string{"in-person": "In person", "recorded-call": "On a recorded call",
	"link": "Through a link I sent"}

// Consents returns the ways to consent; none is preselected, so the list has no "Choose…".
func Consents() [][2]string {
	return options(consent, "in-person", "recorded-call", "link")[1:]
}

// Consent returns the text of a way to consent.
func Consent(v string) string { return lookup(consent, v) }

// IsConsent reports whether v is a way to consent.
func IsConsent(v string) bool { _, ok := consent[v]; return ok }

// spanishStates has the names of states that differ in Spanish.
var spanishStates = map[string]string{
	"DC": "el Distrito de Columbia", "HI": "Hawái", "LA": "Luisiana", "MS": "Misisipi", "MO": "Misuri",
	"NH": "Nuevo Hampshire", "NJ": "Nueva Jersey", "NM": "Nuevo México",
	"NY": "Nueva York", "NC": "Carolina del Norte", "ND": "Dakota del Norte", "OR": "Oregón", "PA": "Pensilvania",
	"SC": "Carolina del Sur", "SD": "Dakota del Sur", "WV": "Virginia Occidental",
}

// States returns two letters and name, sorted by name, after a "Choose…".
func States() [][2]string {
	return append([][2]string{{"", "Choose…"}}, heloc.States...)
}

// State returns the name for two letters; unknown letters are returned unchanged.
func State(code string) string { return cmp.Or(OptionText(heloc.States, code), OrDash(code)) }
