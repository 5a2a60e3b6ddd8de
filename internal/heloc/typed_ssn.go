package heloc

import (
	"regexp"
	"strings"

	"hearthline/internal/input"
)

// NormalizeSSN formats nine digits as nnn-nn-nnnn. It refuses numbers that were never assigned, with the rule, but
// for those that end in 0000: the lender's test environments answer them as a number that matches nobody.
func NormalizeSSN(typed string) Normalized {
	typed = input.Plain(typed)
	d := digitsOf(typed)
	switch {
	case len(strings.Trim(typed, "0123456789- ")) > 0:
		return Normalized{Problem: "Enter only the 9 digits of the SSN"}
	case len(d) != 9:
		return Normalized{}
	case d[:3] == "000" || d[:3] == "666":
		return Normalized{Problem: "An SSN can’t begin with " + d[:3]}
	case d[0] == '9':
		return Normalized{Problem: "An SSN can’t begin with 9"}
	case d[3:5] == "00":
		return Normalized{Problem: "The middle two digits of an SSN can’t be 00"}
	default:
		return Normalized{Sent: d[:3] + "-" + d[3:5] + "-" + d[5:], OK: true}
	}
}

// MaskSSNs replaces the Social Security numbers in a free text, such as 123-45-6789 and 123 45 6789, and reports
// whether it has any, with any kind of dash, space, dot, slash or underscore. A line with one also loses its
// typography. Nine digits without separators are more often a loan number.
func MaskSSNs(text string) (masked string, found bool) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if plain := input.Plain(line); ssnInText.MatchString(plain) {
			lines[i], found = ssnInText.ReplaceAllString(plain, "XXX-XX-XXXX"), true
		}
	}
	return strings.Join(lines, "\n"), found
}

var ssnInText = regexp.MustCompile(`\b\d{3}[-. /_]\d{2}[-. /_]\d{4}\b`)
