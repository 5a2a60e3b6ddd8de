package mismo

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
)

// borrowersOf returns the parties of a deal that are borrowers.
func borrowersOf(deal *element) []*element {
	isOther := func(p *element) bool { return borrowerRole(p) == nil }
	all := slices.DeleteFunc(deal.path("PARTIES").each("PARTY"), isOther)
	if len(all) == 0 { // as some write them, but not the copies of other services
		all = slices.DeleteFunc(deal.all("PARTY", "SERVICES", "DOCUMENT_SETS"), isOther)
	}
	return all[:min(len(all), maxBorrowers)]
}

// maxBorrowers is how many borrowers are read. An application has up to four or so.
const maxBorrowers = 10

// borrowerRole returns the role of a party as a borrower; nil if it has another role.
func borrowerRole(party *element) *element {
	roles := party.path("ROLES").each("ROLE")
	for _, role := range roles {
		if role.path("BORROWER") != nil {
			return role
		}
	}
	for _, role := range roles {
		switch role.peek("ROLE_DETAIL", "PartyRoleType") {
		case "Borrower", "CoBorrower":
			return role
		}
	}
	return nil
}

// chooseApplicant says which borrower the file makes the applicant: the one classified as Primary, or else the one with
// the lowest sequence number of party or role. A missing number sorts last.
func chooseApplicant(all []Borrower) (int, ApplicantBy) {
	if len(all) == 1 {
		return 0, ByBeingAlone
	}
	isOther := func(b Borrower) bool { return b.Company || b.Role != "" }
	if !slices.ContainsFunc(all, func(b Borrower) bool { return !isOther(b) }) {
		return -1, ""
	}
	var candidates []int
	for _, primary := range []bool{true, false} { // without a Primary, the one who is not a second borrower
		for i, b := range all {
			if isOther(b) {
				continue
			}
			if primary && b.Classification == "Primary" || !primary && !b.isSecond() {
				candidates = append(candidates, i)
			}
		}
		if len(candidates) > 0 {
			break
		}
	}
	if len(candidates) == 1 {
		return candidates[0], ByClassification
	}
	if len(candidates) == 0 {
		for i, b := range all {
			if !isOther(b) {
				candidates = append(candidates, i)
			}
		}
	}
	if len(candidates) == 1 {
		return candidates[0], ByClassification
	}
	rank := func(i int) int { return cmp.Or(all[i].Sequence, math.MaxInt) }
	slices.SortStableFunc(candidates, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	if rank(candidates[0]) == rank(candidates[1]) {
		return -1, ""
	}
	return candidates[0], BySequence
}

// isSecond reports whether the file says that a borrower is not the first.
func (b Borrower) isSecond() bool {
	return b.Classification == "Secondary" || b.Classification == "" && b.coBorrower
}

// readBorrower reads one borrower.
func (d *deal) readBorrower(party *element) Borrower {
	role := borrowerRole(party)
	in := role.path("BORROWER")
	detail := in.path("BORROWER_DETAIL")
	if detail == nil {
		detail = role.path("BORROWER_DETAIL")
	}
	b := Borrower{Place: party.numbered(), Sequence: cmp.Or(party.marked().sequence, role.marked().sequence)}
	if number := d.text(role.path("ROLE_DETAIL"), "PartyRoleSequenceNumber").Value; b.Sequence == 0 {
		b.Sequence, _ = strconv.Atoi(number)
	}
	d.readName(party, &b)
	b.Classification = d.text(detail, "BorrowerClassificationType").Value
	switch kind := role.peek("ROLE_DETAIL", "PartyRoleType"); kind {
	case "CoBorrower":
		b.coBorrower = true
	case "Guarantor", "CoSigner", "Cosigner":
		b.Role = kind
	}
	b.Company = party.path("LEGAL_ENTITY") != nil && b.First.Value+b.Last.Value == ""
	role.use("ROLE_DETAIL", "PartyRoleType")
	born := detail.first("BorrowerBirthDate")
	if born == nil {
		born = party.path("INDIVIDUAL").first("BirthDate")
	}
	if e := born; e != nil {
		if b.BirthDate = d.take(e); b.BirthDate.Value != "" {
			if day, ok := dateOf(e.text); ok {
				b.BirthDate.Value = day
			} else {
				e.used, b.BirthDate = false, Text{}
				d.reject(e, quoted(e.text)+" isn’t a date")
			}
		}
	}
	d.readContacts(party, role, &b)
	d.readAddresses(party, in, &b)
	b.Incomes, b.SelfEmployed = d.readIncomes(in)
	b.readSSN(party)
	return b
}

// typeEIN is the type of a company's tax ID.
const typeEIN = "EmployerIdentificationNumber"

// readSSN says whether the file has an SSN of the borrower, and why it cannot be one.
func (b *Borrower) readSSN(in *element) {
	for _, c := range in.children {
		switch {
		case c.name == "EMPLOYERS":
		case c.secret() && c.text == withheld:
			switch in.peek("TaxpayerIdentifierType") {
			case typeEIN:
				continue
			case "IndividualTaxpayerIdentificationNumber":
				c.problem = "It’s an ITIN, not a Social Security number"
			}
			b.HasSSN, b.SSNProblem = true, c.problem
			in.use("TaxpayerIdentifierType")
		default:
			b.readSSN(c)
		}
	}
}

func (d *deal) readName(party *element, b *Borrower) {
	name := party.path("INDIVIDUAL", "NAME")
	if name == nil {
		name = party.path("NAME")
	}
	if name == nil {
		name = party.path("LEGAL_ENTITY", "LEGAL_ENTITY_DETAIL")
	}
	b.Full, b.First, b.Middle = d.text(name, "FullName"), d.text(name, "FirstName"), d.text(name, "MiddleName")
	b.Last, b.Suffix, b.Prefix = d.text(name, "LastName"), d.text(name, "SuffixName"), d.text(name, "PrefixName")
}

// phoneOrder is which phone number reaches the borrower best.
var phoneOrder = []string{"Mobile", "Home", "", "Other", "Work"}

// readContacts reads the phone numbers and email addresses of a borrower, wherever the file has them. Those of an
// employer, a relative or another role are somebody else's.
func (d *deal) readContacts(party, role *element, b *Borrower) {
	var points []*element
	for _, in := range []*element{party, role} {
		points = append(points, in.all("CONTACT_POINT", "ROLES", "EMPLOYERS", "LEGAL_ENTITY", "RESIDENCES",
			"NEAREST_LIVING_RELATIVE", "DEPENDENTS", "HOUSING_EXPENSES", "COUNSELING")...)
	}
	for _, p := range points[:min(len(points), maxRows)] {
		kind := cmp.Or(p.peek("CONTACT_POINT_DETAIL", "ContactPointRoleType"), p.peek("ContactPointRoleType"))
		taken := false
		for _, c := range []struct {
			to              *[]Contact
			container, name string
		}{
			{&b.Phones, "CONTACT_POINT_TELEPHONE", "ContactPointTelephoneValue"},
			{&b.Emails, "CONTACT_POINT_EMAIL", "ContactPointEmailValue"},
		} {
			value := d.text(p.path(c.container), c.name)
			if value.Value == "" {
				value = d.text(p, c.name)
			}
			same := func(other Contact) bool { return strings.EqualFold(other.Value, value.Value) }
			if value.Value != "" {
				taken = true
				if !slices.ContainsFunc(*c.to, same) {
					*c.to = append(*c.to, Contact{value, kind})
				}
			}
		}
		if taken {
			p.use("CONTACT_POINT_DETAIL", "ContactPointRoleType")
			p.use("ContactPointRoleType")
		}
	}
	slices.SortStableFunc(b.Phones, func(a, b Contact) int { return cmp.Compare(phoneRank(a), phoneRank(b)) })
}

func phoneRank(c Contact) int {
	if at := slices.Index(phoneOrder, c.Kind); at >= 0 {
		return at
	}
	return slices.Index(phoneOrder, "Other")
}

// maxRows is how many rows of one kind are read. The others are counted.
const maxRows = 50

// addressKinds are the kinds of addresses by the words of MISMO.
var addressKinds = byWord(map[string]AddressKind{"Current": AddressHome, "Primary": AddressHome, "Present": AddressHome,
	"Prior": AddressFormer, "Previous": AddressFormer, "Former": AddressFormer, "Mailing": AddressMailing})

// readAddresses reads where a borrower lives, lived and gets mail.
func (d *deal) readAddresses(party, borrower *element, b *Borrower) {
	residences := borrower.all("RESIDENCE")
	if len(residences) == 0 { // as some write them
		residences = party.path("RESIDENCES").each("RESIDENCE")
	}
	for _, r := range residences[:min(len(residences), maxRows)] {
		if r.path("ADDRESS") == nil {
			continue // its other values stay unused
		}
		detail := r.path("RESIDENCE_DETAIL")
		a := Address{Kind: AddressResidence}
		for _, word := range []string{detail.peek("BorrowerResidencyType"), r.peek("ADDRESS", "AddressType")} {
			if kind, ok := addressKinds[letters(word)]; ok {
				a.Kind = kind
				break
			}
		}
		read := d.readAddress(r.path("ADDRESS"))
		a.Fact, a.Country = read.Fact, read.Country
		a.Basis = d.text(detail, "BorrowerResidencyBasisType").Value
		if word := detail.peek("BorrowerResidencyType"); word == "Own" || word == "Rent" { // as some write the basis
			a.Basis = word
		}
		a.Since = d.text(detail, "BorrowerResidencyStartDate").Value
		if length := d.readDuration(detail); a.Since == "" {
			a.Since = length
		}
		detail.use("BorrowerResidencyType")
		b.addAddress(a)
	}
	others := slices.Concat(party.path("ADDRESSES").each("ADDRESS"), borrower.path("ADDRESSES").each("ADDRESS"))
	for _, e := range others[:min(len(others), maxRows)] {
		kind, ok := addressKinds[letters(e.peek("AddressType"))]
		if !ok {
			kind = AddressOther
		}
		a := d.readAddress(e)
		a.Kind = kind
		b.addAddress(a)
	}
}

// readDuration reads how long a borrower has lived somewhere, "1 year 7 months"; "" if the file does not say.
func (d *deal) readDuration(detail *element) string {
	var parts []string
	for _, unit := range []string{"year", "month"} {
		name := "BorrowerResidencyDuration" + strings.ToUpper(unit[:1]) + unit[1:] + "sCount"
		switch n := d.text(detail, name).Value; n {
		case "", "0":
		case "1":
			parts = append(parts, n+" "+unit)
		default:
			parts = append(parts, n+" "+unit+"s")
		}
	}
	return strings.Join(parts, " ")
}

// addAddress adds an address that is new. Exporters repeat the home.
func (b *Borrower) addAddress(a Address) {
	if a.Says == "" || a.Value == (heloc.Address{}) && a.Country == "" {
		return
	}
	if !slices.ContainsFunc(b.Addresses, func(other Address) bool {
		return other.Kind == a.Kind && (other.Value == a.Value && other.Country == a.Country && other.Says == a.Says ||
			sameAddress(other.Value, a.Value))
	}) {
		b.Addresses = append(b.Addresses, a)
	}
}
