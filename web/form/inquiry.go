package form

import (
	"slices"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
)

// minBorrowerAge is how old a borrower must be to sign a contract.
const minBorrowerAge = 18

// Error messages that several controls share.
const (
	MsgName   = "Use only letters, numbers, spaces, hyphens and apostrophes"
	MsgStreet = "Use only letters, numbers, spaces, hyphens, periods and apostrophes"
	MsgCity   = "Use only letters, spaces, hyphens and apostrophes"
)

// Inquiry reads the intake form: as it will be sent, and as the user typed the names for our own
// pages. It requires what the live lender requires (live section 2).
func (f *Form) Inquiry(today heloc.Date) (heloc.Inquiry, lead.StartSnapshot) {
	in := heloc.Inquiry{Property: f.property(today), Applicant: f.applicant(today)}
	in.Applicant.HomeAddress = f.homeAddress(in.Property)
	in.PartnerData, in.TestVariants, in.Business = f.partnerData(), f.testVariants(), f.business()
	f.ask(in)
	snapshot := lead.StartSnapshot{
		Name: heloc.Name{
			First: f.Text("applicant.name.firstName"), Middle: f.Text("applicant.name.middleName"),
			Last: f.Text("applicant.name.lastName"), Prefix: f.Text("applicant.name.prefix"),
			Suffix: heloc.Suffix(f.Text("applicant.name.suffix")),
		},
		Phone: in.Applicant.Phone, Email: in.Applicant.Email, Address: in.Property.Address,
	}
	if partnerData := in.PartnerData; partnerData != nil {
		snapshot.References = []string{partnerData.AppID, partnerData.ReferenceID, partnerData.CustomerID}
	}
	if requested := f.Money("amountWanted"); requested != nil {
		snapshot.RequestedAmount = *requested
	}
	return in, snapshot
}

func (f *Form) property(today heloc.Date) heloc.Property {
	p := heloc.Property{
		Address: f.address("property.address"),
		PropertyType: heloc.PropertyType(f.requiredChoice("property.propertyType", text.Properties(),
			"Choose the occupancy")),
		OwnershipType:   heloc.OwnershipType(f.Choice("property.ownershipType", text.Ownerships())),
		EstimatedValue:  f.Money("property.borrowerEstimatedValue"),
		IsListedForSale: f.RequiredYesNo("property.isListedForSale", "Choose whether it’s listed for sale"),
	}
	p.Liens = f.Liens("property.liens", today)
	for i := range p.Liens {
		p.Liens[i].LienUUID = "" // the lender has not listed any lien yet, and the form has no such control
	}
	return p
}

// requiredChoice returns a required choice.
func (f *Form) requiredChoice(name string, offered [][2]string, missing string) string {
	if f.Text(name) == "" {
		f.AddError(name, missing)
		return ""
	}
	return f.Choice(name, offered)
}

func (f *Form) applicant(today heloc.Date) heloc.Applicant {
	a := heloc.Applicant{
		Name: heloc.Name{
			First:  f.requiredNormalized("applicant.name.firstName", heloc.NormalizeName, "Enter the first name", MsgName),
			Last:   f.requiredNormalized("applicant.name.lastName", heloc.NormalizeName, "Enter the last name", MsgName),
			Middle: f.Normalized("applicant.name.middleName", heloc.NormalizeName, MsgName),
			Prefix: f.Normalized("applicant.name.prefix", heloc.NormalizeName, MsgName),
			Suffix: heloc.Suffix(f.Normalized("applicant.name.suffix", heloc.NormalizeName, MsgName)),
		},
		DateOfBirth: f.requiredBirthDate("applicant.dob", today),
		Phone: f.requiredNormalized("applicant.phone", heloc.NormalizePhone, "Enter the phone number",
			"Enter a 10-digit phone number, such as 208-555-0142"),
		Email: f.requiredNormalized("applicant.email", heloc.NormalizeEmail, "Enter the email address",
			"Check the email address"),
		Income: f.Income("applicant.income"),
	}
	if a.Income.EmploymentType == "" {
		f.AddError("applicant.income.employmentType", "Choose an employment type")
	}
	if a.Income.GrossAnnual == nil {
		f.AddError("applicant.income.grossAnnualIncome", "Enter annual gross pay, or 0 if none")
	}
	a.SSN = f.Ssn("applicant.ssn", "")
	return a
}

