package web

import (
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/words"
)

// adult is how old a borrower must be to be bound by a contract.
const adult = 18

// The complaints of more than one control.
const (
	wrongName   = "Letters, digits, spaces, dashes and apostrophes only"
	wrongStreet = "Letters, digits, spaces, dashes and full stops only"
	wrongCity   = "Letters, spaces, dashes and apostrophes only"
)

// inquiry reads the intake: as it will be sent, and as the borrower spells it for our
// own screens. What the lender in the field requires is required (live section 2).
func (f *form) inquiry(today heloc.Date) (heloc.Inquiry, desk.Newborn) {
	in := heloc.Inquiry{Property: f.property(today), Applicant: f.applicant(today)}
	in.Applicant.HomeAddress = f.home(in.Property.Address)
	in.PartnerData, in.TestVariants, in.Business = f.partnerData(), f.testVariants(), f.business()
	born := desk.Newborn{
		Name: heloc.Name{
			First: f.text("applicant.name.firstName"), Middle: f.text("applicant.name.middleName"), Last: f.text("applicant.name.lastName"),
			Prefix: f.text("applicant.name.prefix"), Suffix: heloc.Suffix(f.text("applicant.name.suffix")),
		},
		Phone: in.Applicant.Phone, Email: in.Applicant.Email, Address: in.Property.Address, PropertyType: in.Property.PropertyType,
	}
	if given := in.PartnerData; given != nil {
		born.References = []string{given.ReferenceID, given.CustomerID}
	}
	if wanted := f.money("amountWanted"); wanted != nil {
		born.Wanted = *wanted
	}
	return in, born
}

func (f *form) property(today heloc.Date) heloc.Property {
	p := heloc.Property{
		Address:         f.address("property.address"),
		PropertyType:    heloc.PropertyType(f.chosen("property.propertyType", words.Properties(), "Say what it is used as")),
		OwnershipType:   heloc.OwnershipType(f.among("property.ownershipType", words.Ownerships())),
		EstimatedValue:  f.money("property.borrowerEstimatedValue"),
		IsListedForSale: f.answered("property.isListedForSale", "Say whether it is for sale"),
	}
	p.Liens = f.liens("property.liens", today)
	return p
}

// chosen is one of a list that must be chosen.
func (f *form) chosen(name string, offered [][2]string, missing string) string {
	if f.text(name) == "" {
		f.complain(name, missing)
		return ""
	}
	return f.among(name, offered)
}

func (f *form) applicant(today heloc.Date) heloc.Applicant {
	a := heloc.Applicant{
		Name: heloc.Name{
			First:  f.needed("applicant.name.firstName", heloc.SpellName, "Enter the first name", wrongName),
			Last:   f.needed("applicant.name.lastName", heloc.SpellName, "Enter the last name", wrongName),
			Middle: f.spelled("applicant.name.middleName", heloc.SpellName, wrongName),
			Prefix: f.spelled("applicant.name.prefix", heloc.SpellName, wrongName),
			Suffix: heloc.Suffix(f.spelled("applicant.name.suffix", heloc.SpellName, wrongName)),
		},
		DateOfBirth: f.birth("applicant.dob", today),
		Phone:       f.needed("applicant.phone", heloc.SpellPhone, "Enter the phone number", "Enter ten digits, as in 208 555 0147"),
		Email:       f.needed("applicant.email", heloc.SpellEmail, "Enter the e-mail address", "Check the e-mail address"),
		Income:      f.income("applicant.income"),
	}
	if a.Income.EmploymentType == "" {
		f.complain("applicant.income.employmentType", "Choose the employment")
	}
	if a.Income.GrossAnnual == nil {
		f.complain("applicant.income.grossAnnualIncome", "Enter the gross pay of a year; 0 if there is none")
	}
	a.SSN = f.ssn("applicant.ssn", "")
	return a
}

// needed is text in the lender's spelling that must not be missing.
func (f *form) needed(name string, spell func(string) heloc.Spelling, missing, wrong string) string {
	f.required(name, missing)
	return f.spelled(name, spell, wrong)
}

// birth is the birth date of somebody who may sign.
func (f *form) birth(name string, today heloc.Date) heloc.Date {
	if f.required(name, "Enter the birth date") == "" {
		return ""
	}
	born := f.past(name, today)
	at, ok := born.Time()
	now, _ := today.Time()
	switch {
	case !ok:
		return ""
	case at.AddDate(adult, 0, 0).After(now):
		f.complain(name, "The borrower must be 18 or older")
	case at.Before(now.AddDate(-120, 0, 0)):
		f.complain(name, "Check the year")
	}
	return born
}

