package mismo

import (
	"strings"

	"hearthline/internal/heloc"
)

// readBorrower reads the first borrower.
func (d *deal) readBorrower() Borrower {
	name := d.borrower.path("INDIVIDUAL", "NAME")
	b := Borrower{
		First: name.take("FirstName"), Middle: name.take("MiddleName"), Last: name.take("LastName"),
		Suffix: name.take("SuffixName"), Prefix: name.take("PrefixName"),
	}
	if full := name.path("FullName"); full != nil && b.First != "" && b.Last != "" {
		full.used = true // it repeats the parts
	}
	role := borrowerRole(d.borrower)
	b.BirthDate, _, _ = strings.Cut(role.take("BORROWER", "BORROWER_DETAIL", "BorrowerBirthDate"), "T")
	role.take("ROLE_DETAIL", "PartyRoleType")
	b.Phone, b.Email = d.readContacts()
	for _, residence := range role.path("BORROWER", "RESIDENCES").each("RESIDENCE") {
		if residence.peek("RESIDENCE_DETAIL", "BorrowerResidencyType") == "Current" {
			residence.take("RESIDENCE_DETAIL", "BorrowerResidencyType")
			b.Home = readAddress(residence.path("ADDRESS"))
			break
		}
	}
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