// requiredNormalized returns required text in the lender's format.
func (f *Form) requiredNormalized(name string, normalize func(string) heloc.Normalized, missing,
	invalid string) string {
	f.Required(name, missing)
	return f.Normalized(name, normalize, invalid)
}

func (f *Form) requiredBirthDate(name string, today heloc.Date) heloc.Date {
	f.Required(name, "Enter the birth date")
	return f.BirthDate(name, today)
}

// BirthDate returns the birth date of a borrower who is old enough to sign, or an empty date if the control is empty.
func (f *Form) BirthDate(name string, today heloc.Date) heloc.Date {
	dob := f.date(name, yearsAgo{today, minBorrowerAge, 100})
	at, ok := dob.Time()
	now, _ := today.Time()
	switch {
	case !ok:
		return ""
	case at.AddDate(minBorrowerAge, 0, 0).After(now):
		f.AddError(name, "The borrower must be 18 or older")
	case at.Before(now.AddDate(-120, 0, 0)):
		f.AddError(name, msgOldYear)
	}
	return dob
}

func (f *Form) address(group string) heloc.Address {
	return heloc.Address{
		Street1: f.requiredNormalized(group+".street1", heloc.NormalizeStreet, "Enter the street and number", MsgStreet),
		Street2: f.Normalized(group+".street2", heloc.NormalizeStreet, MsgStreet),
		City:    f.requiredNormalized(group+".city", heloc.NormalizeCity, "Enter the city", MsgCity),
		State:   f.requiredNormalized(group+".state", heloc.NormalizeState, "Choose the state", "Choose the state"),
		ZIP: f.requiredNormalized(group+".zip", heloc.NormalizeZIP, "Enter the ZIP code",
			"Enter a 5-digit or 9-digit ZIP code"),
	}
}

func (f *Form) partnerData() *heloc.PartnerData {
	const group = "partnerDataRequest."
	if !f.HasAny(group) {
		return nil
	}
	p := &heloc.PartnerData{
		AppID: f.Text(group + "externalAppId"), ReferenceID: f.Text(group + "externalReferenceId"),
		CustomerID: f.Text(group + "externalCustomerId"),
	}
	if f.HasAny(group + "utmParameters.") {
		p.UTM = &heloc.UTM{
			Source: f.Text(group + "utmParameters.source"), Medium: f.Text(group + "utmParameters.medium"),
			Campaign: f.Text(group + "utmParameters.campaign"), Term: f.Text(group + "utmParameters.term"),
			Content: f.Text(group + "utmParameters.content"),
		}
	}
	return p
}

