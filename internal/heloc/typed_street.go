package heloc

import (
	"regexp"
	"strings"
)

// The lender's pattern for a street has no slash, and "123 1 2 Elm St" is another address than "123 1/2 Elm St". A
// decimal keeps the number.
var (
	fractionSign  = regexp.MustCompile(`(\d*)[ -]*([½¼¾⅓⅔⅛⅜⅝⅞])`)
	fractionTyped = regexp.MustCompile(`\b(\d+)[ -]+(1/2|[13]/4|[12]/3|[1357]/8)\b`)
	fractionAlone = regexp.MustCompile(`^(1/2|[13]/4|[12]/3|[1357]/8)\b`) // a street number below one
	digitsSlash   = regexp.MustCompile(`(\d)/(\d)`)
)

var decimals = strings.NewReplacer(
	"½", ".5", "¼", ".25", "¾", ".75", "⅓", ".33", "⅔", ".67", "⅛", ".125", "⅜", ".375", "⅝", ".625", "⅞", ".875",
	"1/2", ".5", "1/4", ".25", "3/4", ".75", "1/3", ".33", "2/3", ".67", "1/8", ".125", "3/8", ".375", "5/8", ".625",
	"7/8", ".875",
)

// decimalFractions takes a plain text. It writes the fraction after a number as a decimal, and two numbers with a
// slash as a range.
func decimalFractions(street string) string {
	street = fractionSign.ReplaceAllStringFunc(street, func(found string) string {
		m := fractionSign.FindStringSubmatch(found)
		if m[1] == "" {
			return " 0" + decimals.Replace(m[2])
		}
		return m[1] + decimals.Replace(m[2])
	})
	street = fractionTyped.ReplaceAllStringFunc(street, func(found string) string {
		m := fractionTyped.FindStringSubmatch(found)
		return m[1] + decimals.Replace(m[2])
	})
	street = fractionAlone.ReplaceAllStringFunc(street, func(found string) string { return "0" + decimals.Replace(found) })
	for strings.Contains(street, "/") {
		next := digitsSlash.ReplaceAllString(street, "$1-$2")
		if next == street {
			break
		}
		street = next
	}
	return street
}
