package heloc

import (
	"regexp"
	"strings"
)

var (
	unitInStreet = regexp.MustCompile(`(?i)(?:\s|,)+(?:#|(?:apt|apartment|unit|ste|suite|rm|room|fl|floor|lot|spc|space|bldg|building)\b).*$`)
	numberRange  = regexp.MustCompile(`^\d+[-/]\d+$`)
	streetNumber = regexp.MustCompile(`^\d+[A-Za-z]?$`)
)

// HasUnit reports whether an address names a unit, in either line.
func (a Address) HasUnit() bool {
	return strings.TrimSpace(a.Street2) != "" || unitInStreet.MatchString(" "+a.Street1)
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
	words := strings.Fields(FoldForSearch(unitInStreet.ReplaceAllString(a.Street1, "")))
	zip := digitsOf(a.ZIP)
	if len(words) < 2 || len(zip) < 5 {
		return ""
	}
	short := streetAbbreviations()
	for i, word := range words {
		if s, ok := short[word]; ok {
			words[i] = s
		}
	}
	return strings.Join(words, " ") + " " + zip[:5]
}

// streetAbbreviations maps the common words of a street to the USPS abbreviations.
func streetAbbreviations() map[string]string {
	return map[string]string{
		"street": "st", "avenue": "ave", "av": "ave", "road": "rd", "drive": "dr", "lane": "ln", "boulevard": "blvd", "court": "ct", "place": "pl",
		"terrace": "ter", "circle": "cir", "highway": "hwy", "parkway": "pkwy", "square": "sq", "trail": "trl",
		"north": "n", "south": "s", "east": "e", "west": "w", "northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw",
	}
}
