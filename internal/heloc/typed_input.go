package heloc

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

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
	if folded, ok := foldPlain(s); ok {
		return folded
	}
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

// foldPlain is FoldForSearch for ASCII, as most names are: a search folds up to two hundred of them. ok is false for
// other text.
func foldPlain(s string) (folded string, ok bool) {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return "", false
		case c >= 'A' && c <= 'Z':
			b = append(b, c+'a'-'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b = append(b, c)
		case c == '\'' || c == '`':
		case len(b) > 0 && b[len(b)-1] != ' ':
			b = append(b, ' ')
		}
	}
	return strings.TrimSuffix(string(b), " "), true
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

// stateCodes are the codes that an address may contain, in the order of their names.
const stateCodes = "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM " +
	"NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR VI GU AS MP"

// IsState reports whether the code is a state, DC or a territory.
func IsState(code string) bool {
	return len(code) == 2 && strings.Contains(" "+stateCodes+" ", " "+code+" ")
}
