package mismo

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Unused is a group of values that were not taken from the file. It has no value in it.
type Unused struct {
	Label string // "Assets"
	Count int    // how many things; 0 where a number says nothing
	Unit  string // what is counted, "accounts"
}

// String returns the group as it is shown, "Assets (4 accounts)".
func (u Unused) String() string {
	if u.Count == 0 {
		return u.Label
	}
	unit := u.Unit
	if u.Count == 1 {
		unit = strings.TrimSuffix(unit, "s")
		if before, ok := strings.CutSuffix(unit, "ie"); ok {
			unit = before + "y"
		}
	}
	return u.Label + " (" + strings.TrimSpace(strconv.Itoa(u.Count)+" "+unit) + ")"
}

// group is how values in an element are named. If it is counted, the things are the elements of its place.
type group struct {
	label, unit string
	counted     bool
}

// The groups that depend on more than the name of an element, or that several elements have. The SSN itself was dropped
// while the file was read.
var (
	groupSSN         = group{label: "SSN: type it when you send"}
	groupBorrowers   = group{label: "Co-borrowers", counted: true}
	groupParties     = group{label: "Other people and companies", counted: true}
	groupOtherDeals  = group{label: "Other loans in the file", counted: true}
	groupMortgages   = group{label: "Mortgages not linked to the subject property", counted: true}
	groupLienPayoff  = group{label: "Liens marked for payoff"}
	groupLienLimit   = group{label: "Lien credit limits"}
	groupLienAccount = group{label: "Lien account numbers"}
	groupLienDetail  = group{label: "Other lien details"}
	groupSupport     = group{label: "Alimony, child support or separate maintenance: " +
		"add it only if the borrower wants it considered"}
	groupIncome          = group{label: "Other income", unit: "items", counted: true}
	groupRealEstate      = group{label: "Other real estate owned", unit: "properties", counted: true}
	groupOwnedSubject    = group{label: "Subject property’s REO entry"}
	groupDebts           = group{label: "Other debts", counted: true}
	groupMailing         = group{label: "Mailing address"}
	groupBorrower        = group{label: "Other borrower details"}
	groupEmployer        = group{label: "Employers", counted: true}
	groupEmployerAddress = group{label: "Employer address"}
	groupProperty        = group{label: "Other property details"}
	groupLoan            = group{label: "Loan terms"}
	groupFees            = group{label: "Fees and closing costs"}
	groupDocuments       = group{label: "Documents"}
	groupAnything        = group{label: "Other entries"}
)

// section is the group of an element. Elements inside a final one do not change the group.
type section struct {
	group
	final bool
}

// sections maps elements to groups. The nearest such element around a value names it.
var sections = map[string]section{
	"ASSET":   {group{label: "Assets", unit: "accounts", counted: true}, true},
	"EXPENSE": {group{label: "Expenses"}, true}, "LIABILITY_SUMMARY": {groupDebts, true},
	"DECLARATION":           {group{label: "Declarations"}, true},
	"GOVERNMENT_MONITORING": {group{label: "Demographic information"}, true},
	"GOVERNMENT_BORROWER":   {group{label: "Government loan details"}, true},
	"EMPLOYER":              {groupEmployer, true},
	"RESIDENCE":             {group{label: "Previous addresses and residence details"}, true},
	"CURRENT_INCOME":        {groupIncome, false},
	"CONTACT_POINT":         {group{label: "Additional phone numbers and emails"}, true},
	"NAME":                  {group{label: "More parts of the name"}, true}, "ALIAS": {group{label: "Other names"}, true},
	"BORROWER": {groupBorrower, false}, "MILITARY_SERVICE": {group{label: "Military service"}, true},
	"COUNSELING":   {group{label: "Homeownership counseling"}, true},
	"CREDIT_SCORE": {group{label: "Credit scores"}, true}, "CREDIT": {group{label: "Credit report details"}, false},
	"SUBJECT_PROPERTY": {groupProperty, false}, "COLLATERAL": {groupProperty, false},
	"PROPERTY_VALUATION": {group{label: "Appraisal"}, true}, "SALES_CONTRACT": {group{label: "Sales contract"}, true},
	"LOAN": {groupLoan, false}, "HMDA_LOAN": {group{label: "HMDA data"}, true},
	"LOAN_IDENTIFIER": {group{label: "Loan numbers"}, true},
	"FEE":             {groupFees, true}, "CLOSING_INFORMATION": {groupFees, true},
	"SERVICE": {group{label: "Orders to other services"}, true}, "DOCUMENT_SPECIFIC_DATA_SETS": {groupDocuments, true},
	"FOREIGN_OBJECT": {groupDocuments, true}, "VIEW": {groupDocuments, true},
}

