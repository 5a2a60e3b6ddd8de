package heloc

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalized is the form in which a typed value will be sent. The live service accepts a
// narrow set of characters (interface-live.md section 2), so the Normalize functions correct
// what they safely can, and the user sees what was sent.
type Normalized struct {
	Sent string
	OK   bool // false: it cannot be corrected; ask the user
}

// The lender's patterns, verbatim.
var (
	namePattern   = regexp.MustCompile(`^[a-zA-Z0-9\s\-']+$`)
	streetPattern = regexp.MustCompile(`^[a-zA-Z0-9\s\-\.']+$`)
	cityPattern   = regexp.MustCompile(`^[a-zA-Z\s\-']+$`)
	zipPattern    = regexp.MustCompile(`^[0-9]{5}(?:-[0-9]{4})?$`)
	emailPattern  = regexp.MustCompile(`^[^@\s<>()",;]+@[^@\s<>()",;.]+(\.[^@\s<>()",;.]+)+$`)
)

// NormalizeName removes accents and periods from a person's name and straightens curly quotes.
func NormalizeName(typed string) Normalized {
	return normalized(strings.ReplaceAll(foldAccents(typed), ".", ""), namePattern)
}

// NormalizeLender normalizes a lender's name: "S&L" is sent as "S and L".
func NormalizeLender(typed string) Normalized {
	s := strings.NewReplacer("&", " and ", ".", "", ",", " ", "/", " ", "(", " ", ")", " ").Replace(foldAccents(typed))
	return normalized(s, namePattern)
}

// NormalizeStreet normalizes a street: "#", commas and slashes become spaces.
func NormalizeStreet(typed string) Normalized {
	s := strings.NewReplacer("#", " ", ",", " ", "/", " ", "&", " and ").Replace(foldAccents(typed))
	return normalized(s, streetPattern)
}

// NormalizeCity normalizes a city: "St. Louis" is sent as "St Louis".
func NormalizeCity(typed string) Normalized {
	return normalized(strings.NewReplacer(".", "", ",", " ").Replace(foldAccents(typed)), cityPattern)
}

// NormalizeState returns a state's two-letter code, given the code or the name.
func NormalizeState(typed string) Normalized {
	if code, ok := StateOf(typed); ok {
		return Normalized{code, true}
	}
	return Normalized{strings.ToUpper(strings.TrimSpace(typed)), false}
}

// NormalizeZIP reduces a ZIP code to its digits and formats nine of them as ZIP+4.
func NormalizeZIP(typed string) Normalized {
	d := digitsOf(typed)
	if len(d) == 9 {
		d = d[:5] + "-" + d[5:]
	}
	return Normalized{d, zipPattern.MatchString(d)}
}

// NormalizePhone reduces a US number to its ten digits, without +1.
func NormalizePhone(typed string) Normalized {
	d := digitsOf(typed)
	if len(d) == 11 && d[0] == '1' {
		d = d[1:]
	}
	return Normalized{d, len(d) == 10 && d[0] > '1' && d[3] > '1'}
}

// NormalizeSSN formats nine digits as nnn-nn-nnnn. It does not reject numbers that were
// never issued: the lender's test environments use them.
func NormalizeSSN(typed string) Normalized {
	d := digitsOf(typed)
	if len(d) != 9 || len(strings.Trim(typed, "0123456789- ")) > 0 {
		return Normalized{}
	}
	if d[:3] == "000" || d[:3] == "666" { // never assigned
		return Normalized{}
	}
	return Normalized{d[:3] + "-" + d[3:5] + "-" + d[5:], true}
}

// MaskSSNs replaces the Social Security numbers in a free text, 123-45-6789 and 123 45 6789, and reports whether it has
// any. Nine digits without separators are more often a loan number.
func MaskSSNs(text string) (masked string, found bool) {
	masked = ssnInText.ReplaceAllString(text, "XXX-XX-XXXX")
	return masked, masked != text
}

var ssnInText = regexp.MustCompile(`\b\d{3}([- ])\d{2}[- ]\d{4}\b`)

// NormalizeEmail trims an email address and lower-cases its host.
func NormalizeEmail(typed string) Normalized {
	s := strings.TrimSpace(typed)
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		s = s[:at] + strings.ToLower(s[at:])
	}
	return Normalized{s, len(s) <= 254 && emailPattern.MatchString(s)}
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
	for _, r := range strings.ToLower(foldAccents(s)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case r != '\'':
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// foldPlain is FoldForSearch for ASCII, as most names are: a search folds up to two hundred of them. ok is false for other
// text.
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

func normalized(s string, pattern *regexp.Regexp) Normalized {
	s = strings.Join(strings.Fields(s), " ")
	return Normalized{s, pattern.MatchString(s)}
}

// specialLetters replaces characters that have no separable accent, and typographic punctuation.
var specialLetters = strings.NewReplacer(
	"ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ð", "d", "Ð", "D", "þ", "th", "Þ", "Th",
	"ß", "ss", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe", "ı", "i",
	"’", "'", "‘", "'", "ʼ", "'", "`", "'", "´", "'", "“", "", "”", "", "–", "-", "—", "-", "\u00a0", " ",
)

// foldAccents removes accents from letters and straightens quotes and dashes.
func foldAccents(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(specialLetters.Replace(s)) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
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
const stateCodes = "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR VI GU AS MP"

// IsState reports whether the code is a state, DC or a territory.
func IsState(code string) bool {
	return len(code) == 2 && strings.Contains(" "+stateCodes+" ", " "+code+" ")
}
