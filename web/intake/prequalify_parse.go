package intake

import (
	"strconv"
	"strings"

	"hearthline/internal/lead"

	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/web/form"
)

// The limits of a credit score.
const (
	MinScore = 300
	MaxScore = 850
)

// Prequalification parses a quick estimate (section 4.20). A consent counts only if it is checked,
// whatever default the lender assumes. The one that the lender assumes to be yes must be answered.
func Prequalification(f *form.Form, live bool, today heloc.Date) heloc.Prequalification {
	p := heloc.Prequalification{
		FirstName: f.Normalized("firstName", heloc.NormalizeName, form.MsgName),
		LastName:  f.Normalized("lastName", heloc.NormalizeName, form.MsgName),
		Email:     f.Normalized("email", heloc.NormalizeEmail, "Check the email address"),
		Phone:     f.Normalized("phone", heloc.NormalizePhone, "Enter a 10-digit phone number, such as 208-555-0142"),
		Address:   estimateAddress(f, "address"), MailingAddress: estimateAddress(f, "mailingAddress"),
		Suffix:      heloc.Suffix(f.Normalized("suffix", heloc.NormalizeName, form.MsgName)),
		DateOfBirth: f.BirthDate("dob", today), SSN: f.Ssn("ssn", ""),
		SelfCreditRating: heloc.SelfCreditRating(f.Choice("selfCreditRating", text.CreditRatings())),
		EmploymentStatus: heloc.EmploymentStatus(f.Choice("employmentStatus", text.WorkStatuses())),
		LeadID:           f.Text("leadId"), CampaignName: f.Text("campaignName"),
		CampaignSubSource: f.Text("campaignSubSource"), QueryParams: f.Text("queryParams"),
		HouseholdIncome: f.Money("householdIncome"), AmountToBorrow: wholeDollarAmount(f, "amountToBorrow"),
		LoanPurpose:     heloc.LoanPurpose(f.Choice("loanPurpose", text.LoanPurposes())),
		MonthlyExpenses: f.Money("monthlyExpenses"), FICO: creditScore(f, "fico"), PropertyValue: f.Money("propertyValue"),
		MortgagePayment: f.Money("monthlyMortgagePayment"), MortgageBalances: wholeDollarAmount(f, "currentMortgageBalances"),
		SMSOptIn: f.IsChecked("smsOptIn"), PrivacyOptIn: f.IsChecked("privacyPolicyOptIn"),
	}
	if live && p.LoanPurpose == "" {
		f.AddError("loanPurpose", "Choose the purpose")
	}
	checkSelfAttested(f)
	if yes := f.RequiredYesNo("remarketingAllowed", "Ask the borrower, and record the answer"); yes != nil {
		p.RemarketingAllowed = *yes
	}
	return p
}

// checkSelfAttested applies the lender's rule for self-attested home and credit data: all of it is
// required together, with either the mortgage balance or the mortgage payment but not both.
func checkSelfAttested(f *form.Form) {
	needed := [][2]string{
		{"propertyValue", "Enter the property value"}, {"monthlyExpenses", "Enter monthly expenses, or 0 if none"},
		{"fico", "Enter the score that the borrower stated"},
	}
	balance, payment := f.Text("currentMortgageBalances") != "", f.Text("monthlyMortgagePayment") != ""
	attested := balance || payment
	for _, n := range needed {
		attested = attested || f.Text(n[0]) != ""
	}
	if !attested {
		return
	}
	for _, n := range needed {
		f.Required(n[0], n[1])
	}
	switch {
	case balance && payment:
		f.AddError("monthlyMortgagePayment", "Enter the balance or the payment, not both")
	case !balance && !payment:
		f.AddError("currentMortgageBalances", "Enter the balance or the monthly payment, or 0 if there’s no mortgage")
	}
}

