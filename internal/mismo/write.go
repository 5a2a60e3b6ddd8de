package mismo

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// Export is what a loan file is written from: what the lender says about a lead, and nothing else.
type Export struct {
	Details    heloc.Details
	Signers    heloc.Signers
	TermUnit   heloc.TermUnit
	LoanNumber string // the LOS's own; "" if nobody gave one
	At         time.Time
}

// Write writes a MISMO 3.4 file. Elements are in the order of the schema, and one without a value is left out: the file
// has no default, no computed amount and never an SSN.
func Write(to io.Writer, e Export) error {
	if _, err := io.WriteString(to, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(to)
	encoder.Indent("", "  ")
	if err := e.message().encode(encoder); err != nil {
		return err
	}
	return encoder.Close()
}

// node is an element that is written. It has a text or children; nil is an element without a value.
type node struct {
	name       string
	attributes []string // names and values
	text       string
	children   []*node
}

// leaf is an element with a text; nil without one.
func leaf(name, text string) *node {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return &node{name: name, text: text}
}

// parent is an element with children; nil if none of them has a value.
func parent(name string, children ...*node) *node {
	n := &node{name: name}
	for _, c := range children {
		if c != nil {
			n.children = append(n.children, c)
		}
	}
	if len(n.children) == 0 {
		return nil
	}
	return n
}

// nested is an element below others.
func nested(path string, children ...*node) *node {
	names := strings.Split(path, "/")
	n := parent(names[len(names)-1], children...)
	for i := len(names) - 2; i >= 0; i-- {
		n = parent(names[i], n)
	}
	return n
}

// with adds attributes. It accepts nil.
func (n *node) with(attributes ...string) *node {
	if n != nil {
		n.attributes = append(n.attributes, attributes...)
	}
	return n
}

func (n *node) encode(to *xml.Encoder) error {
	start := xml.StartElement{Name: xml.Name{Local: n.name}}
	for i := 0; i < len(n.attributes); i += 2 {
		start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: n.attributes[i]}, Value: n.attributes[i+1]})
	}
	if err := to.EncodeToken(start); err != nil {
		return err
	}
	if err := to.EncodeToken(xml.CharData(n.text)); err != nil {
		return err
	}
	for _, c := range n.children {
		if err := c.encode(to); err != nil {
			return err
		}
	}
	return to.EncodeToken(start.End())
}

func amountLeaf(name string, m *heloc.Money) *node {
	if m == nil {
		return nil
	}
	return leaf(name, strings.ReplaceAll(m.String(), ",", ""))
}

func percentLeaf(name string, r *heloc.Rate) *node {
	if r == nil {
		return nil
	}
	return leaf(name, r.String())
}

func (e Export) message() *node {
	app := e.Details.App
	return parent("MESSAGE",
		nested("ABOUT_VERSIONS/ABOUT_VERSION", leaf("CreatedDatetime", e.At.UTC().Format(time.RFC3339))),
		nested("DEAL_SETS/DEAL_SET/DEALS/DEAL",
			parent("ASSETS", parent("ASSET", parent("OWNED_PROPERTY",
				nested("OWNED_PROPERTY_DETAIL", leaf("OwnedPropertySubjectIndicator", "true")),
				parent("PROPERTY", writeAddress(app.PropertyAddress, app.Property.County)),
			)).with("xlink:label", propertyLabel)),
			nested("COLLATERALS/COLLATERAL/SUBJECT_PROPERTY", e.property()...),
			parent("LIABILITIES", e.liens()...),
			parent("LOANS", e.loan()),
			parent("PARTIES", e.parties()...),
			parent("RELATIONSHIPS", e.relationships()...),
		)).with("xmlns", namespace, "xmlns:xlink", "http://www.w3.org/1999/xlink",
		"MISMOReferenceModelIdentifier", "3.4.032420160128")
}

// The labels of the property and its liens, which the relationships name.
const propertyLabel = "PROPERTY_1"

func lienLabel(i int) string { return "LIEN_" + strconv.Itoa(i+1) }

// usageNames are MISMO's values for how a property is used.
var usageNames = map[heloc.PropertyType]string{heloc.PropertyPrimary: "PrimaryResidence",
	heloc.PropertySecondary: "SecondHome", heloc.PropertyInvestment: "Investment"}

