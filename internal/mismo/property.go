package mismo

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
)

// subjectsOf returns the subject properties of a deal. Two entries of one address are one property.
func (d *deal) subjectsOf() []*element {
	var found []*element
	for _, name := range []string{"SUBJECT_PROPERTY", "PROPERTY"} { // the second as some write it
		for _, c := range d.element.path("COLLATERALS").each("COLLATERAL") {
			if len(found) == 0 || found[0].name == name {
				found = append(found, c.all(name)...)
			}
		}
	}
	if len(found) == 0 {
		for _, l := range d.element.path("LOANS").each("LOAN") {
			if isSubjectLoan(l) {
				found = append(found, l.all("SUBJECT_PROPERTY")...)
			}
		}
	}
	return found[:min(len(found), maxBorrowers)]
}

func isSubjectLoan(loan *element) bool {
	role := loan.marked().loanRole
	if role == "" {
		role = loan.peek("LoanRoleType")
	}
	return role == "" || role == "SubjectLoan"
}

// readProperties reads the subject properties.
func (d *deal) readProperties() {
	for _, s := range d.subjectsOf() {
		p := Property{Address: d.readAddress(s.path("ADDRESS"))}
		detail := s.path("PROPERTY_DETAIL")
		p.Usage = d.readUsage(detail)
		if units, err := strconv.Atoi(d.text(detail, "FinancedUnitCount").Value); err == nil && units > 0 && units < 1000 {
			p.Units = units
		}
		valuations := s.path("PROPERTY_VALUATIONS").each("PROPERTY_VALUATION")
		for _, v := range valuations[:min(len(valuations), maxRows)] {
			for _, at := range []*element{v.path("PROPERTY_VALUATION_DETAIL"), v} {
				kind := ValueOther
				switch method := at.peek("PropertyValuationMethodType"); {
				case method == "":
					kind = ValueValuation
				case slices.Contains(appraisals, method):
					kind = ValueAppraised
				}
				at.use("PropertyValuationMethodType")
				before := len(p.Values)
				if d.addValue(&p, kind, at.path("PropertyValuationAmount")); len(p.Values) > before {
					p.Values[before].Method = at.peek("PropertyValuationMethodType")
					p.Values[before].Date, _ = dateOf(d.text(at, "PropertyValuationEffectiveDate").Value)
				}
			}
		}
		d.addValue(&p, ValueEstimated, detail.path("PropertyEstimatedValueAmount"))
		for _, sale := range s.all("SALES_CONTRACT") {
			d.addValue(&p, ValuePurchase, sale.path("SALES_CONTRACT_DETAIL", "SalesContractAmount"))
		}
		d.addValue(&p, ValuePurchase, detail.path("PropertyPurchasePriceAmount"))
		d.addValue(&p, ValueCost, detail.path("PropertyOriginalCostAmount"))
		p.sortValues()
		if p.Address.Says == "" && p.Usage.Says == "" && p.Values == nil {
			continue
		}
		if at := d.propertyAt(p.Address.Value); at >= 0 { // the same one again
			d.properties[at].merge(p)
			continue
		}
		d.subjects, d.properties = append(d.subjects, s), append(d.properties, p)
	}
	if len(d.properties) == 1 {
		p := &d.properties[0]
		for _, sale := range d.element.path("SALES_CONTRACTS").each("SALES_CONTRACT") {
			d.addValue(p, ValuePurchase, sale.path("SALES_CONTRACT_DETAIL", "SalesContractAmount"))
		}
		for _, asset := range d.assets() { // the same property, in the list of what the borrower owns
			best := p.Value()
			if tie := d.tieOf(asset); (best == nil || best.Kind == ValueCost) && (tie.by == TieLink || tie.by == TieAddress) {
				d.addValue(p, ValueEstimated, ownedOf(asset).path("PROPERTY", "PROPERTY_DETAIL", "PropertyEstimatedValueAmount"))
			}
		}
		p.sortValues()
	}
}

// usageTypes maps MISMO's words to the form's.
var usageTypes = byWord(map[string]heloc.PropertyType{"PrimaryResidence": heloc.PropertyPrimary,
	"SecondHome": heloc.PropertySecondary, "Investment": heloc.PropertyInvestment,
	"InvestmentProperty": heloc.PropertyInvestment})

func (d *deal) readUsage(detail *element) Fact[heloc.PropertyType] {
	e := detail.first("PropertyUsageType", "PropertyCurrentUsageType")
	if e == nil {
		return Fact[heloc.PropertyType]{}
	}
	usage := usageTypes[letters(e.peek())]
	e.used = usage != ""
	return Fact[heloc.PropertyType]{usage, e.source()}
}

