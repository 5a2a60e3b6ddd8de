package ui

import (
	"strconv"
	"strings"

	"hearthline/views/text"
)

// controlLabels holds the labels of controls by name, or by the last part of the name; rows have no index. A control
// and its link in the error summary always have the same label.
var controlLabels = map[string]string{
	"applicant.name.middleName": "Middle name",
	"applicant.name.prefix":     "Prefix",
	"homeIsProperty":            "The borrower lives at the property.",

	"street1": "Street",
	"street2": "Unit",
	"city":    "City",
	"state":   "State",
	"zip":     "ZIP",

	"property.propertyType":                   "Occupancy",
	"property.ownershipType":                  "Title held as",
	"property.isListedForSale":                "Listed for sale?",
	"property.borrowerEstimatedValue":         "Stated value",
	"amountWanted":                            "Requested amount",
	"file":                                    "Loan file",
	"propertyEstimate.borrowerEstimatedValue": "Borrower’s estimate of the value",
	"property.propertyId":                     "Property",

	"employmentType":         "Employment",
	"grossAnnualIncome":      "Annual gross pay",
	"otherAnnualIncome":      "Other annual income",
	"annualRetirementIncome": "Annual retirement income",
	"annualInvestmentIncome": "Annual investment income",
	"annualBusinessIncome":   "Annual business income",
	"savingsAmount":          "Savings",

	"lenderName":      "Lender",
	"originationDate": "Opened",
	"originalBalance": "Original amount",
	"currentBalance":  "Current balance",
	"monthlyPayment":  "Monthly payment",
	"liens":           "Liens",
	"property.liens":  "Liens",

	"businessInfo.entityName":           "Business name",
	"businessInfo.entityType":           "Entity type",
	"businessInfo.stateOfIncorporation": "State of formation",
	"businessInfo.ownershipPercentage":  "Ownership percentage",
	"businessInfo.totalMonthlyRevenue":  "Monthly revenue",
	"businessInfo.ein":                  "EIN",

	"partnerDataRequest.externalAppId": "Your loan number",
	"externalReferenceId":              "Your reference",
	"externalCustomerId":               "Your customer number",
	"source":                           "UTM source",
	"medium":                           "UTM medium",
	"campaign":                         "UTM campaign",
	"term":                             "UTM term",
	"content":                          "UTM content",
	"testVariantsRequest.variants":     "Test variant",

	"consent.attested":  "Borrower’s consent",
	"consent.method":    "How did the borrower agree?",
	"confirm.duplicate": "Send anyway",

	"confirm.lienBalance":     "Yes, the current balance is right.",
	"confirm.liensAboveValue": "Yes, these amounts are right.",
	"confirm.noUnit":          "No unit number",

	"confirm.cancelOld": "Cancel the earlier inquiry.",
	"confirm.set-aside": "Close lead",
	"confirm.cancel":    "Cancel inquiry",
	"confirm.offer":     "Confirmation",
	"confirm.repeat":    "Send it again",
	"confirm.abandon":   "Confirmation",

	"amount":                    "Amount",
	"originationFee":            "Fee",
	"rateType":                  "Rate",
	"autoPayDiscountEnabled":    "Autopay",
	"cuDiscountEnabled":         "Credit union",
	"offer.offerUuid":           "Offer",
	"offer.selectedOfferAmount": "Net draw",
	"offer.selectedDiscounts":   "Discounts",
	"selectedAccountsToPayoff":  "Debts to pay off",

	"firstName":               "First name",
	"lastName":                "Last name",
	"email":                   "Email",
	"phone":                   "Phone",
	"amountToBorrow":          "Requested amount",
	"propertyValue":           "Property value",
	"householdIncome":         "Annual household income",
	"currentMortgageBalances": "Mortgage balance",
	"monthlyMortgagePayment":  "Monthly mortgage payment",
	"monthlyExpenses":         "Monthly expenses",
	"fico":                    "Credit score",
	"loanPurpose":             "Loan purpose",
	"suffix":                  "Suffix",
	"dob":                     "Birth date",
	"ssn":                     "Social Security number",
	"selfCreditRating":        "Self-rated credit",
	"employmentStatus":        "Employment status",
	"address.type":            "Occupancy",
	"mailingAddress.type":     "Address type",
	"ownership":               "Title held as",
	"ownerLegalName":          "Owner’s legal name",
	"zone":                    "Time zone",
	"leadId":                  "Your lead ID",
	"campaignName":            "Campaign",
	"campaignSubSource":       "Campaign sub-source",
	"queryParams":             "Tracking parameters",
	"privacyPolicyOptIn":      "The borrower agrees to the lender’s privacy policy.",
	"smsOptIn":                "The borrower agrees to receive text messages.",
	"remarketingAllowed":      "May the lender contact the borrower about other products?",

	"attributions.externalReferenceData.externalApplicationId": "Application number",

	"newLoanOriginatorUuid": "Reassign to",
	"handOver.line":         "Note to new originator",
	"confirm.reassign":      "Confirm reassignment",
	"holder":                "License holder",
	"confirm.close":         "Disable account",
	"present":               "Current password",
	"code":                  "6-digit code",
	"password":              "New password",
	"role":                  "Role",
	"name":                  "Name",
	"broker":                "Company",
	"company":               "Company",
	"color":                 "Color",
	"logo":                  "Logo",
	"expires":               "Expires",
	"limit":                 "Most open leads per person",
	"appUuid":               "Application ID",
	"record.mark":           "Which record",
	"thaw.bureaus":          "Bureaus where it’s lifted",
	"may":                   "Licensed",
	"reset":                 "Reset sign-in",
	"lead":                  "Lead",
	"from":                  "From",
	"to":                    "To",
	"app":                   "Leads",

	"contact.how":      "Contact method",
	"contact.note":     "What was said",
	"note":             "Note for the team",
	"match":            "Four letters shown in your CRM",
	"followUp.on":      "Remind me on",
	"firstDay":         "First day",
	"lastDay":          "Last day",
	"deputy":           "Covered by",
	"draftsTo":         "Transfer drafts to",
	"leave.unassigned": "Leave open leads unassigned",
	"person":           "Originator",
	"followUp.time":    "Time",
	"followUp.note":    "Reminder note",
	"thaw.liftedAt":    "Lift date and time",
	"thaw.until":       "Lifted until",
	"reason.typed":     "Other reason",
	"reason":           "Reason",
	"draft.originator": "Transfer to",
}

