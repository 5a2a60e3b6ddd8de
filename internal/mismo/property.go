package mismo

import (
	"strings"

	"hearthline/internal/heloc"
)

// subjectOf returns the subject property of a deal; nil if there is none.
func subjectOf(deal *element) *element {
	for _, c := range deal.path("COLLATERALS").each("COLLATERAL") {
		if p := c.path("SUBJECT_PROPERTY"); p != nil {
			return p
		}
	}
	return nil
}

func (d *deal) readProperty() Property {
	s := d.subject
	var p Property
	p.Address.Value = readAddress(s.path("ADDRESS"))
	p.Address.Source = s.source(p.Address.Value.Street1, "ADDRESS")
	for _, v := range s.path("PROPERTY_VALUATIONS").each("PROPERTY_VALUATION") {
		if a := takeAmount(v, "PROPERTY_VALUATION_DETAIL", "PropertyValuationAmount"); a != nil {
			p.Values = append(p.Values, Valuation{*a, ValueAppraised})
			break
		}
	}
	if p.Values == nil {
		if a := takeAmount(s, "PROPERTY_DETAIL", "PropertyEstimatedValueAmount"); a != nil {
			p.Values = append(p.Values, Valuation{*a, ValueEstimated})
		}
	}
	p.Usage.Value = map[string]heloc.PropertyType{"PrimaryResidence": heloc.PropertyPrimary,
		"SecondHome": heloc.PropertySecondary, "Investment": heloc.PropertyInvestment,
	}[s.peek("PROPERTY_DETAIL", "PropertyUsageType")]
	if p.Usage.Value != "" {
		s.take("PROPERTY_DETAIL", "PropertyUsageType")
	}
	return p
}

// readOwnership derives how title is held from the title holders.
func (d *deal) readOwnership() heloc.OwnershipType {
	people, entity := 0, heloc.OwnershipType("")
	for _, party := range d.element.path("PARTIES").each("PARTY") {
		for _, role := range party.path("ROLES").each("ROLE") {
			if role.peek("ROLE_DETAIL", "PartyRoleType") != "TitleHolder" {
				continue
			}
			role.take("ROLE_DETAIL", "PartyRoleType")
			kind := party.take("LEGAL_ENTITY", "LEGAL_ENTITY_DETAIL", "LegalEntityType")
			switch {
			case role.path("TRUST") != nil || strings.Contains(kind, "Trust"):
				entity = heloc.OwnershipTrust
			case kind == "LimitedLiabilityCompany":
				entity = heloc.OwnershipLLC
			case kind != "" || party.path("LEGAL_ENTITY") != nil:
				entity = heloc.OwnershipOther
			default:
				people++
			}
		}
	}
	switch {
	case entity != "":
		return entity
	case people == 1:
		return heloc.OwnershipSole
	case people > 1:
		return heloc.OwnershipJoint
	default:
		return ""
	}
}

// readRequested returns the amount of a home equity line. A first mortgage's amount is not what the borrower would
// draw from a line, so it is not taken.
func (d *deal) readRequested() *Amount {
	for _, l := range d.element.path("LOANS").each("LOAN") {
		line, _ := l.flag("LOAN_DETAIL", "HELOCIndicator")
		if l.loanRole != "" && l.loanRole != "SubjectLoan" || l.path("HELOC") == nil && !line {
			continue
		}
		l.take("LOAN_DETAIL", "HELOCIndicator")
		for _, path := range [][]string{
			{"HELOC", "HELOC_RULE", "HELOCInitialAdvanceAmount"}, {"TERMS_OF_LOAN", "NoteAmount"},
			{"TERMS_OF_LOAN", "BaseLoanAmount"}, {"HELOC", "HELOC_RULE", "HELOCMaximumBalanceAmount"},
		} {
			if m := takeAmount(l, path...); m != nil {
				return m
			}
		}
	}
	return nil
}

