package mismo

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Unused is a group of values that were not taken from the file.
type Unused struct {
	Label  string   // "Assets"
	Count  int      // how many things; 0 where a number says nothing
	Unit   string   // what is counted, "accounts"
	Values int      // how many values
	Words  []string // short, of accounts and debts: "CheckingAccount 8214.10"; bounded
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
	groupSSN             = group{label: "SSN: type it when you send"}
	groupEIN             = group{label: "Employer identification numbers"}
	groupParties         = group{label: "Other people and companies", counted: true}
	groupOtherDeals      = group{label: "Other loans in the file", counted: true}
	groupLienPayoff      = group{label: "Liens marked for payoff"}
	groupLienAccount     = group{label: "Lien account numbers"}
	groupLienDetail      = group{label: "Other lien details"}
	groupZero            = group{label: "Amounts of zero", unit: "amounts", counted: true}
	groupIncome          = group{label: "Other income", unit: "items", counted: true}
	groupRealEstate      = group{label: "Other real estate owned", unit: "properties", counted: true}
	groupOwnedSubject    = group{label: "Subject property’s REO entry"}
	groupDebts           = group{label: "Other debts", counted: true}
	groupAddress         = group{label: "Other address details"}
	groupAssetDetail     = group{label: "Other account details"}
	groupAssets          = group{label: "Assets", unit: "accounts", counted: true}
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
	"ASSET":   {groupAssets, true},
	"EXPENSE": {group{label: "Expenses"}, true}, "LIABILITY_SUMMARY": {groupDebts, true},
	"DECLARATION":           {group{label: "Declarations"}, true},
	"GOVERNMENT_MONITORING": {group{label: "Demographic information"}, true},
	"GOVERNMENT_BORROWER":   {group{label: "Government loan details"}, true},
	"EMPLOYER":              {groupEmployer, true},
	"RESIDENCE":             {groupAddress, true},
	"CURRENT_INCOME":        {groupIncome, false}, "INCOME": {groupIncome, true},
	"CONTACT_POINT": {group{label: "Additional phone numbers and emails"}, true},
	"NAME":          {group{label: "More parts of the name"}, true}, "ALIAS": {group{label: "Other names"}, true},
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

// tally counts a group while the document is walked.
type tally struct {
	things map[*element]bool
	values int
	words  []string
}

// unused groups every value that was not taken, in the order of the labels.
func (d *deal) unused() []Unused {
	groups := map[group]*tally{}
	d.collect(d.root, place{group: groupAnything}, groups)
	all := make([]Unused, 0, len(groups))
	for g, t := range groups {
		u := Unused{Label: g.label, Unit: g.unit, Values: t.values, Words: t.words}
		if g.counted {
			u.Count = len(t.things)
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b Unused) int { return cmp.Compare(a.Label, b.Label) })
	return all
}

// collect adds the unused values in an element to their groups. It sees every element once.
func (d *deal) collect(e *element, in place, groups map[group]*tally) {
	if slices.Contains(envelope, e.name) {
		return
	}
	in = d.placeOf(e, in)
	if len(e.children) == 0 && e.hasText && !e.used {
		if g := d.groupOf(e, in.group); e.broken && in.group != groupOtherDeals {
			d.reject(e, e.problem)
		} else {
			t := groups[g]
			if t == nil {
				t = &tally{things: map[*element]bool{}}
				groups[g] = t
			}
			thing := in.thing
			if g == groupZero {
				thing = e
			}
			named := g == groupAssets || g == groupDebts || g == groupEmployer || g == groupIncome
			if named && !t.things[thing] && len(t.words) < maxWords {
				if words := wordsOf(thing); words != "" {
					t.words = append(t.words, words)
				}
			}
			t.things[thing] = true
			t.values++
		}
	}
	for _, c := range e.children {
		d.collect(c, in, groups)
	}
}

// maxWords is how many accounts, debts and incomes are named.
const maxWords = 20

// wordsOf names an account, a debt or an income: "CheckingAccount 8214.10", "Harbor Bank Card 18240.00". An employer is
// named only with an income.
func wordsOf(thing *element) string {
	if thing.name == "EMPLOYER" || thing.name == "INCOME" {
		if amount := unusedIncome(thing); amount != "" {
			return short(strings.TrimSpace(employerName(thing) + " " + amount))
		}
		return ""
	}
	account, debt := thing.path("ASSET_DETAIL"), thing.path("LIABILITY_DETAIL")
	words := []string{cmp.Or(account.peek("AssetTypeOtherDescription"), account.peek("AssetType")),
		account.peek("AssetCashOrMarketValueAmount")}
	if debt != nil {
		words = []string{cmp.Or(thing.peek("LIABILITY_HOLDER", "NAME", "FullName"),
			debt.peek("LiabilityTypeOtherDescription"), debt.peek("LiabilityType")), debt.peek("LiabilityUnpaidBalanceAmount")}
	}
	return short(strings.TrimSpace(strings.Join(words, " ")))
}

// employerName returns the first name of an employer in an element; "" without one.
func employerName(in *element) string {
	for _, name := range []string{"EmployerName", "FullName"} {
		for _, e := range in.all(name) {
			if e.hasText {
				return e.text
			}
		}
	}
	return ""
}

// unusedIncome returns the first amount of income in an element that was not taken; "" without one.
func unusedIncome(in *element) string {
	for _, c := range in.children {
		if strings.Contains(c.name, "Income") && strings.HasSuffix(c.name, "Amount") && !c.used &&
			strings.Trim(c.text, "0. ") != "" {
			return c.text
		}
		if amount := unusedIncome(c); amount != "" {
			return amount
		}
	}
	return ""
}

// groupOf returns the group of a value.
func (d *deal) groupOf(e *element, in group) group {
	switch {
	case in == groupParties || in == groupOtherDeals:
	case e.secret() && e.parent.peek("TaxpayerIdentifierType") == typeEIN:
		return groupEIN
	case e.secret():
		return groupSSN
	case e.zero:
		return groupZero
	case in == groupLienDetail:
		return lienGroupOf(e)
	case in == groupEmployer && e.parent.name == "ADDRESS":
		return groupEmployerAddress
	}
	return in
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
		if slices.Contains(d.borrowers, e) {
			return place{groupBorrower, e, false}
		}
		return place{groupParties, e, true}
	case "LIABILITY":
		if d.taken[e] {
			return place{groupLienDetail, e, true}
		}
		return place{groupDebts, e, true}
	case "LOAN":
		if d.taken[e] {
			return place{groupLienDetail, e, true}
		}
	case "ASSET", "OWNED_PROPERTY":
		if d.taken[e] {
			return place{groupAssetDetail, e, true}
		}
		if ownedOf(e) == nil {
			break
		}
		if by := d.tieOf(e).by; by == TieLink || by == TieAddress {
			return place{groupOwnedSubject, e, true}
		}
		return place{groupRealEstate, e, true}
	case "CURRENT_INCOME_ITEM":
		return place{groupIncome, e, true}
	case "ADDRESSES":
		if slices.Contains(d.borrowers, around.thing) {
			return place{groupAddress, e, true}
		}
	}
	if s, ok := sections[strings.TrimPrefix(e.name, foreign)]; ok {
		return place{s.group, e, s.final}
	}
	return around
}

// lienGroupOf names a value of a lien that was taken.
func lienGroupOf(e *element) group {
	switch e.name {
	case "LiabilityPayoffStatusIndicator":
		return groupLienPayoff
	case "LiabilityAccountIdentifier":
		return groupLienAccount
	default:
		return groupLienDetail
	}
}