// LabelOf returns the label of a control; a row starts with its number: "2nd lien, current balance". A name
// without a label gets its last segment.
func LabelOf(name string) string {
	if l, ok := controlLabels[name]; ok {
		return l
	}
	pieces := strings.Split(name, ".")
	last := pieces[len(pieces)-1]
	for i := 1; i < len(pieces)-1; i++ {
		n, err := strconv.Atoi(pieces[i])
		if err != nil {
			continue
		}
		if l, ok := controlLabels[last]; ok && strings.HasSuffix(pieces[i-1], "liens") {
			return text.Ordinal(n+1) + " lien, " + strings.ToLower(l[:1]) + l[1:]
		}
		if l, ok := controlLabels[strings.Join(pieces[:i], ".")]; ok {
			return l
		}
	}
	if strings.HasPrefix(name, "applicant.homeAddress.") {
		return "Home " + homeLabel(controlLabels[last])
	}
	if strings.HasPrefix(name, "mailingAddress.") {
		return "Mailing " + homeLabel(controlLabels[last])
	}
	if l, ok := controlLabels[last]; ok {
		return l
	}
	return text.Name(last)
}

// homeLabel returns the label of a part of the home address for the middle of a phrase.
func homeLabel(label string) string {
	if label == strings.ToUpper(label) {
		return label // ZIP
	}
	return text.LowerFirst(label)
}