func (e Export) property() []*node {
	app := e.Details.App
	var method *node
	if app.Value.AVM != nil {
		method = leaf("PropertyValuationMethodType", "AutomatedValuationModel")
	}
	return []*node{
		writeAddress(app.PropertyAddress, app.Property.County),
		parent("PROPERTY_DETAIL", amountLeaf("PropertyEstimatedValueAmount", app.Value.BorrowerEstimated),
			leaf("PropertyUsageType", usageNames[app.Property.PropertyType])),
		nested("PROPERTY_VALUATIONS/PROPERTY_VALUATION/PROPERTY_VALUATION_DETAIL",
			amountLeaf("PropertyValuationAmount", app.Value.AVM), method),
	}
}

// unitKinds are MISMO's kinds of units, by the words that addresses have.
var unitKinds = map[string]string{"apt": "Apartment", "apartment": "Apartment", "unit": "Unit", "ste": "Suite",
	"suite": "Suite", "bldg": "Building", "building": "Building", "fl": "Floor", "floor": "Floor", "lot": "Lot",
	"rm": "Room", "room": "Room", "spc": "Space", "space": "Space", "trlr": "Trailer", "condo": "Condo"}

// writeAddress writes an address. A second line that is not one unit stays as it is.
func writeAddress(a heloc.Address, county string) *node {
	if a == (heloc.Address{}) {
		return nil
	}
	line, kind, unit := a.Street2, "", ""
	word, rest, _ := strings.Cut(strings.TrimSpace(a.Street2), " ")
	switch known := unitKinds[strings.ToLower(strings.TrimSuffix(word, "."))]; {
	case strings.HasPrefix(word, "#") && rest == "":
		line, unit = "", word
	case known != "" && rest != "" && !strings.ContainsAny(rest, " ,"):
		line, kind, unit = "", known, rest
	}
	return parent("ADDRESS", leaf("AddressAdditionalLineText", line), leaf("AddressLineText", a.Street1),
		leaf("AddressUnitDesignatorType", kind), leaf("AddressUnitIdentifier", unit), leaf("CityName", a.City),
		leaf("CountryCode", "US"), leaf("CountyName", county), leaf("PostalCode", a.ZIP), leaf("StateCode", a.State))
}

// liens writes the liens without a type: the lender names none, and not every lien is a mortgage.
func (e Export) liens() []*node {
	var all []*node
	for i, l := range e.Details.App.Liens {
		all = append(all, parent("LIABILITY",
			parent("LIABILITY_DETAIL", amountLeaf("LiabilityMonthlyPaymentAmount", l.MonthlyPayment),
				leaf("LiabilitySecuredBySubjectPropertyIndicator", "true"),
				amountLeaf("LiabilityUnpaidBalanceAmount", l.CurrentBalance)),
			nested("LIABILITY_HOLDER/NAME", leaf("FullName", l.LenderName)),
		).with("xlink:label", lienLabel(i)))
	}
	return all
}

// relationships tie the liens to the property.
func (e Export) relationships() []*node {
	var all []*node
	for i := range e.Details.App.Liens {
		all = append(all, (&node{name: "RELATIONSHIP"}).with("SequenceNumber", strconv.Itoa(i+1),
			"xlink:from", propertyLabel, "xlink:to", lienLabel(i),
			"xlink:arcrole", "urn:fdc:mismo.org:2009:residential/ASSET_IsAssociatedWith_LIABILITY"))
	}
	return all
}

