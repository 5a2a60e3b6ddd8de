package heloc

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A Spelling is what will be sent for what was typed. The service in the field
// accepts a narrow alphabet (interface-live.md section 2), so what can safely be
// mended is mended, and the person sees what was sent.
type Normalized struct {
	Sent string
	OK   bool // false: it cannot be mended; ask the person
}

// The lender's patterns, to the letter.
var (
	namePattern   = regexp.MustCompile(`^[a-zA-Z0-9\s\-']+$`)
	streetPattern = regexp.MustCompile(`^[a-zA-Z0-9\s\-\.']+$`)
	cityPattern   = regexp.MustCompile(`^[a-zA-Z\s\-']+$`)
	zipPattern    = regexp.MustCompile(`^[0-9]{5}(?:-[0-9]{4})?$`)
	emailPattern  = regexp.MustCompile(`^[^@\s<>()",;]+@[^@\s<>()",;.]+(\.[^@\s<>()",;.]+)+$`)
)

// NormalizeName mends a person's name: accents folded, curly quotes straightened, full stops dropped.
func NormalizeName(typed string) Normalized {
	return normalized(strings.ReplaceAll(foldAccents(typed), ".", ""), namePattern)
}

// NormalizeLender mends a lender's name: "S&L" is sent as "S and L".
func NormalizeLender(typed string) Normalized {
	s := strings.NewReplacer("&", " and ", ".", "", ",", " ", "/", " ", "(", " ", ")", " ").Replace(foldAccents(typed))
	return normalized(s, namePattern)
}

// NormalizeStreet mends a street: "#", commas and slashes become spaces.
func NormalizeStreet(typed string) Normalized {
	s := strings.NewReplacer("#", " ", ",", " ", "/", " ", "&", " and ").Replace(foldAccents(typed))
	return normalized(s, streetPattern)
}

// NormalizeCity mends a city: "St. Louis" is sent as "St Louis".
func NormalizeCity(typed string) Normalized {
	return normalized(strings.NewReplacer(".", "", ",", " ").Replace(foldAccents(typed)), cityPattern)
}

// NormalizeState gives the two letters of a state, which may be typed by its name.
func NormalizeState(typed string) Normalized {
	if code, ok := StateOf(typed); ok {
		return Normalized{code, true}
	}
	return Normalized{strings.ToUpper(strings.TrimSpace(typed)), false}
}

// NormalizeZIP keeps five or nine digits.
func NormalizeZIP(typed string) Normalized {
	d := digitsOf(typed)
	if len(d) == 9 {
		d = d[:5] + "-" + d[5:]
	}
	return Normalized{d, zipPattern.MatchString(d)}
}

// NormalizePhone keeps the ten digits of a US number, without +1.
func NormalizePhone(typed string) Normalized {
	d := digitsOf(typed)
	if len(d) == 11 && d[0] == '1' {
		d = d[1:]
	}
	return Normalized{d, len(d) == 10 && d[0] > '1' && d[3] > '1'}
}

// NormalizeSSN writes nine digits as nnn-nn-nnnn. Which numbers exist is the lender's to
// judge: its test hosts use numbers that were never given out.
func NormalizeSSN(typed string) Normalized {
	d := digitsOf(typed)
	if len(d) != 9 || len(strings.Trim(typed, "0123456789- ")) > 0 {
		return Normalized{}
	}
	return Normalized{d[:3] + "-" + d[3:5] + "-" + d[5:], true}
}

// NormalizeEmail trims an e-mail address and lower-cases its host.
func NormalizeEmail(typed string) Normalized {
	s := strings.TrimSpace(typed)
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		s = s[:at] + strings.ToLower(s[at:])
	}
	return Normalized{s, len(s) <= 254 && emailPattern.MatchString(s)}
}

// FormatPhone shows ten digits as (208) 555-0147; anything else unchanged.
func FormatPhone(s string) string {
	d := digitsOf(s)
	if len(d) != 10 {
		return s
	}
	return "(" + d[:3] + ") " + d[3:6] + "-" + d[6:]
}

// FoldForSearch gives the letters and digits of a text in lower case without accents, for
// search and for telling duplicates: "Núñez-O’Hara" is "nunez ohara" in words.
func FoldForSearch(s string) string {
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

func normalized(s string, pattern *regexp.Regexp) Normalized {
	s = strings.Join(strings.Fields(s), " ")
	return Normalized{s, pattern.MatchString(s)}
}

// specialLetters are letters that carry no separable accent.
var specialLetters = strings.NewReplacer(
	"ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ð", "d", "Ð", "D", "þ", "th", "Þ", "Th",
	"ß", "ss", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe", "ı", "i",
	"’", "'", "‘", "'", "ʼ", "'", "`", "'", "´", "'", "“", "", "”", "", "–", "-", "—", "-", "\u00a0", " ",
)

// foldAccents takes accents off letters and straightens quotes and dashes.
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

// stateCodes are the codes that an address may carry, in the order of their names.
const stateCodes = "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR VI GU AS MP"

// IsState reports whether the code is a state, DC or a territory.
func IsState(code string) bool {
	return len(code) == 2 && strings.Contains(" "+stateCodes+" ", " "+code+" ")
}
