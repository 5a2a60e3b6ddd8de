package mismo

import (
	"strings"

	"hearthline/internal/heloc"
)

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
		if detail.peek("LiabilityPayoffStatusIndicator") != "true" {
			detail.take("LiabilityPayoffStatusIndicator")
		}
		if detail.peek("LiabilityExclusionIndicator") != "true" {
			detail.take("LiabilityExclusionIndicator")
		}
		lien := Lien{
			Balance: takeAmount(detail, "LiabilityUnpaidBalanceAmount"),
			Payment: takeAmount(detail, "LiabilityMonthlyPaymentAmount"),
			Holder:  e.take("LIABILITY_HOLDER", "NAME", "FullName"),
		}
		if lien.Holder == "" {
			lien.Holder = e.take("LIABILITY_HOLDER", "LEGAL_ENTITY", "LEGAL_ENTITY_DETAIL", "FullName")
		}
		liens, d.liens[e] = append(liens, lien), true
	}
	return liens
}

// isMortgage reports whether a debt is secured by a property.
func isMortgage(liability *element) bool {
	switch liability.peek("LIABILITY_DETAIL", "LiabilityType") {
	case "MortgageLoan", "HELOC":
		return true
	default:
		return false
	}
}

// isSubject reports whether an asset is the subject property: the file says so, or says nothing and gives its address.
func (d *deal) isSubject(asset *element) bool {
	owned := asset.path("OWNED_PROPERTY")
	switch owned.peek("OWNED_PROPERTY_DETAIL", "OwnedPropertySubjectIndicator") {
	case "true":
		return true
	case "false":
		return false
	}
	const zip = len("83702")
	at, subject := owned.path("PROPERTY", "ADDRESS"), d.subject.path("ADDRESS")
	street, ours := at.peek("AddressLineText"), subject.peek("AddressLineText")
	code, our := at.peek("PostalCode"), subject.peek("PostalCode")
	return street != "" && heloc.FoldForSearch(street) == heloc.FoldForSearch(ours) && len(code) >= zip &&
		len(our) >= zip && code[:zip] == our[:zip] &&
		strings.EqualFold(at.peek("AddressUnitIdentifier"), subject.peek("AddressUnitIdentifier"))
}
