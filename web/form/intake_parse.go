package form

import (
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/words"
	"hearthline/web/format"
)

// adult is how old a borrower must be to be bound by a contract.
const adult = 18

// The complaints of more than one control.
const (
	WrongName   = "Letters, digits, spaces, dashes and apostrophes only"
	WrongStreet = "Letters, digits, spaces, dashes and full stops only"
	WrongCity   = "Letters, spaces, dashes and apostrophes only"
)

// inquiry reads the intake: as it will be sent, and as the borrower spells it for our
// own screens. What the lender in the field requires is required (live section 2).
func (f *Form) Inquiry(today heloc.Date) (heloc.Inquiry, desk.Newborn) {
	in := heloc.Inquiry{Property: f.property(today), Applicant: f.applicant(today)}
	in.Applicant.HomeAddress = f.home(in.Property.Address)
	in.PartnerData, in.TestVariants, in.Business = f.partnerData(), f.testVariants(), f.business()
	born := desk.Newborn{
		Name: heloc.Name{
			First: f.Text("applicant.name.firstName"), Middle: f.Text("applicant.name.middleName"), Last: f.Text("applicant.name.lastName"),
			Prefix: f.Text("applicant.name.prefix"), Suffix: heloc.Suffix(f.Text("applicant.name.suffix")),
		},
		Phone: in.Applicant.Phone, Email: in.Applicant.Email, Address: in.Property.Address, PropertyType: in.Property.PropertyType,
	}
	if given := in.PartnerData; given != nil {
		born.References = []string{given.ReferenceID, given.CustomerID}
	}
	if wanted := f.Money("amountWanted"); wanted != nil {
		born.Wanted = *wanted
	}
	return in, born
}

func (f *Form) property(today heloc.Date) heloc.Property {
	p := heloc.Property{
		Address:         f.address("property.address"),
		PropertyType:    heloc.PropertyType(f.chosen("property.propertyType", words.Properties(), "Say what it is used as")),
		OwnershipType:   heloc.OwnershipType(f.Among("property.ownershipType", words.Ownerships())),
		EstimatedValue:  f.Money("property.borrowerEstimatedValue"),
		IsListedForSale: f.Answered("property.isListedForSale", "Say whether it is for sale"),
	}
	p.Liens = f.Liens("property.liens", today)
	return p
}

// chosen is one of a list that must be chosen.
func (f *Form) chosen(name string, offered [][2]string, missing string) string {
	if f.Text(name) == "" {
		f.Complain(name, missing)
		return ""
	}
	return f.Among(name, offered)
}

func (f *Form) applicant(today heloc.Date) heloc.Applicant {
	a := heloc.Applicant{
		Name: heloc.Name{
			First:  f.needed("applicant.name.firstName", heloc.SpellName, "Enter the first name", WrongName),
			Last:   f.needed("applicant.name.lastName", heloc.SpellName, "Enter the last name", WrongName),
			Middle: f.Spelled("applicant.name.middleName", heloc.SpellName, WrongName),
			Prefix: f.Spelled("applicant.name.prefix", heloc.SpellName, WrongName),
			Suffix: heloc.Suffix(f.Spelled("applicant.name.suffix", heloc.SpellName, WrongName)),
		},
		DateOfBirth: f.birth("applicant.dob", today),
		Phone:       f.needed("applicant.phone", heloc.SpellPhone, "Enter the phone number", "Enter ten digits, as in 208 555 0147"),
		Email:       f.needed("applicant.email", heloc.SpellEmail, "Enter the e-mail address", "Check the e-mail address"),
		Income:      f.Income("applicant.income"),
	}
	if a.Income.EmploymentType == "" {
		f.Complain("applicant.income.employmentType", "Choose the employment")
	}
	if a.Income.GrossAnnual == nil {
		f.Complain("applicant.income.grossAnnualIncome", "Enter the gross pay of a year; 0 if there is none")
	}
	a.SSN = f.Ssn("applicant.ssn", "")
	return a
}

// needed is text in the lender's spelling that must not be missing.
func (f *Form) needed(name string, spell func(string) heloc.Spelling, missing, wrong string) string {
	f.Required(name, missing)
	return f.Spelled(name, spell, wrong)
}