// estimateAddress parses an address with its use and its owner; nil if none was typed. The live lender takes an
// address only as a whole.
func estimateAddress(f *form.Form, group string) *heloc.PrequalifyAddress {
	a := heloc.PrequalifyAddress{
		Address: heloc.Address{
			Street1: f.Normalized(group+".street1", heloc.NormalizeStreet, form.MsgStreet),
			Street2: f.Normalized(group+".street2", heloc.NormalizeStreet, form.MsgStreet),
			City:    f.Normalized(group+".city", heloc.NormalizeCity, form.MsgCity),
			State:   f.Normalized(group+".state", heloc.NormalizeState, "Choose the state"),
			ZIP:     f.Normalized(group+".zip", heloc.NormalizeZIP, "Enter a 5-digit or 9-digit ZIP code"),
		},
		Type:           heloc.PrequalifyAddressType(f.Choice(group+".type", text.AddressTypes())),
		Ownership:      heloc.OwnershipType(f.Choice(group+".ownership", text.Ownerships())),
		OwnerLegalName: f.Normalized(group+".ownerLegalName", heloc.NormalizeName, form.MsgName),
	}
	if a == (heloc.PrequalifyAddress{}) {
		return nil
	}
	if group == "mailingAddress" && a.Type == "" {
		a.Type = "MAILING"
	}
	return &a
}

// wholeDollarAmount returns an amount in whole dollars, because the lender rejects cents in it.
func wholeDollarAmount(f *form.Form, name string) *heloc.Count {
	m := f.Money(name)
	if m == nil {
		return nil
	}
	if *m%100 != 0 {
		f.AddError(name, "Enter whole dollars, without cents")
		return nil
	}
	return new(heloc.Count(*m / 100))
}

func creditScore(f *form.Form, name string) *heloc.Count {
	typed := f.Text(name)
	if typed == "" {
		return nil
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < MinScore || n > MaxScore {
		f.AddError(name, "Enter a score from 300 to 850")
		return nil
	}
	return new(heloc.Count(n))
}

// EstimateDraftValues maps an estimate to the controls of the intake. It omits the SSN, and what the intake does not
// ask for: the score, the rating, the expenses, the purpose and the mailing address.
func EstimateDraftValues(f *form.Form) lead.FormValues {
	typed := lead.FormValues{}
	for from, to := range map[string]string{
		"firstName": "applicant.name.firstName", "lastName": "applicant.name.lastName", "email": "applicant.email",
		"phone": "applicant.phone", "address.street1": "property.address.street1",
		"address.street2": "property.address.street2", "address.city": "property.address.city",
		"address.state": "property.address.state", "address.zip": "property.address.zip",
		"propertyValue": "property.borrowerEstimatedValue", "amountToBorrow": "amountWanted",
		"householdIncome": "applicant.income.grossAnnualIncome", "suffix": "applicant.name.suffix", "dob": "applicant.dob",
		"address.ownership": "property.ownershipType", "campaignName": "partnerDataRequest.utmParameters.campaign",
		"currentMortgageBalances": "property.liens.0.currentBalance",
		"monthlyMortgagePayment":  "property.liens.0.monthlyPayment",
	} {
		value := f.Text(from)
		if value == "" || strings.HasPrefix(to, "property.liens.") && strings.Trim(value, "$0., ") == "" {
			continue // without a mortgage there is no lien
		}
		typed[to] = []string{value}
	}
	for control, same := range map[string]map[string]string{
		"address.type":     {"HOME": "PRIMARY", "SECONDARY": "SECONDARY", "INVESTMENT": "INVESTMENT"},
		"employmentStatus": {"SELF_EMPLOYED": "SELF_EMPLOYED", "RETIRED": "RETIRED", "UNEMPLOYED": "UNEMPLOYED"},
	} {
		to := map[string]string{"address.type": "property.propertyType",
			"employmentStatus": "applicant.income.employmentType"}[control]
		if value := same[f.Text(control)]; value != "" {
			typed[to] = []string{value}
		}
	}
	typed.CheckHomeByDefault()
	return typed
}