// maxAmount is more than any home price or income.
const maxAmount = heloc.Money(1_000_000_000_00)

// amountOf reads an amount above zero, which is how an LOS writes one that nobody entered.
func amountOf(text string) (heloc.Money, bool) {
	if strings.Trim(text, "0123456789.") != "" || text == "" {
		return 0, false
	}
	m, err := heloc.ParseMoney(text)
	return m, err == nil && m > 0 && m <= maxAmount
}

// takeAmount returns the amount at a path, and marks it as used; nil if there is none that can be used.
func takeAmount(e *element, names ...string) *Amount {
	m, ok := amountOf(e.peek(names...))
	if !ok {
		return nil
	}
	return &Amount{m, e.source(e.take(names...), names...)}
}

// maxLiens is how many liens the form takes.
const maxLiens = 50

// readLiens returns the mortgages and lines that the file ties to the subject property. A mortgage that it ties to no
// property, or to another one, may not be a lien on this one.
func (d *deal) readLiens() []Lien {
	secured := map[string]bool{}
	d.liens, d.tied = map[*element]bool{}, map[string]bool{}
	for _, asset := range d.element.path("ASSETS").each("ASSET") {
		subject := d.isSubject(asset)
		for _, l := range d.links[asset.label] {
			if l.role == "ASSET_IsAssociatedWith_LIABILITY" {
				d.tied[l.to], secured[l.to] = true, secured[l.to] || subject
			}
		}
		delete(d.links, asset.label) // so that a label that repeats costs no more
	}
	var liens []Lien
	for _, e := range d.element.path("LIABILITIES").each("LIABILITY") {
		if !isMortgage(e) || !secured[e.label] || len(liens) == maxLiens {
			continue
		}
		detail := e.path("LIABILITY_DETAIL")
		detail.take("LiabilityType")
		for _, name := range []string{"LiabilityPayoffStatusIndicator", "LiabilityExclusionIndicator"} {
			if set, _ := detail.flag(name); !set {
				detail.take(name)
			}
		}
		lien := Lien{
			Balance: takeAmount(detail, "LiabilityUnpaidBalanceAmount"),
			Payment: takeAmount(detail, "LiabilityMonthlyPaymentAmount"),
			Holder:  e.fact("LIABILITY_HOLDER", "NAME", "FullName"),
			Kind:    LienMortgage, Tie: TieLink, Source: e.source("", "LIABILITY_DETAIL"),
		}
		if lien.Holder.Value == "" {
			lien.Holder = e.fact("LIABILITY_HOLDER", "LEGAL_ENTITY", "LEGAL_ENTITY_DETAIL", "FullName")
		}
		liens, d.liens[e] = append(liens, lien), true
	}
	return liens
}

// isMortgage reports whether a debt is secured by a property.
func isMortgage(liability *element) bool {
	kind := liability.peek("LIABILITY_DETAIL", "LiabilityType")
	return kind == "MortgageLoan" || kind == "HELOC"
}

// isSubject reports whether an asset is the subject property: the file says so, or says nothing and gives its address.
func (d *deal) isSubject(asset *element) bool {
	owned := asset.path("OWNED_PROPERTY")
	if subject, known := owned.flag("OWNED_PROPERTY_DETAIL", "OwnedPropertySubjectIndicator"); known {
		return subject
	}
	const zip = len("83702")
	at, subject := owned.path("PROPERTY", "ADDRESS"), d.subject.path("ADDRESS")
	street, ours := at.peek("AddressLineText"), subject.peek("AddressLineText")
	code, our := at.peek("PostalCode"), subject.peek("PostalCode")
	return street != "" && heloc.FoldForSearch(street) == heloc.FoldForSearch(ours) && len(code) >= zip &&
		len(our) >= zip && code[:zip] == our[:zip] &&
		strings.EqualFold(at.peek("AddressUnitIdentifier"), subject.peek("AddressUnitIdentifier"))
}