// addValue adds a value of a property; a zero as well, so that it can be shown.
func (d *deal) addValue(p *Property, kind ValueKind, e *element) {
	if e == nil || !e.hasText {
		return
	}
	if a := d.amount(e.parent, e.name); a != nil {
		p.Values = append(p.Values, Valuation{Amount: *a, Kind: kind})
	} else if e.zero {
		e.used = true
		p.Values = append(p.Values, Valuation{Amount: Amount{0, e.source()}, Kind: kind})
	}
}

// appraisals are the methods that make a valuation an appraisal.
var appraisals = []string{"FullAppraisal", "DesktopAppraisal", "DriveBy", "PriorAppraisalUsed"}

// sortValues sorts the values as they are used.
func (p *Property) sortValues() {
	order := []ValueKind{ValueAppraised, ValueValuation, ValueEstimated, ValueOther, ValuePurchase, ValueCost}
	slices.SortStableFunc(p.Values, func(a, b Valuation) int {
		return cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind))
	})
}

// merge adds what a second entry of the same property has.
func (p *Property) merge(other Property) {
	p.Values = append(p.Values, other.Values...)
	p.sortValues()
	if p.Usage.Value == "" {
		p.Usage = other.Usage
	}
	if p.Units == 0 {
		p.Units = other.Units
	}
}

// propertyAt returns which subject property has an address; -1 for none.
func (d *deal) propertyAt(a heloc.Address) int {
	for i, p := range d.properties {
		if sameAddress(p.Address.Value, a) {
			return i
		}
	}
	return -1
}

// lineWords match a home equity line, and not a home equity loan.
var lineWords = regexp.MustCompile(`(?i)heloc|home ?equity ?line`)

// readRequested returns the amount of a home equity line, or else of the loan.
func (d *deal) readRequested() *Requested {
	var other *Requested
	for _, l := range d.element.path("LOANS").each("LOAN") {
		if !isSubjectLoan(l) {
			continue
		}
		line, _ := l.flag("LOAN_DETAIL", "HELOCIndicator")
		for _, name := range []string{"LoanPurposeType", "LoanPurposeTypeOtherDescription", "MortgageType",
			"MortgageTypeOtherDescription"} {
			line = line || lineWords.MatchString(l.peek("TERMS_OF_LOAN", name))
		}
		rule, terms := l.path("HELOC", "HELOC_RULE"), l.path("TERMS_OF_LOAN")
		loanAmount := func() *Amount {
			if amount := d.amount(terms, "NoteAmount", "BaseLoanAmount"); amount != nil {
				return amount
			}
			return d.amount(l.path("LOAN_DETAIL"), "BaseLoanAmount", "LoanAmount") // as some write it
		}
		if line = line || l.path("HELOC") != nil; !line {
			if amount := loanAmount(); amount != nil && other == nil {
				other = &Requested{Amount: *amount, Why: "The file doesn’t call the loan a home equity line"}
				if terms.peek("LienPriorityType") == "FirstLien" {
					other.Why = "The file calls the loan a first lien, not a home equity line"
				}
			}
			continue
		}
		l.use("LOAN_DETAIL", "HELOCIndicator")
		r := Requested{Advance: d.amount(rule, "HELOCInitialAdvanceAmount")}
		amount := d.amount(rule, "HELOCMaximumBalanceAmount")
		if amount == nil {
			amount = loanAmount()
		}
		if amount == nil {
			amount, r.Advance = r.Advance, nil
		}
		if amount == nil {
			continue
		}
		r.Amount = *amount
		if note := loanAmount(); note != nil && note.Value != r.Value {
			r.Note = note
		}
		return &r
	}
	return other
}

// readLoanNumber returns the number that the LOS gave the loan. Numbers of an agency or of MERS are not.
func (d *deal) readLoanNumber() Text {
	for _, kind := range []string{"LenderLoan", "WholesaleLenderLoan", "SellerLoan", "LenderCase", "Other", ""} {
		for _, l := range d.element.path("LOANS").each("LOAN") {
			if !isSubjectLoan(l) {
				continue
			}
			for _, id := range l.path("LOAN_IDENTIFIERS").each("LOAN_IDENTIFIER") {
				described := id.peek("LoanIdentifierTypeOtherDescription")
				if id.peek("LoanIdentifierType") != kind || kind == "Other" && !strings.Contains(described, "LOS") {
					continue
				}
				if number := d.text(id, "LoanIdentifier"); number.Value != "" {
					id.use("LoanIdentifierType")
					return number
				}
			}
		}
	}
	return Text{}
}

// letters folds a word of an enumeration. Systems write "PrimaryResidence", "Primary Residence" and
// "primary-residence".
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, strings.ToLower(word))
}

// byWord maps folded words.
func byWord[T any](words map[string]T) map[string]T {
	folded := make(map[string]T, len(words))
	for word, value := range words {
		folded[letters(word)] = value
	}
	return folded
}