// birth is the birth date of somebody who may sign.
func (f *Form) birth(name string, today heloc.Date) heloc.Date {
	if f.Required(name, "Enter the birth date") == "" {
		return ""
	}
	born := f.Past(name, today)
	at, ok := born.Time()
	now, _ := today.Time()
	switch {
	case !ok:
		return ""
	case at.AddDate(adult, 0, 0).After(now):
		f.Complain(name, "The borrower must be 18 or older")
	case at.Before(now.AddDate(-120, 0, 0)):
		f.Complain(name, "Check the year")
	}
	return born
}

func (f *Form) address(group string) heloc.Address {
	return heloc.Address{
		Street1: f.needed(group+".street1", heloc.SpellStreet, "Enter the street and number", WrongStreet),
		Street2: f.Spelled(group+".street2", heloc.SpellStreet, WrongStreet),
		City:    f.needed(group+".city", heloc.SpellCity, "Enter the city", WrongCity),
		State:   f.needed(group+".state", heloc.SpellState, "Choose the state", "Choose the state"),
		ZIP:     f.needed(group+".zip", heloc.SpellZIP, "Enter the ZIP", "Five digits, or nine"),
	}
}

// home is where the borrower lives: at the property when the box is ticked, and also
// when a program sends neither the box nor any other home.
func (f *Form) home(property heloc.Address) heloc.Address {
	asked := false
	for name := range f.Values {
		asked = asked || strings.HasPrefix(name, "applicant.homeAddress.")
	}
	if f.Checked("homeIsProperty") || !asked {
		return property
	}
	return f.address("applicant.homeAddress")
}

func (f *Form) partnerData() *heloc.PartnerData {
	const group = "partnerDataRequest."
	if !f.Has(group) {
		return nil
	}
	p := &heloc.PartnerData{
		AppID: f.Text(group + "externalAppId"), ReferenceID: f.Text(group + "externalReferenceId"), CustomerID: f.Text(group + "externalCustomerId"),
	}
	if f.Has(group + "utmParameters.") {
		p.UTM = &heloc.UTM{
			Source: f.Text(group + "utmParameters.source"), Medium: f.Text(group + "utmParameters.medium"),
			Campaign: f.Text(group + "utmParameters.campaign"), Term: f.Text(group + "utmParameters.term"), Content: f.Text(group + "utmParameters.content"),
		}
	}
	return p
}

func (f *Form) testVariants() *heloc.TestVariants {
	names := f.List("testVariantsRequest.variants")
	for _, index := range f.Rows("testVariantsRequest.variants") {
		names = append(names, f.Text("testVariantsRequest.variants."+index+".name"))
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

func (f *Form) business() *heloc.BusinessInfo {
	if !f.Has("businessInfo.") {
		return nil
	}
	b := &heloc.BusinessInfo{
		EntityName:          f.Required("businessInfo.entityName", "Enter the company"),
		EntityType:          heloc.EntityType(f.Among("businessInfo.entityType", words.Entities())),
		OwnershipPercentage: f.Rate("businessInfo.ownershipPercentage"), TotalMonthlyRevenue: f.Money("businessInfo.totalMonthlyRevenue"),
		EIN: f.Text("businessInfo.ein"), StateOfIncorporation: f.Spelled("businessInfo.stateOfIncorporation", heloc.SpellState, "Choose the state"),
	}
	if f.Has("businessInfo.address.") {
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
func (f *Form) Typed() desk.Typed {
	kept := desk.Typed{}
	for name, values := range f.Values {
		for _, begin := range intakeControls() {
			if strings.HasPrefix(name, begin) && len(name) < 100 && len(kept) < 1000 {
				kept[name] = values
			}
		}
	}
	return kept
}

// sectionOf is the part of the page that a control stands in.
func SectionOf(name string) string {
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
func Monthly(yearly *heloc.Money) string {
	if yearly == nil || *yearly < 1200 {
		return ""
	}
	return "$" + (*yearly / 12).Whole() + " a month"
}

// savedAt is when a draft was kept, for the line beside its buttons.
func SavedAt(v format.Viewer, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return "Saved " + v.Within(at)
}
