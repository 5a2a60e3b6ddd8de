package mismo

import "slices"

// needed lists the values that the form asks for, by the element that they are in.
var needed = map[string][]string{
	"PARTY": {"FirstName", "MiddleName", "LastName", "SuffixName", "PrefixName", "BorrowerBirthDate", "AddressLineText",
		"CityName", "StateCode", "PostalCode", "ContactPointTelephoneValue", "ContactPointEmailValue",
		"CurrentIncomeMonthlyTotalAmount", "IncomeMonthlyTotalAmount", "BorrowerResidencyType"},
	"SUBJECT_PROPERTY": {"AddressLineText", "StreetName", "CityName", "StateCode", "PostalCode",
		"PropertyEstimatedValueAmount", "PropertyValuationAmount", "SalesContractAmount"},
	"LIABILITY": {"LiabilityUnpaidBalanceAmount", "LiabilityMonthlyPaymentAmount", "HELOCMaximumBalanceAmount"},
	"LOAN":      {"UPBAmount", "HELOCBalanceAmount"},
}

// Missed returns the places of the values that the form asks for and that reading a file neither took nor listed as
// unusable, though they belong to a borrower, a subject property or a lien. It also returns those that no group of
// unused values names.
func Missed(raw []byte) (missed, unnamed []string, err error) {
	root, _, err := readDocument(raw)
	if err != nil {
		return nil, nil, err
	}
	d, err := dealOf(root)
	if err != nil {
		return nil, nil, err
	}
	f := d.read()
	groups := map[string]bool{}
	for _, u := range f.Unused {
		groups[u.Label] = true
	}
	var visit func(e *element, in place)
	visit = func(e *element, in place) {
		if slices.Contains(envelope, e.name) {
			return
		}
		in = d.placeOf(e, in)
		if len(e.children) == 0 && e.hasText && !e.used {
			if g := d.groupOf(e, in.group); !groups[g.label] {
				unnamed = append(unnamed, e.place())
			}
			of := e.up("SUBJECT_PROPERTY", "LIABILITY", "LOAN", "PARTY", "EMPLOYER")
			switch {
			case of == nil || e.zero || e.up("ALIAS") != nil || !slices.Contains(needed[of.name], e.name):
			case of.name == "PARTY" && slices.Contains(d.borrowers, of),
				of.name == "SUBJECT_PROPERTY" && e.up("LOAN") == nil && e.up("DEAL") == d.element, d.taken[of]:
				missed = append(missed, e.place())
			}
		}
		for _, c := range e.children {
			visit(c, in)
		}
	}
	visit(root, place{group: groupAnything})
	return missed, unnamed, nil
}