func (f *form) address(group string) heloc.Address {
	return heloc.Address{
		Street1: f.needed(group+".street1", heloc.SpellStreet, "Enter the street and number", wrongStreet),
		Street2: f.spelled(group+".street2", heloc.SpellStreet, wrongStreet),
		City:    f.needed(group+".city", heloc.SpellCity, "Enter the city", wrongCity),
		State:   f.needed(group+".state", heloc.SpellState, "Choose the state", "Choose the state"),
		ZIP:     f.needed(group+".zip", heloc.SpellZIP, "Enter the ZIP", "Five digits, or nine"),
	}
}

// home is where the borrower lives: at the property when the box is ticked, and also
// when a program sends neither the box nor any other home.
func (f *form) home(property heloc.Address) heloc.Address {
	asked := false
	for name := range f.values {
		asked = asked || strings.HasPrefix(name, "applicant.homeAddress.")
	}
	if f.checked("homeIsProperty") || !asked {
		return property
	}
	return f.address("applicant.homeAddress")
}

func (f *form) partnerData() *heloc.PartnerData {
	const group = "partnerDataRequest."
	if !f.has(group) {
		return nil
	}
	p := &heloc.PartnerData{
		AppID: f.text(group + "externalAppId"), ReferenceID: f.text(group + "externalReferenceId"), CustomerID: f.text(group + "externalCustomerId"),
	}
	if f.has(group + "utmParameters.") {
		p.UTM = &heloc.UTM{
			Source: f.text(group + "utmParameters.source"), Medium: f.text(group + "utmParameters.medium"),
			Campaign: f.text(group + "utmParameters.campaign"), Term: f.text(group + "utmParameters.term"), Content: f.text(group + "utmParameters.content"),
		}
	}
	return p
}

func (f *form) testVariants() *heloc.TestVariants {
	names := f.list("testVariantsRequest.variants")
	for _, index := range f.rows("testVariantsRequest.variants") {
		names = append(names, f.text("testVariantsRequest.variants."+index+".name"))
	}
	var t heloc.TestVariants
	for _, name := range names {
		if name != "" {
			t.Variants = append(t.Variants, heloc.TestVariant{Name: name})
		}
	}
	if len(t.Variants) == 0 {
		return nil
	}
	return &t
}

func (f *form) business() *heloc.BusinessInfo {
	if !f.has("businessInfo.") {
		return nil
	}
	b := &heloc.BusinessInfo{
		EntityName:          f.required("businessInfo.entityName", "Enter the company"),
		EntityType:          heloc.EntityType(f.among("businessInfo.entityType", words.Entities())),
		OwnershipPercentage: f.rate("businessInfo.ownershipPercentage"), TotalMonthlyRevenue: f.money("businessInfo.totalMonthlyRevenue"),
		EIN: f.text("businessInfo.ein"), StateOfIncorporation: f.spelled("businessInfo.stateOfIncorporation", heloc.SpellState, "Choose the state"),
	}
	if f.has("businessInfo.address.") {
		a := f.address("businessInfo.address")
		b.Address = &a
	}
	return b
}

// intakeControls are the beginnings of the names that an intake has; a draft keeps
// these and nothing that was made up.
func intakeControls() []string {
	return []string{
		"applicant.", "property.", "partnerDataRequest.", "testVariantsRequest.", "businessInfo.", "amountWanted", "homeIsProperty",
	}
}

// typed is what a draft keeps of the form. The desk takes the SSN out again.
func (f *form) typed() desk.Typed {
	kept := desk.Typed{}
	for name, values := range f.values {
		for _, begin := range intakeControls() {
			if strings.HasPrefix(name, begin) && len(name) < 100 && len(kept) < 1000 {
				kept[name] = values
			}
		}
	}
	return kept
}

// sectionOf is the part of the page that a control stands in.
func sectionOf(name string) string {
	for _, s := range [][2]string{
		{"property.liens", "liens"}, {"property.", "property"}, {"amountWanted", "property"}, {"applicant.income.", "income"},
		{"applicant.ssn", "ssn"}, {"applicant.", "borrower"}, {"businessInfo.", "business"}, {"partnerDataRequest.", "reference"},
		{"testVariantsRequest.", "reference"}, {"consent.", "consent"},
	} {
		if strings.HasPrefix(name, s[0]) {
			return s[1]
		}
	}
	return ""
}

// monthly is a yearly pay by the month, for the eye.
func monthly(yearly *heloc.Money) string {
	if yearly == nil || *yearly < 1200 {
		return ""
	}
	return "$" + (*yearly / 12).Whole() + " a month"
}

// savedAt is when a draft was kept, for the line beside its buttons.
func (v viewer) savedAt(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return "Saved " + v.within(at)
}
