package input

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Plain returns a text with one kind of apostrophe, one kind of hyphen and one kind of space, without invisible
// characters, and with full-width, ligature and mathematical letters as ordinary ones. It is for reading names, numbers
// and dates: a text to be shown keeps its typography.
func Plain(text string) string {
	if isPrintableASCII(text) {
		return strings.ReplaceAll(text, "`", "'")
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(text) {
		switch {
		case IsInvisible(r):
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case isWide(r):
			b.WriteString(norm.NFKC.String(string(r)))
		default:
			b.WriteRune(plainPunctuation(r))
		}
	}
	return norm.NFC.String(b.String())
}

// isWide reports whether a character is another form of ASCII letters, digits and signs.
func isWide(r rune) bool {
	return r >= 0xFF01 && r <= 0xFF5E && r != '＇' && r != '－' || r >= 0xFB00 && r <= 0xFB06 || r >= 0x1D400 && r <= 0x1D7FF
}

// plainPunctuation returns the ASCII sign of a family of signs: the apostrophe, which is also typed as a quotation
// mark, a prime, an accent or the ʻokina, the hyphen, which is also typed as a dash or a minus, and the slash of
// fractions.
func plainPunctuation(r rune) rune {
	switch r {
	case '`', '´', '‘', '’', '‛', '′', '‵', 'ʹ', 'ʻ', 'ʼ', 'ʽ', 'ʾ', 'ʿ', 'ˈ', 'ˊ', 'ˋ', 'Ꞌ', 'ꞌ', '＇', '՚', '׳':
		return '\''
	case '‐', '‑', '‒', '–', '—', '―', '⁃', '−', '﹘', '﹣', '－':
		return '-'
	case '⁄', '∕':
		return '/'
	default:
		return r
	}
}

// WithoutAccents returns a plain text without the accents of its letters: “Núñez-O’Hara” becomes "Nunez-O'Hara".
// Letters of other alphabets remain.
func WithoutAccents(text string) string {
	text = Plain(text)
	if isPrintableASCII(text) {
		return text
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(text) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return specialLetters.Replace(b.String())
}

// specialLetters replaces letters that have no separable accent.
var specialLetters = strings.NewReplacer(
	"ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ð", "d", "Ð", "D", "þ", "th", "Þ", "Th",
	"ß", "ss", "ẞ", "SS", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe", "ı", "i", "ħ", "h", "Ħ", "H",
)