// loan writes the line. Before an offer is selected, it has no terms.
func (e Export) loan() *node {
	var o heloc.SelectedOffer
	if selected := e.Details.App.Underwriting.SelectedOffer; selected != nil {
		o = *selected
	}
	term, unit, amortization, index := "", "", "", ""
	var prime, margin *heloc.Rate
	if o.Term != nil {
		term, unit = strconv.Itoa(e.TermUnit.Months(*o.Term)), "Month"
	}
	switch o.RateType {
	case heloc.RateFixed:
		amortization = "Fixed"
	case heloc.RateFloating: // only this one follows the prime rate
		amortization, index, prime = "AdjustableRate", "BankPrimeLoan", o.PrimeRate
		if o.Rate != nil && prime != nil {
			over := *o.Rate - *prime
			margin = &over
		}
	}
	return parent("LOAN",
		nested("ADJUSTMENT/INTEREST_RATE_ADJUSTMENT", nested("INDEX_RULES/INDEX_RULE", leaf("IndexType", index)),
			parent("INTEREST_RATE_LIFETIME_ADJUSTMENT_RULE", percentLeaf("MarginRatePercent", margin))),
		nested("AMORTIZATION/AMORTIZATION_RULE", leaf("AmortizationType", amortization)),
		nested("HELOC/HELOC_RULE", amountLeaf("HELOCInitialAdvanceAmount", o.DrawAmount),
			amountLeaf("HELOCMaximumBalanceAmount", o.CreditLine)),
		parent("LOAN_DETAIL", leaf("HELOCIndicator", "true")),
		parent("LOAN_IDENTIFIERS", identifier("LenderLoan", "", e.LoanNumber),
			identifier("Other", "Application ID", string(e.Details.AppUUID))),
		nested("MATURITY/MATURITY_RULE", leaf("LoanMaturityPeriodCount", term), leaf("LoanMaturityPeriodType", unit)),
		parent("TERMS_OF_LOAN", percentLeaf("DisclosedIndexRatePercent", prime), amountLeaf("NoteAmount", o.LoanAmount),
			percentLeaf("NoteRatePercent", o.Rate)),
	).with("LoanRoleType", "SubjectLoan")
}

// identifier is one number of the loan. LOS systems write and read their own as the lender's.
func identifier(kind, description, value string) *node {
	if value == "" {
		return nil
	}
	return parent("LOAN_IDENTIFIER", leaf("LoanIdentifier", value), leaf("LoanIdentifierType", kind),
		leaf("LoanIdentifierTypeOtherDescription", description))
}

// parties are the borrowers, and the title holders as far as the type of ownership says who they are. Joint owners are
// at least two, and nobody says who the second one is.
func (e Export) parties() []*node {
	holder := nested("ROLE/ROLE_DETAIL", leaf("PartyRoleType", "TitleHolder"))
	primary, other := holder, (*node)(nil)
	switch e.Details.App.OwnershipType {
	case heloc.OwnershipSole:
	case heloc.OwnershipJoint:
		other = nested("PARTY/ROLES", holder)
	case heloc.OwnershipTrust, heloc.OwnershipLLC:
		kind := "Trust"
		if e.Details.App.OwnershipType == heloc.OwnershipLLC {
			kind = "LimitedLiabilityCompany"
		}
		primary, other = nil, parent("PARTY",
			nested("LEGAL_ENTITY/LEGAL_ENTITY_DETAIL", leaf("LegalEntityType", kind)), parent("ROLES", holder))
	default:
		primary = nil
	}
	all := []*node{borrowerParty(e.Signers.Primary, "Primary", primary)}
	for _, s := range e.Signers.Additional {
		all = append(all, borrowerParty(s, "Secondary", nil))
	}
	return append(all, other)
}

func borrowerParty(s heloc.Signer, classification string, title *node) *node {
	residency := leaf("BorrowerResidencyType", "Current")
	address := writeAddress(s.Address, "")
	if address == nil {
		residency = nil
	}
	phone := s.Phone
	if n := heloc.NormalizePhone(phone); n.OK {
		phone = n.Sent
	}
	return parent("PARTY",
		parent("INDIVIDUAL",
			parent("CONTACT_POINTS",
				nested("CONTACT_POINT/CONTACT_POINT_EMAIL", leaf("ContactPointEmailValue", s.Email)),
				nested("CONTACT_POINT/CONTACT_POINT_TELEPHONE", leaf("ContactPointTelephoneValue", phone))),
			parent("NAME", leaf("FirstName", s.FirstName), leaf("LastName", s.LastName), leaf("MiddleName", s.MiddleName),
				leaf("PrefixName", s.Prefix), leaf("SuffixName", s.Suffix))),
		parent("ROLES",
			parent("ROLE",
				parent("BORROWER",
					parent("BORROWER_DETAIL", leaf("BorrowerBirthDate", string(s.DateOfBirth)),
						leaf("BorrowerClassificationType", classification)),
					nested("RESIDENCES/RESIDENCE", address, nested("RESIDENCE_DETAIL", residency))),
				nested("ROLE_DETAIL", leaf("PartyRoleType", "Borrower"))),
			title))
}
