package mismo

import (
	"regexp"
	"strings"

	"hearthline/internal/heloc"
)

// unitDesignators are the short forms of the kinds of units.
var unitDesignators = map[string]string{"Apartment": "Apt", "Building": "Bldg", "Floor": "Fl", "Lot": "Lot",
	"Suite": "Ste", "Trailer": "Trlr", "Room": "Rm", "Space": "Spc"}

// readAddress reads an address. One outside the United States has only its words and its country.
func (d *deal) readAddress(a *element) Address {
	var address Address
	if a == nil {
		return address
	}
	country := d.text(a, "CountryCode", "CountryName")
	a.use("CountryName")
	a.use("AddressType")
	street := d.readStreet(a)
	value := heloc.Address{
		Street1: street, Street2: d.readUnit(a, street), City: d.text(a, "CityName").Value,
		State: d.text(a, "StateCode", "StateName").Value, ZIP: d.readZIP(a),
	}
	a.use("StateName")
	if whole := wholeAddress.FindStringSubmatch(street); whole != nil && value.City+value.State+value.ZIP == "" {
		value.Street1, value.City, value.State, value.ZIP = whole[1], whole[2], whole[3], whole[4]
	}
	if code, ok := heloc.StateOf(value.State); ok {
		value.State = code
	}
	address.Source = Source{short(lineOf(value, country.Value)), a.place()}
	switch strings.ToUpper(strings.ReplaceAll(country.Value, ".", "")) {
	case "", "US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA":
		address.Value = value
	default:
		address.Country = country.Value
	}
	return address
}

// lineOf writes an address in one line.
func lineOf(a heloc.Address, country string) string {
	var parts []string
	for _, part := range []string{a.Street1, a.Street2, a.City, strings.TrimSpace(a.State + " " + a.ZIP), country} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// readStreet reads the line of the street, or puts it together from its parts.
func (d *deal) readStreet(a *element) string {
	var parts []string
	for _, name := range []string{"StreetPrimaryNumberText", "StreetPreDirectionalText", "StreetName", "StreetSuffixText",
		"StreetPostDirectionalText"} {
		part := d.text(a, name).Value
		if name == "StreetSuffixText" && len(parts) > 0 && hasSuffixWord(parts[len(parts)-1], part) {
			continue // the name has it already
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	line := d.text(a, "AddressLineText").Value
	switch number := a.peek("StreetPrimaryNumberText"); {
	case line == "":
		if box := d.text(a, "PostOfficeBoxIdentifier").Value; box != "" && len(parts) == 0 {
			return "PO Box " + box
		}
		return strings.Join(parts, " ")
	case number != "" && !strings.ContainsAny(line, "0123456789"): // "77" and "Quarry Rd"
		return number + " " + line
	}
	return line
}

// hasSuffixWord reports whether a text ends in a word.
func hasSuffixWord(text, word string) bool {
	folded := " " + heloc.FoldForSearch(text)
	return word != "" && strings.HasSuffix(folded, " "+heloc.FoldForSearch(word))
}

// readUnit reads the unit, or a second line. It is empty if the line of the street names the unit already.
func (d *deal) readUnit(a *element, street string) string {
	kind := d.text(a, "AddressUnitDesignatorType").Value
	unit := strings.TrimLeft(d.text(a, "AddressUnitIdentifier").Value, "# ")
	second := d.text(a, "AddressAdditionalLineText").Value
	if unit == "" {
		return second
	}
	if (heloc.Address{Street1: street}).HasUnit() && hasSuffixWord(street, unit) {
		return ""
	}
	if strings.Contains(unit, " ") { // it names its kind
		return unit
	}
	short, known := unitDesignators[kind]
	if !known {
		short = "Unit"
	}
	return short + " " + unit
}

// wholeAddress matches a line that has the city, the state and the ZIP code too, as some systems write it.
var wholeAddress = regexp.MustCompile(`^(.+), ([^,]+), ([A-Z]{2}),? (\d{5}(?:-\d{4})?)$`)

var zipDigits = regexp.MustCompile(`^(\d{4}|\d{8})$`)

// readZIP reads the ZIP code. A spreadsheet drops its leading zero.
func (d *deal) readZIP(a *element) string {
	code := d.text(a, "PostalCode").Value
	if zipDigits.MatchString(code) {
		code = "0" + code
	}
	if plus := d.text(a, "PlusFourZipCode").Value; len(plus) == 4 && len(code) == len("83702") {
		code += "-" + plus
	}
	return code
}

// sameAddress reports whether two addresses are the same building and unit, in any spelling.
func sameAddress(a, b heloc.Address) bool {
	at := a.Building()
	return at != "" && at == b.Building() && unitOf(a) == unitOf(b)
}

// unitOf returns what tells the unit of an address, without the word before it.
func unitOf(a heloc.Address) string {
	words := strings.Fields(heloc.FoldForSearch(a.Street1 + " " + a.Street2))
	if !a.HasUnit() || len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