func (f *Form) testVariants() *heloc.TestVariants {
	names := f.UniqueValues("testVariantsRequest.variants")
	for _, index := range f.RowIndexes("testVariantsRequest.variants") {
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
	if !f.HasAny("businessInfo.") {
		return nil
	}
	b := &heloc.BusinessInfo{
		EntityName:          f.Required("businessInfo.entityName", "Enter the business name"),
		EntityType:          heloc.EntityType(f.Choice("businessInfo.entityType", text.Entities())),
		OwnershipPercentage: f.Rate("businessInfo.ownershipPercentage"), TotalMonthlyRevenue: f.Money(
			"businessInfo.totalMonthlyRevenue"),
		EIN: f.Text("businessInfo.ein"), StateOfIncorporation: f.Normalized("businessInfo.stateOfIncorporation",
			heloc.NormalizeState, "Choose the state"),
	}
	if f.HasAny("businessInfo.address.") {
		a := f.address("businessInfo.address")
		b.Address = &a
	}
	return b
}

// intakeControlPrefixes lists the prefixes of the intake's control names. A draft stores only these
// controls.
func intakeControlPrefixes() []string {
	return []string{
		"applicant.", "property.", "partnerDataRequest.", "testVariantsRequest.", "businessInfo.", "amountWanted",
		"homeIsProperty",
	}
}

// DraftValues returns the values that a draft stores. The desk removes SSNs as well.
func (f *Form) DraftValues() lead.FormValues {
	stored := lead.FormValues{}
	for name, values := range f.Values {
		ofIntake := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if slices.ContainsFunc(intakeControlPrefixes(), ofIntake) && len(name) < 100 && len(stored) < 1000 {
			stored[name] = values
		}
	}
	return stored
}

// SectionOf returns the section of the page that contains a control.
func SectionOf(name string) string {
	for _, s := range [][2]string{
		{"property.liens", "liens"}, {"property.", "property"}, {"amountWanted", "property"}, {"applicant.income.", "income"},
		{"applicant.ssn", "ssn"}, {"applicant.", "borrower"}, {lead.HomeIsProperty, "borrower"},
		{"businessInfo.", "business"}, {"partnerDataRequest.", "reference"},
		{"testVariantsRequest.", "reference"}, {"consent.", "consent"}, {ConfirmLienBalance, "liens"},
		{ConfirmLiensAboveValue, "liens"}, {ConfirmNoUnit, "property"},
	} {
		if strings.HasPrefix(name, s[0]) {
			return s[1]
		}
	}
	return ""
}

// MonthlyText shows annual pay as an amount per month.
func MonthlyText(yearly *heloc.Money) string {
	if yearly == nil || *yearly < 1200 {
		return ""
	}
	return "$" + (*yearly / 12).Whole() + " a month"
}

// SavedText shows when a draft was saved.
func SavedText(v text.Viewer, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return "Saved " + v.SinceText(at)
}

const homeGroup = "applicant.homeAddress"

// homeAddress returns where the borrower lives: the property if the box is checked, which only a primary residence
// allows, and the typed address otherwise. A program that sends neither the box nor an address for a primary residence
// says with the occupancy that the borrower lives there.
func (f *Form) homeAddress(p heloc.Property) heloc.Address {
	elsewhere := f.CheckHomeAddress()
	_, hasBox := f.Values[lead.HomeIsProperty]
	switch checked := f.IsChecked(lead.HomeIsProperty); {
	case checked && elsewhere && !f.HasAny(homeGroup+"."):
		f.address(homeGroup) // names what is missing
	case checked && p.PropertyType == heloc.PropertyPrimary && !f.HasAny(homeGroup+"."):
		return p.Address
	case checked: // has an error, or has one at the occupancy
	case !hasBox && !f.hasControl(homeGroup+".") && p.PropertyType == heloc.PropertyPrimary:
		return p.Address
	default:
		if p.PropertyType == heloc.PropertyPrimary {
			f.Required(homeGroup+".street1",
				"Enter the street and number, or check the box above if the borrower lives at the property")
		}
		return f.address(homeGroup)
	}
	return heloc.Address{}
}

// CheckHomeAddress records an error at the box if it contradicts the occupancy or the home address beside it. It
// reports whether the occupancy says that the borrower lives elsewhere.
func (f *Form) CheckHomeAddress() (elsewhere bool) {
	what := ""
	switch heloc.PropertyType(f.Text("property.propertyType")) {
	case heloc.PropertySecondary:
		what = "A second home"
	case heloc.PropertyInvestment:
		what = "An investment property"
	}
	elsewhere = what != ""
	if !f.IsChecked(lead.HomeIsProperty) {
		return elsewhere
	}
	switch typed := f.HasAny(homeGroup + "."); {
	case elsewhere && typed:
		f.AddError(lead.HomeIsProperty,
			what+" isn’t where the borrower lives. Uncheck this box to use the home address below, or change the occupancy.")
	case elsewhere:
		f.AddError(lead.HomeIsProperty,
			what+" isn’t where the borrower lives. Uncheck this box and enter the home address, or change the occupancy.")
	case typed:
		f.AddError(lead.HomeIsProperty, "Uncheck this box to use the home address below, or clear that address.")
	}
	return elsewhere
}

// hasControl reports whether the form has a control whose name begins with prefix, even an empty one.
func (f *Form) hasControl(prefix string) bool {
	for name := range f.Values {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// The controls that confirm an unlikely entry. Each is a required checkbox once its question is asked.
const (
	ConfirmLienBalance     = "confirm.lienBalance"
	ConfirmLiensAboveValue = "confirm.liensAboveValue"
	ConfirmNoUnit          = "confirm.noUnit"
)

// Question asks whether an unlikely entry is right.
type Question struct {
	Control string // the checkbox that answers it
	Text    string
}

// Questions returns the questions about an inquiry's amounts. Both are possible, so they are asked and not refused:
// a balance above its original amount is usually a typing error, and so are liens above the home's value.
func Questions(in heloc.Inquiry) []Question {
	var asked []Question
	var above []string
	owed, known := heloc.Money(0), in.Property.EstimatedValue
	for i, l := range in.Property.Liens {
		if l.CurrentBalance == nil {
			continue
		}
		owed += *l.CurrentBalance
		if l.OriginalBalance != nil && *l.CurrentBalance > *l.OriginalBalance {
			above = append(above, "The "+text.Ordinal(i+1)+" lien’s current balance, "+text.Money(*l.CurrentBalance)+
				", is above its original amount, "+text.Money(*l.OriginalBalance)+".")
		}
	}
	if len(above) > 0 {
		asked = append(asked, Question{ConfirmLienBalance, strings.Join(above, " ") + " Is this right?"})
	}
	if known != nil && owed > *known {
		asked = append(asked, Question{ConfirmLiensAboveValue, "The current balances add up to " + text.Money(owed) +
			", more than the stated value, " + text.Money(*known) + ". Is this right?"})
	}
	return asked
}

// ask records an error for each question about the inquiry that is not answered.
func (f *Form) ask(in heloc.Inquiry) {
	for _, q := range Questions(in) {
		if !f.IsChecked(q.Control) {
			f.AddError(q.Control, "Correct the amounts, or check this box if they’re right.")
		}
	}
}

// Income reads a group of income controls. The caller checks which of them the lender requires.
func (f *Form) Income(group string) heloc.Income {
	return heloc.Income{
		EmploymentType: heloc.EmploymentType(f.Choice(group+".employmentType", text.Employments(f.LiveDialect))),
		GrossAnnual:    f.Money(group + ".grossAnnualIncome"), OtherAnnual: f.Money(group + ".otherAnnualIncome"),
		RetirementAnnual: f.Money(group + ".annualRetirementIncome"),
		InvestmentAnnual: f.Money(group + ".annualInvestmentIncome"),
		BusinessAnnual:   f.Money(group + ".annualBusinessIncome"), Savings: f.Money(group + ".savingsAmount"),
	}
}

// Liens reads the rows of a group. A row with any text must have everything the lender requires of
// a lien; a current balance of zero means that the lien is paid off.
func (f *Form) Liens(group string, today heloc.Date) []heloc.LienInput {
	var liens []heloc.LienInput
	for _, index := range f.RowIndexes(group) {
		at := group + "." + index + "."
		lien := heloc.LienInput{
			LienUUID: f.Text(at + "lienUuid"),
			LenderName: f.Normalized(at+"lenderName", heloc.NormalizeLender,
				"Use only letters, numbers, spaces, hyphens and apostrophes"),
			OriginationDate: f.PastDate(at+"originationDate", today),
			OriginalBalance: f.Money(at + "originalBalance"), CurrentBalance: f.Money(at + "currentBalance"),
			MonthlyPayment: f.Money(at + "monthlyPayment"),
		}
		if lien.LenderName == "" {
			f.AddError(at+"lenderName", "Enter the lender")
		}
		if lien.OriginationDate == "" {
			f.AddError(at+"originationDate", "Enter the date it was opened")
		}
		if lien.OriginalBalance == nil {
			f.AddError(at+"originalBalance", "Enter the original amount")
		}
		liens = append(liens, lien)
	}
	return liens
}
