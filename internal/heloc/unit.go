package heloc

import (
	"regexp"
	"strings"
)

// The words before the number of a unit. Those of buildings are also names of streets ("500 Tower Rd"), so they name a
// unit only before a number or a letter.
const (
	unitWords     = `apts?|apartments?|units?|ste|suites?|rm|room|fl|floor|lot|spc|space|bldg|building`
	buildingWords = `condos?|condominiums?|towers?|lofts?`
	floorNumber   = `\d+(?:st|nd|rd|th)|first|second|third|ground|top|upper|lower|main`
)

var (
	unitInStreet = regexp.MustCompile(`(?i)[\s,]+(?:#[\s#]*[a-z0-9]|(?:` + unitWords + `)\b[\s.,#]*[a-z0-9]|` +
		`(?:` + buildingWords + `)\b[\s.,#]*(?:[a-z]?-?\d|[a-z]\b)|(?:` + floorNumber + `)\s+(?:fl|floor)\b).*$`)
	unitWithoutNumber = regexp.MustCompile(`(?i)[\s,]+(?:#|(?:` + unitWords + `|` + buildingWords + `)\b)[\s.,#]*$`)
	unitWord          = regexp.MustCompile(`(?i)#|\b(?:no|number|` + unitWords + `|` + buildingWords + `)\b`)
	unitNumber        = regexp.MustCompile(`(?i)\d|\b(?:[a-z]|[a-z]{2}|` + floorNumber + `|penthouse|front|rear|side|` +
		`basement|bsmt|lobby|left|right|east|west|north|south)\b`)
	numberRange  = regexp.MustCompile(`^\d+[-/]\d+$`)
	streetNumber = regexp.MustCompile(`^\d+[A-Za-z]?$`)
)

// HasUnit reports whether an address names a unit, in either line. A word such as "Apt" alone does not.
func (a Address) HasUnit() bool {
	unit := strings.TrimSpace(a.Street2)
	return unit != "" && !lacksNumber(unit) || unitInStreet.MatchString(" "+a.Street1)
}

// HasUnitWithoutNumber reports whether an address says that there are units but not which: "500 Main St Apt", or
// "Lakeside Condominium" in the second line.
func (a Address) HasUnitWithoutNumber() bool {
	street := unitWithoutNumber.ReplaceAllString(a.Street1, "")
	return !a.HasUnit() && (lacksNumber(a.Street2) || street != a.Street1 && len(strings.Fields(street)) > 1)
}

// lacksNumber reports whether the text of a unit has a word for units and neither a number nor a letter.
func lacksNumber(unit string) bool {
	return unitWord.MatchString(unit) && !unitNumber.MatchString(unitWord.ReplaceAllString(unit, ""))
}

// HasNumberRange reports whether an address has several street numbers, such as "12-18 Elm St".
func (a Address) HasNumberRange() bool {
	number, rest, _ := strings.Cut(strings.TrimSpace(a.Street1), " ")
	return numberRange.MatchString(number) && strings.TrimSpace(rest) != ""
}

// StreetNumber returns the number of the street; empty if there is none, or a range.
func (a Address) StreetNumber() string {
	number, _, _ := strings.Cut(strings.TrimSpace(a.Street1), " ")
	if !streetNumber.MatchString(number) {
		return ""
	}
	return number
}

// Building returns the street and the five digits of the ZIP code in one spelling and without the unit,
// to compare addresses; empty if one of them is missing.
func (a Address) Building() string {
	street := unitWithoutNumber.ReplaceAllString(unitInStreet.ReplaceAllString(a.Street1, ""), "")
	words := strings.Fields(FoldForSearch(street))
	zip := digitsOf(a.ZIP)
	if len(words) < 2 || len(zip) < 5 {
		return ""
	}
	for i, word := range words {
		if s, ok := streetAbbreviations[word]; ok {
			words[i] = s
		}
	}
	return strings.Join(words, " ") + " " + zip[:5]
}

// streetAbbreviations maps the common words of a street to the USPS abbreviations.
var streetAbbreviations = map[string]string{
	"street": "st", "avenue": "ave", "av": "ave", "road": "rd", "drive": "dr",
	"lane": "ln", "boulevard": "blvd", "court": "ct", "place": "pl",
	"terrace": "ter", "circle": "cir", "highway": "hwy", "parkway": "pkwy", "square": "sq", "trail": "trl",
	"north": "n", "south": "s", "east": "e", "west": "w", "northeast": "ne", "northwest": "nw", "southeast": "se",
	"southwest": "sw",
}