// envelope are the elements that describe the file and not the loan.
var envelope = []string{"ABOUT_VERSION", "ABOUT_VERSIONS", "SYSTEM_SIGNATURES", "MESSAGE_HEADER", "DEAL_SET_SERVICES"}

// place is where in the document a value is: its group, and the thing that it belongs to.
type place struct {
	group group
	thing *element
	final bool // elements inside do not change it
}

// unused groups every value that was not taken, in the order of the labels.
func (d *deal) unused() []Unused {
	things := map[group]map[*element]bool{}
	d.collect(d.root, place{group: groupAnything}, things)
	all := make([]Unused, 0, len(things))
	for g, of := range things {
		u := Unused{Label: g.label, Unit: g.unit}
		if g.counted {
			u.Count = len(of)
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b Unused) int { return cmp.Compare(a.Label, b.Label) })
	return all
}

// collect adds the unused values in an element to the things of their groups. It sees every element once.
func (d *deal) collect(e *element, in place, things map[group]map[*element]bool) {
	if slices.Contains(envelope, e.name) {
		return
	}
	in = d.placeOf(e, in)
	if len(e.children) == 0 && e.hasText && !e.used {
		g := in.group
		switch {
		case e.secret() && g != groupBorrowers && g != groupParties && g != groupOtherDeals:
			g = groupSSN
		case g == groupLienDetail:
			g = lienGroupOf(e)
		case g == groupEmployer && e.parent.name == "ADDRESS":
			g = groupEmployerAddress
		}
		if things[g] == nil {
			things[g] = map[*element]bool{}
		}
		things[g][in.thing] = true
	}
	for _, c := range e.children {
		d.collect(c, in, things)
	}
}

// placeOf returns the place of an element and of what it contains, given the place around it.
func (d *deal) placeOf(e *element, around place) place {
	if around.final {
		return around
	}
	switch e.name {
	case "DEAL":
		if e != d.element {
			return place{groupOtherDeals, e, true}
		}
	case "PARTY":
		if e == d.borrower {
			break
		}
		if borrowerRole(e) != nil {
			return place{groupBorrowers, e, true}
		}
		return place{groupParties, e, true}
	case "LIABILITY":
		return place{d.groupOfLiability(e), e, true}
	case "ASSET":
		switch {
		case e.path("OWNED_PROPERTY") == nil:
		case d.isSubject(e):
			return place{groupOwnedSubject, e, true}
		default:
			return place{groupRealEstate, e, true}
		}
	case "CURRENT_INCOME_ITEM":
		switch e.peek("CURRENT_INCOME_ITEM_DETAIL", "IncomeType") {
		case "Alimony", "ChildSupport", "SeparateMaintenance":
			return place{groupSupport, e, true}
		}
		return place{groupIncome, e, true}
	case "ADDRESSES":
		if around.thing == d.borrower {
			return place{groupMailing, e, true}
		}
	}
	if e == d.borrower {
		return place{groupBorrower, e, false}
	}
	if s, ok := sections[strings.TrimPrefix(e.name, foreign)]; ok {
		return place{s.group, e, s.final}
	}
	return around
}

func (d *deal) groupOfLiability(liability *element) group {
	switch {
	case d.liens[liability]:
		return groupLienDetail
	case isMortgage(liability) && !d.tied[liability.label]:
		return groupMortgages
	default:
		return groupDebts
	}
}

// lienGroupOf names a value of a lien that was taken.
func lienGroupOf(e *element) group {
	switch {
	case e.name == "LiabilityPayoffStatusIndicator":
		return groupLienPayoff
	case strings.HasPrefix(e.name, "HELOC"):
		return groupLienLimit
	case e.name == "LiabilityAccountIdentifier":
		return groupLienAccount
	default:
		return groupLienDetail
	}
}
