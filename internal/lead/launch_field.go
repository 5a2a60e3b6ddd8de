package lead

// LaunchFieldType is what a launch field contains.
type LaunchFieldType string

// The types.
const (
	LaunchText    LaunchFieldType = "text"
	LaunchDate    LaunchFieldType = "date"
	LaunchDollars LaunchFieldType = "dollars"
	LaunchPercent LaunchFieldType = "percent"
	LaunchPhone   LaunchFieldType = "phone"
	LaunchEmail   LaunchFieldType = "email"
	LaunchState   LaunchFieldType = "state"
	LaunchZIP     LaunchFieldType = "zip"
	LaunchYesNo   LaunchFieldType = "yes-no"
	LaunchChoice  LaunchFieldType = "choice" // of LaunchChoices
)

// LaunchField is a control of a new inquiry that a CRM's launch can fill in.
type LaunchField struct {
	Name    string // of the control; # is for the number of a lien, from 0 to 49
	Type    LaunchFieldType
	Example string
}

// LaunchFields are all of them: every control of a new inquiry except what only the borrower or the user may state. The
// names are a contract with CRMs.
func LaunchFields() []LaunchField {
	all := []LaunchField{
		{"applicant.name.prefix", LaunchText, "Ms"},
		{"applicant.name.firstName", LaunchText, "Elena"},
		{"applicant.name.middleName", LaunchText, "Marie"},
		{"applicant.name.lastName", LaunchText, "Rivera"},
		{"applicant.name.suffix", LaunchText, "Jr"},
		{"applicant.dob", LaunchDate, "1979-05-17"},
		{"applicant.phone", LaunchPhone, "208-555-0142"},
		{"applicant.email", LaunchEmail, "elena@example.com"},
	}
	for _, group := range []string{"property.address", "applicant.homeAddress", "businessInfo.address"} {
		all = append(all, LaunchField{group + ".street1", LaunchText, "12 Birch Rd"},
			LaunchField{group + ".street2", LaunchText, "Apt 4"}, LaunchField{group + ".city", LaunchText, "Boise"},
			LaunchField{group + ".state", LaunchState, "ID"}, LaunchField{group + ".zip", LaunchZIP, "83702"})
	}
	return append(all,
		LaunchField{"property.propertyType", LaunchChoice, "PRIMARY"},
		LaunchField{"property.ownershipType", LaunchChoice, "SOLE"},
		LaunchField{"property.isListedForSale", LaunchYesNo, "false"},
		LaunchField{"property.borrowerEstimatedValue", LaunchDollars, "560000"},
		LaunchField{"amountWanted", LaunchDollars, "60000"},
		LaunchField{"property.liens.#.lenderName", LaunchText, "First Federal"},
		LaunchField{"property.liens.#.originationDate", LaunchDate, "2019-06-01"},
		LaunchField{"property.liens.#.originalBalance", LaunchDollars, "240000"},
		LaunchField{"property.liens.#.currentBalance", LaunchDollars, "198500"},
		LaunchField{"property.liens.#.monthlyPayment", LaunchDollars, "1450"},
		LaunchField{"applicant.income.employmentType", LaunchChoice, "FULL_TIME"},
		LaunchField{"applicant.income.grossAnnualIncome", LaunchDollars, "96000"},
		LaunchField{"applicant.income.otherAnnualIncome", LaunchDollars, "6000"},
		LaunchField{"applicant.income.annualRetirementIncome", LaunchDollars, "12000"},
		LaunchField{"applicant.income.annualInvestmentIncome", LaunchDollars, "3000"},
		LaunchField{"applicant.income.annualBusinessIncome", LaunchDollars, "18000"},
		LaunchField{"applicant.income.savingsAmount", LaunchDollars, "25000"},
		LaunchField{"businessInfo.entityName", LaunchText, "Rivera Studio LLC"},
		LaunchField{"businessInfo.entityType", LaunchChoice, "SINGLE_OWNER_LLC"},
		LaunchField{"businessInfo.ownershipPercentage", LaunchPercent, "100"},
		LaunchField{"businessInfo.totalMonthlyRevenue", LaunchDollars, "14000"},
		LaunchField{"businessInfo.ein", LaunchText, "12-3456789"},
		LaunchField{"businessInfo.stateOfIncorporation", LaunchState, "ID"},
		LaunchField{"partnerDataRequest.externalAppId", LaunchText, "L-20417"},
		LaunchField{"partnerDataRequest.externalReferenceId", LaunchText, "R-51"},
		LaunchField{"partnerDataRequest.externalCustomerId", LaunchText, "C-900"},
		LaunchField{"partnerDataRequest.utmParameters.source", LaunchText, "newsletter"},
		LaunchField{"partnerDataRequest.utmParameters.medium", LaunchText, "email"},
		LaunchField{"partnerDataRequest.utmParameters.campaign", LaunchText, "spring"},
		LaunchField{"partnerDataRequest.utmParameters.term", LaunchText, "heloc"},
		LaunchField{"partnerDataRequest.utmParameters.content", LaunchText, "banner"})
}

// LaunchChoices returns the values that a field of type LaunchChoice accepts, in any case and with spaces or dashes.
func LaunchChoices(name string) []string { return listOf(name, false) }
