package heloc

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"hearthline/internal/input"
)

// Normalized is the form in which a typed value will be sent. The live service accepts a
// narrow set of characters (interface-live.md section 2), so the Normalize functions correct
// what they safely can, and the user sees what was sent.
type Normalized struct {
	Sent    string
	OK      bool   // false: it cannot be corrected; ask the user
	Changed string // what was removed that a comparison with Sent would not show: "Removed an invisible character"
	Problem string // why it cannot be corrected, with the character: "“%” can’t be used"; "" for no particular reason
}

// The lender's patterns, verbatim.
var (
	namePattern   = regexp.MustCompile(`^[a-zA-Z0-9\s\-']+$`)
	streetPattern = regexp.MustCompile(`^[a-zA-Z0-9\s\-\.']+$`)
	cityPattern   = regexp.MustCompile(`^[a-zA-Z\s\-']+$`)
	zipPattern    = regexp.MustCompile(`^[0-9]{5}(?:-[0-9]{4})?$`)
)

// NormalizeName removes accents, periods and double quotation marks from a person's name and straightens apostrophes
// and dashes.
func NormalizeName(typed string) Normalized {
	return normalized(typed, nameReplacer.Replace, namePattern)
}

// NormalizeLender normalizes a lender's name: "S&L" is sent as "S and L".
func NormalizeLender(typed string) Normalized {
	return normalized(typed, lenderReplacer.Replace, namePattern)
}

// NormalizeStreet normalizes a street: "#", commas and slashes become spaces, "123 1/2" becomes "123.5" and "12/14"
// becomes "12-14".
func NormalizeStreet(typed string) Normalized {
	return normalized(typed, func(street string) string { return streetReplacer.Replace(decimalFractions(street)) },
		streetPattern)
}

// NormalizeCity normalizes a city: "St. Louis" is sent as "St Louis".
func NormalizeCity(typed string) Normalized {
	return normalized(typed, cityReplacer.Replace, cityPattern)
}

// What becomes of punctuation that a pattern does not accept.
var (
	nameReplacer   = strings.NewReplacer(".", "", `"`, "", "“", "", "”", "")
	lenderReplacer = strings.NewReplacer("&", " and ", ".", "", ",", " ", "/", " ", "(", " ", ")", " ")
	streetReplacer = strings.NewReplacer("#", " ", ",", " ", "/", " ", "&", " and ")
	cityReplacer   = strings.NewReplacer(".", "", ",", " ")
)

// NormalizeState returns a state's two-letter code, given the code or the name.
func NormalizeState(typed string) Normalized {
	c := input.Line(typed)
	if code, ok := StateOf(c.Text); ok && c.Refused == "" {
		return Normalized{Sent: code, OK: true, Changed: c.Changed}
	}
	return Normalized{Sent: strings.ToUpper(c.Text), Problem: c.Refused}
}

// NormalizeZIP reduces a ZIP code to its digits and formats nine of them as ZIP+4.
func NormalizeZIP(typed string) Normalized {
	c := input.Line(typed)
	d := digitsOf(input.Plain(c.Text))
	if len(d) == 9 {
		d = d[:5] + "-" + d[5:]
	}
	return Normalized{Sent: d, OK: c.Refused == "" && zipPattern.MatchString(d), Changed: c.Changed, Problem: c.Refused}
}

// phoneExtension matches an extension after a number: "ext. 12", "x12", "#12".
var phoneExtension = regexp.MustCompile(`(?i)[\s,;.]*(?:\bextension|\bext|x|#)[\s.:#]*\d{1,6}\s*$`)

// NormalizePhone reduces a US number to its ten digits, without +1 and without an extension.
func NormalizePhone(typed string) Normalized {
	c := input.Line(typed)
	number := input.Plain(c.Text)
	if at := phoneExtension.FindStringIndex(number); at != nil {
		number, c.Changed = number[:at[0]], input.Join(c.Changed, "Removed the extension")
	}
	d := digitsOf(number)
	if len(d) == 11 && d[0] == '1' {
		d = d[1:]
	}
	ok := c.Refused == "" && len(d) == 10 && d[0] > '1' && d[3] > '1'
	return Normalized{Sent: d, OK: ok, Changed: c.Changed, Problem: c.Refused}
}

// FormatPhone formats ten digits as (208) 555-0147 and returns anything else unchanged.
func FormatPhone(s string) string {
	d := digitsOf(s)
	if len(d) != 10 {
		return s
	}
	return "(" + d[:3] + ") " + d[3:6] + "-" + d[6:]
}

