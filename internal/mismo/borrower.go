package mismo

import (
	"strings"

	"hearthline/internal/heloc"
)

// readBorrower reads the first borrower.
func (d *deal) readBorrower() Borrower {
	name := d.borrower.path("INDIVIDUAL", "NAME")
	b := Borrower{
		First: name.fact("FirstName"), Middle: name.fact("MiddleName"), Last: name.fact("LastName"),
		Suffix: name.fact("SuffixName"), Prefix: name.fact("PrefixName"),
	}
	if full := name.path("FullName"); full != nil && b.First.Value != "" && b.Last.Value != "" {
		full.used = true // it repeats the parts
	}
	role := borrowerRole(d.borrower)
	b.BirthDate = role.fact("BORROWER", "BORROWER_DETAIL", "BorrowerBirthDate")
	if day := len("1980-02-29"); len(b.BirthDate.Value) > day && strings.ContainsAny(b.BirthDate.Value[day:day+1], "TZ+-") {
		b.BirthDate.Value = b.BirthDate.Value[:day] // without the time and the offset
	}
	role.take("ROLE_DETAIL", "PartyRoleType")
	phone, email := d.readContacts()
	if phone != "" {
		b.Phones = []Contact{{Text: Text{phone, d.borrower.source(phone, "CONTACT_POINT")}}}
	}
	if email != "" {
		b.Emails = []Contact{{Text: Text{email, d.borrower.source(email, "CONTACT_POINT")}}}
	}
	b.Place, b.Sequence = "PARTY", d.borrower.sequence
	for _, residence := range role.path("BORROWER", "RESIDENCES").each("RESIDENCE") {
		if residence.peek("RESIDENCE_DETAIL", "BorrowerResidencyType") == "Current" {
			residence.take("RESIDENCE_DETAIL", "BorrowerResidencyType")
			home := Address{Kind: AddressHome}
			home.Value = readAddress(residence.path("ADDRESS"))
			home.Source = residence.source(home.Value.Street1, "ADDRESS")
			b.Addresses = append(b.Addresses, home)
			break
		}
	}
	b.Incomes, b.SelfEmployed = d.readIncome()
	return b
}

// phoneOrder is which phone number is taken if there are several.
var phoneOrder = []string{"Mobile", "Home", "", "Other", "Work"}

// readContacts returns the phone number that reaches the borrower best, and the first email address.
func (d *deal) readContacts() (phone, email string) {
	points := d.borrower.path("INDIVIDUAL", "CONTACT_POINTS").each("CONTACT_POINT")
	for _, kind := range phoneOrder {
		for _, p := range points {
			if phone == "" && p.peek("CONTACT_POINT_DETAIL", "ContactPointRoleType") == kind {
				if phone = p.take("CONTACT_POINT_TELEPHONE", "ContactPointTelephoneValue"); phone != "" {
					p.take("CONTACT_POINT_DETAIL", "ContactPointRoleType")
				}
			}
		}
	}
	for _, p := range points {
		if email == "" {
			if email = p.take("CONTACT_POINT_EMAIL", "ContactPointEmailValue"); email != "" {
				p.take("CONTACT_POINT_DETAIL", "ContactPointRoleType")
			}
		}
	}
	return phone, email
}

// unitDesignators are the short forms of the kinds of units.
var unitDesignators = map[string]string{"Apartment": "Apt", "Building": "Bldg", "Floor": "Fl", "Lot": "Lot",
	"Suite": "Ste", "Trailer": "Trlr", "Room": "Rm"}

// readAddress reads an address in the United States. One elsewhere is not taken.
func readAddress(a *element) heloc.Address {
	switch strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(a.peek("CountryCode")), ".", "")) {
	case "", "US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA":
		a.take("CountryCode")
	default:
		return heloc.Address{}
	}
	a.take("AddressType")
	address := heloc.Address{
		Street1: a.take("AddressLineText"), City: a.take("CityName"), State: a.take("StateCode"), ZIP: a.take("PostalCode"),
	}
	if unit := a.take("AddressUnitIdentifier"); unit != "" {
		address.Street2 = unit
		kind := a.take("AddressUnitDesignatorType")
		if short, known := unitDesignators[kind]; known {
			kind = short
		} else {
			kind = "Unit"
		}
		if !strings.ContainsAny(unit, " #") { // otherwise it names its kind
			address.Street2 = kind + " " + unit
		}
	} else {
		address.Street2 = a.take("AddressAdditionalLineText")
	}
	return address
}

// incomeKind is which of the form's amounts an income belongs to.
type incomeKind int

// The kinds of income. The zero kind is not taken.
const (
	incomeNone incomeKind = iota
	incomeGross
	incomeRetirement
	incomeInvestment
	incomeBusiness
	incomeOther
)

