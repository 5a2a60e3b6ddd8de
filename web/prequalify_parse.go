package web

import (
	"strconv"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/words"
)

// The scores that a bureau gives.
const leastScore, mostScore = 300, 850

// prequalification reads a quick estimate (section 4.20). Consents are what was ticked
// and never what the lender would assume; the one that it assumes to be a yes must be
// answered.
func (f *form) prequalification(live bool) heloc.Prequalification {
	p := heloc.Prequalification{
		FirstName: f.spelled("firstName", heloc.SpellName, wrongName), LastName: f.spelled("lastName", heloc.SpellName, wrongName),
		Email: f.spelled("email", heloc.SpellEmail, "Check the e-mail address"),
		Phone: f.spelled("phone", heloc.SpellPhone, "Enter ten digits, as in 208 555 0147"), Address: f.estimateAddress(),
		HouseholdIncome: f.money("householdIncome"), AmountToBorrow: f.whole("amountToBorrow"), LoanPurpose: heloc.LoanPurpose(f.among("loanPurpose", words.LoanPurposes())),
		MonthlyExpenses: f.money("monthlyExpenses"), FICO: f.score("fico"), PropertyValue: f.money("propertyValue"),
		MortgagePayment: f.money("monthlyMortgagePayment"), MortgageBalances: f.whole("currentMortgageBalances"),
		SMSOptIn: f.checked("smsOptIn"), PrivacyOptIn: f.checked("privacyPolicyOptIn"),
	}
	if live && p.LoanPurpose == "" {
		f.complain("loanPurpose", "Say what it is for")
	}
	f.selfAttested()
	if yes := f.answered("remarketingAllowed", "Ask the borrower, and record the answer"); yes != nil {
		p.RemarketingAllowed = *yes
	}
	return p
}

// selfAttested is the lender's rule for what a borrower says of home and credit: all of
// it, with exactly one of the two words on the mortgage.
func (f *form) selfAttested() {
	needed := [][2]string{
		{"propertyValue", "Enter what the home is worth"}, {"monthlyExpenses", "Enter the expenses of a month; 0 if there are none"},
		{"fico", "Enter the score the borrower names"},
	}
	balance, payment := f.text("currentMortgageBalances") != "", f.text("monthlyMortgagePayment") != ""
	attested := balance || payment
	for _, n := range needed {
		attested = attested || f.text(n[0]) != ""
	}
	if !attested {
		return
	}
	for _, n := range needed {
		f.required(n[0], n[1])
	}
	switch {
	case balance && payment:
		f.complain("monthlyMortgagePayment", "Give the balance or the payment, not both")
	case !balance && !payment:
		f.complain("currentMortgageBalances", "Give the balance, or the payment of a month; 0 if there is no mortgage")
	}
}

func (f *form) estimateAddress() *heloc.PrequalifyAddress {
	a := heloc.Address{
		Street1: f.spelled("address.street1", heloc.SpellStreet, wrongStreet), Street2: f.spelled("address.street2", heloc.SpellStreet, wrongStreet),
		City: f.spelled("address.city", heloc.SpellCity, wrongCity), State: f.spelled("address.state", heloc.SpellState, "Choose the state"),
		ZIP: f.spelled("address.zip", heloc.SpellZIP, "Five digits, or nine"),
	}
	if a == (heloc.Address{}) {
		return nil
	}
	return &heloc.PrequalifyAddress{Address: a}
}

// whole is an amount of whole dollars: the lender refuses cents in it.
func (f *form) whole(name string) *heloc.Count {
	m := f.money(name)
	if m == nil {
		return nil
	}
	if *m%100 != 0 {
		f.complain(name, "Whole dollars, without cents")
		return nil
	}
	n := heloc.Count(*m / 100)
	return &n
}

func (f *form) score(name string) *heloc.Count {
	typed := f.text(name)
	if typed == "" {
		return nil
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < leastScore || n > mostScore {
		f.complain(name, "Three digits, from 300 to 850")
		return nil
	}
	score := heloc.Count(n)
	return &score
}

// draftOfEstimate are the controls of the intake that an estimate fills. What the intake
// does not ask, the score, the expenses and the purpose, stays behind.
func draftOfEstimate(f *form) desk.Typed {
	typed := desk.Typed{}
	for from, to := range map[string]string{
		"firstName": "applicant.name.firstName", "lastName": "applicant.name.lastName", "email": "applicant.email", "phone": "applicant.phone",
		"address.street1": "property.address.street1", "address.street2": "property.address.street2", "address.city": "property.address.city",
		"address.state": "property.address.state", "address.zip": "property.address.zip", "propertyValue": "property.borrowerEstimatedValue",
		"amountToBorrow": "amountWanted", "householdIncome": "applicant.income.grossAnnualIncome",
		"currentMortgageBalances": "property.liens.0.currentBalance", "monthlyMortgagePayment": "property.liens.0.monthlyPayment",
	} {
		value := f.text(from)
		if value == "" || strings.HasPrefix(to, "property.liens.") && strings.Trim(value, "$0., ") == "" {
			continue // no mortgage is no lien
		}
		typed[to] = []string{value}
	}
	typed["homeIsProperty"] = []string{"true"}
	return typed
}
