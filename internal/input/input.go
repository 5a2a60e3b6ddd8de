// Package input cleans the text that people type, paste and import: in forms, in a CRM's record, in a loan file, in a
// search. It has the rules for characters, and package heloc those of the lender for each kind of field.
//
// Pasted text often contains characters that the user did not intend: invisible ones are removed, special spaces
// become spaces, and letters are composed (NFC), so that equal texts compare as equal. The user sees what was
// changed. A text with a control character is refused, because the intended text is not known.
package input

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Cleaned is a text without the characters that nobody types on purpose.
type Cleaned struct {
	Text    string
	Changed string // what was removed or changed, "Removed an invisible character"; "" for nothing
	// why the text cannot be used, with the character; "" if it can be used. Text does not have the character
	Refused string
}

// Line cleans one line of text. Line breaks become spaces, and spaces around the text are dropped without a notice.
func Line(typed string) Cleaned { return clean(typed, false) }

// Lines cleans a text that may have several lines, which end in \n.
func Lines(typed string) Cleaned { return clean(strings.ReplaceAll(typed, "\r\n", "\n"), true) }

func clean(typed string, multiline bool) Cleaned {
	var c cleaner
	for _, r := range strings.ToValidUTF8(typed, string(unicode.ReplacementChar)) {
		c.add(r, multiline && (r == '\n' || r == '\t'))
	}
	return Cleaned{Text: strings.TrimSpace(norm.NFC.String(c.text.String())), Changed: c.changed(), Refused: c.refused}
}

// cleaner copies a text and counts what it changes.
type cleaner struct {
	text              strings.Builder
	invisible, spaces int // characters removed; special spaces changed between others
	pending           int // special spaces that count if the text goes on
	begun             bool
	refused           string
}

func (c *cleaner) add(r rune, keep bool) {
	switch {
	case IsInvisible(r):
		c.invisible++
	case keep:
		c.text.WriteRune(r)
	case unicode.IsSpace(r):
		if c.begun && r != ' ' {
			c.pending++
		}
		c.text.WriteByte(' ')
	case unicode.IsControl(r):
		if c.refused == "" {
			c.refused = capitalized(nameRune(r)) + " can’t be used. Delete this entry and type it again"
		}
	default:
		c.spaces, c.pending, c.begun = c.spaces+c.pending, 0, true
		c.text.WriteRune(r)
	}
}

func (c *cleaner) changed() string {
	var all []string
	switch c.invisible {
	case 0:
	case 1:
		all = append(all, "Removed an invisible character")
	default:
		all = append(all, fmt.Sprintf("Removed %d invisible characters", c.invisible))
	}
	switch c.spaces {
	case 0:
	case 1:
		all = append(all, "Changed a special space to a regular space")
	default:
		all = append(all, fmt.Sprintf("Changed %d special spaces to regular spaces", c.spaces))
	}
	return Join(all...)
}

// Join joins sentences, of which the last has no period, as the texts below a field.
func Join(sentences ...string) string {
	all := ""
	for _, one := range sentences {
		switch {
		case one == "" || strings.Contains(all, one):
		case all == "":
			all = one
		default:
			all += ". " + one
		}
	}
	return all
}

// IsInvisible reports whether a character has no width and, alone, no meaning in the texts that this portal takes:
// format characters such as the zero-width space and the soft hyphen, variation selectors and fillers.
func IsInvisible(r rune) bool {
	return r >= 0xAD && unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// nameRune returns how a message names a character: “#”, or its number if it cannot be seen.
func nameRune(r rune) string {
	switch {
	case r == ' ':
		return "a space"
	case unicode.IsControl(r):
		return fmt.Sprintf("a control character (U+%04X)", r)
	case !unicode.IsGraphic(r) || unicode.IsSpace(r) || unicode.IsMark(r):
		return fmt.Sprintf("the character U+%04X", r)
	default:
		return "“" + string(r) + "”"
	}
}

// maxNamed is how many characters a message names.
const maxNamed = 3

// Unusable returns a sentence that names the characters that are not allowed, "“#” and “%” can’t be used"; "" for none.
func Unusable(text string, allowed func(rune) bool) string {
	var names []string
	seen := map[rune]bool{}
	for _, r := range text {
		if seen[r] || allowed(r) {
			continue
		}
		if seen[r] = true; len(names) < maxNamed {
			names = append(names, nameRune(r))
		}
	}
	if len(seen) > len(names) {
		names = append(names, "other characters")
	}
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return capitalized(names[0]) + " can’t be used"
	default:
		return capitalized(strings.Join(names[:n-1], ", ")+" and "+names[n-1]) + " can’t be used"
	}
}

func capitalized(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// quotes are the marks that come along when an address is copied from a sentence.
const quotes = "\"'“”„‟«»‹›‘’‚‛`´"

// Email cleans an email address: it also removes "mailto:" with what a link has after the address, and the quotation
// marks and angle brackets around it.
func Email(typed string) Cleaned {
	c := Line(typed)
	c.Text = Plain(c.Text) // also of what may be around the address
	mailto, quoted := "", ""
	for before := ""; before != c.Text; {
		before = c.Text
		if c.Text = strings.TrimSpace(strings.Trim(c.Text, quotes)); c.Text != before {
			quoted = "Removed the quotation marks"
		}
		if strings.HasPrefix(c.Text, "<") && strings.HasSuffix(c.Text, ">") {
			c.Text, quoted = strings.TrimSpace(c.Text[1:max(1, len(c.Text)-1)]), "Removed the angle brackets"
		}
		if begin := len("mailto:"); len(c.Text) >= begin && strings.EqualFold(c.Text[:begin], "mailto:") {
			c.Text, _, _ = strings.Cut(c.Text[begin:], "?")
			c.Text, mailto = strings.TrimSpace(c.Text), "Removed “mailto:”"
		}
	}
	c.Changed = Join(c.Changed, mailto, quoted)
	return c
}

// Plain returns a text with one kind of apostrophe, one kind of hyphen and one kind of space, without invisible
// characters, and with full-width, ligature and mathematical letters as ordinary ones. It is for reading names, numbers
// and dates: a text to be shown keeps its typography.
func Plain(text string) string {
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
	var b strings.Builder
	for _, r := range norm.NFD.String(Plain(text)) {
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