// incomeKinds maps MISMO's income types. Alimony, child support and separate maintenance are not among them: the
// borrower decides for each credit request whether they count (12 CFR 1002.5(d)(2)). Neither are totals, which would
// count twice, and losses.
var incomeKinds = map[string]incomeKind{
	"Base": incomeGross, "Overtime": incomeGross, "Bonus": incomeGross,
	"Commissions": incomeGross, "ContractBasis": incomeGross, "TipIncome": incomeGross,
	"HousingAllowance": incomeGross, "AutomobileAllowance": incomeGross, "MilitaryBasePay": incomeGross,
	"MilitaryClothesAllowance": incomeGross, "MilitaryCombatPay": incomeGross,
	"MilitaryFlightPay": incomeGross, "MilitaryHazardPay": incomeGross, "MilitaryOverseasPay": incomeGross,
	"MilitaryPropPay": incomeGross, "MilitaryQuartersAllowance": incomeGross, "MilitaryRationsAllowance": incomeGross,
	"MilitaryVariableHousingAllowance": incomeGross, "Pension": incomeRetirement, "SocialSecurity": incomeRetirement,
	"DefinedContributionPlan": incomeRetirement, "EmploymentRelatedAccount": incomeRetirement,
	"DividendsInterest": incomeInvestment, "CapitalGains": incomeInvestment, "Trust": incomeInvestment,
	"SelfEmploymentIncome": incomeBusiness,
	"AccessoryUnitIncome":  incomeOther, "BoarderIncome": incomeOther, "Disability": incomeOther,
	"FosterCare": incomeOther, "MiscellaneousIncome": incomeOther,
	"NetRentalIncome": incomeOther, "NotesReceivableInstallment": incomeOther, "Other": incomeOther,
	"PublicAssistance": incomeOther, "Royalties": incomeOther, "TemporaryLeave": incomeOther, "Unemployment": incomeOther,
	"VABenefitsNonEducational": incomeOther, "WorkersCompensation": incomeOther,
}

// readIncome adds up the first borrower's current income by kind. The file has amounts a month.
func (d *deal) readIncome() ([]Income, *Fact[bool]) {
	borrower := borrowerRole(d.borrower).path("BORROWER")
	var monthly [incomeOther + 1]heloc.Money
	var found [incomeOther + 1]bool
	add := func(kind incomeKind, m heloc.Money) {
		monthly[kind], found[kind] = monthly[kind]+m, true
	}
	for _, item := range borrower.path("CURRENT_INCOME", "CURRENT_INCOME_ITEMS").each("CURRENT_INCOME_ITEM") {
		detail := item.path("CURRENT_INCOME_ITEM_DETAIL")
		kind := incomeKinds[detail.peek("IncomeType")]
		if kind == incomeNone {
			continue
		}
		if m := takeAmount(detail, "CurrentIncomeMonthlyTotalAmount"); m != nil {
			add(kind, m.Value)
			for _, name := range []string{"IncomeType", "EmploymentIncomeIndicator", "IncomeTypeOtherDescription"} {
				detail.take(name)
			}
		}
	}
	var selfEmployment *Fact[bool]
	current, hasItems := currentEmployments(borrower), found[incomeBusiness]
	for _, e := range current {
		if selfEmployed, _ := e.flag("EmploymentBorrowerSelfEmployedIndicator"); !selfEmployed {
			continue
		}
		if len(current) == 1 || e.peek("EmploymentClassificationType") == "Primary" {
			e.take("EmploymentBorrowerSelfEmployedIndicator")
			selfEmployment = &Fact[bool]{Value: true}
		}
		if hasItems {
			continue // the items count it already
		}
		if m := takeAmount(e, "EmploymentMonthlyIncomeAmount"); m != nil {
			add(incomeBusiness, m.Value)
		}
	}
	var all []Income
	for kind, name := range map[incomeKind]IncomeKind{incomeGross: IncomeGross, incomeOther: IncomeOther,
		incomeRetirement: IncomeRetirement, incomeInvestment: IncomeInvestment, incomeBusiness: IncomeBusiness} {
		if found[kind] {
			all = append(all, Income{Kind: name, Yearly: min(monthly[kind], maxAmount) * 12})
		}
	}
	return all, selfEmployment
}

// currentEmployments returns the borrower's employments that have not ended.
func currentEmployments(borrower *element) []*element {
	var current []*element
	for _, employer := range borrower.path("EMPLOYERS").each("EMPLOYER") {
		e := employer.path("EMPLOYMENT")
		if e == nil {
			continue
		}
		if status := e.peek("EmploymentStatusType"); status == "Current" ||
			status == "" && e.peek("EmploymentEndDate") == "" {
			current = append(current, e)
		}
	}
	return current
}