// FoldForSearch returns a text's letters and digits in lower case without accents, for
// searching and for detecting duplicates: "Núñez-O’Hara" becomes "nunez ohara".
func FoldForSearch(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(input.WithoutAccents(s)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case r != '\'':
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// normalized cleans a text, replaces punctuation, and compares the result with the lender's pattern, which is one set
// of characters.
func normalized(typed string, replace func(string) string, pattern *regexp.Regexp) Normalized {
	c := input.Line(typed)
	n := Normalized{
		Sent:    strings.Join(strings.Fields(replace(input.WithoutAccents(c.Text))), " "),
		Changed: c.Changed, Problem: c.Refused,
	}
	if _, found := MaskSSNs(n.Sent); found {
		n.Problem = "Remove the Social Security number"
	}
	if n.Problem == "" {
		n.Problem = input.Unusable(n.Sent, func(r rune) bool { return pattern.MatchString(string(r)) })
	}
	n.OK = n.Problem == "" && n.Sent != ""
	return n
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// IsState reports whether the code is a state, DC or a territory.
func IsState(code string) bool {
	found, ok := StateOf(code)
	return ok && found == code
}

// StateOf returns the two-letter code of a state, the District of Columbia or a territory,
// given the code or the name, in any case and with or without periods: "Colorado", "D.C.".
func StateOf(typed string) (code string, ok bool) {
	typed = strings.Join(strings.Fields(strings.ReplaceAll(input.Plain(typed), ".", "")), " ")
	for _, s := range slices.Concat(States, territories) {
		if strings.EqualFold(typed, s[0]) || strings.EqualFold(typed, s[1]) {
			return s[0], true
		}
	}
	return "", false
}

// States lists the code and the name of each state and the District of Columbia, sorted by name. Nobody changes it.
var States = [][2]string{
	{"AL", "Alabama"}, {"AK", "Alaska"}, {"AZ", "Arizona"}, {"AR", "Arkansas"}, {"CA", "California"}, {"CO", "Colorado"},
	{"CT", "Connecticut"}, {"DE", "Delaware"}, {"DC", "District of Columbia"}, {"FL", "Florida"}, {"GA", "Georgia"},
	{"HI", "Hawaii"}, {"ID", "Idaho"}, {"IL", "Illinois"}, {"IN", "Indiana"}, {"IA", "Iowa"}, {"KS", "Kansas"},
	{"KY", "Kentucky"}, {"LA", "Louisiana"}, {"ME", "Maine"}, {"MD", "Maryland"},
	{"MA", "Massachusetts"}, {"MI", "Michigan"}, {"MN", "Minnesota"}, {"MS", "Mississippi"}, {"MO", "Missouri"},
	{"MT", "Montana"}, {"NE", "Nebraska"}, {"NV", "Nevada"}, {"NH", "New Hampshire"}, {"NJ", "New Jersey"},
	{"NM", "New Mexico"}, {"NY", "New York"}, {"NC", "North Carolina"},
	{"ND", "North Dakota"}, {"OH", "Ohio"}, {"OK", "Oklahoma"}, {"OR", "Oregon"}, {"PA", "Pennsylvania"},
	{"RI", "Rhode Island"}, {"SC", "South Carolina"}, {"SD", "South Dakota"}, {"TN", "Tennessee"},
	{"TX", "Texas"}, {"UT", "Utah"}, {"VT", "Vermont"}, {"VA", "Virginia"},
	{"WA", "Washington"}, {"WV", "West Virginia"}, {"WI", "Wisconsin"}, {"WY", "Wyoming"},
}

// territories lists those that an address may have, and the states of military mail.
var territories = [][2]string{
	{"PR", "Puerto Rico"}, {"VI", "Virgin Islands"}, {"GU", "Guam"}, {"AS", "American Samoa"},
	{"MP", "Northern Mariana Islands"},
	{"AA", "Armed Forces Americas"}, {"AE", "Armed Forces Europe"}, {"AP", "Armed Forces Pacific"},
}

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

// emailPattern is an address without quoted parts. The lender does not publish a pattern for it.
var emailPattern = regexp.MustCompile(`^` + emailLocal + `(?:\.` + emailLocal + `)*@` + emailLabel + `(?:\.` +
	emailLabel + `)+$`)

const (
	emailLocal = "[\\pL\\pM\\pN!#$%&'*+/=?^_{|}~-]+"
	emailLabel = `[\pL\pN](?:[\pL\pM\pN-]*[\pL\pM\pN])?`
)

// NormalizeEmail cleans an email address and lower-cases its host.
func NormalizeEmail(typed string) Normalized {
	c := input.Email(typed)
	n := Normalized{Sent: c.Text, Changed: c.Changed, Problem: c.Refused}
	if at := strings.LastIndexByte(n.Sent, '@'); at >= 0 {
		n.Sent = n.Sent[:at] + strings.ToLower(n.Sent[at:])
	}
	n.OK = n.Problem == "" && len(n.Sent) <= 254 && emailPattern.MatchString(n.Sent)
	if !n.OK && n.Problem == "" {
		n.Problem = emailProblem(n.Sent)
	}
	return n
}

// emailProblem names what is wrong in an address; "" if it is not a character.
func emailProblem(address string) string {
	local, _, _ := strings.Cut(address, "@")
	problem := input.Unusable(address, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.M, unicode.N) || strings.ContainsRune("!#$%&'*+/=?^_{|}~-.@", r)
	})
	switch {
	case problem != "":
		return problem
	case strings.Count(address, "@") > 1:
		return "Use “@” only once"
	case strings.Contains(address, ".."):
		return "An email can’t have two periods in a row"
	case strings.HasPrefix(local, ".") || strings.HasSuffix(local, "."):
		return "An email can’t begin with a period or have one next to “@”"
	case strings.HasSuffix(address, "."):
		return "Remove the period at the end"
	default:
		return ""
	}
}

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
