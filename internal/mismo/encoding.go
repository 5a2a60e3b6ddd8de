package mismo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// A character that cannot be read is replaced by a mark, so that only its value is lost. The marks are private
// characters, which stand for a byte that the encoding does not have and for a character that XML does not allow.
const (
	markByte    = 0x10FE00
	markControl = 0x10FD00
	// maxMarks is how many such characters a text can have. One with more is not text.
	maxMarks = 1000
)

// The names of the encodings that are read.
const (
	encodingUTF8   = "UTF-8"
	encodingUTF16  = "UTF-16"
	encodingLatin1 = "ISO-8859-1"
	encoding1252   = "windows-1252"
)

var utf8Mark = []byte("\xef\xbb\xbf")

// declaration matches the XML declaration, with blank lines before it.
var declaration = regexp.MustCompile(`^\s*<\?xml\s[^>]{0,200}\?>`)

var encodingLabel = regexp.MustCompile(`(?i)encoding\s*=\s*["']([a-z0-9._:-]{1,40})["']`)

// decode returns a file's text in UTF-8, without its XML declaration, and the encoding that it had. Bytes that are
// valid UTF-8 are UTF-8, whatever the declaration says: exporters often write another label.
func decode(raw []byte) (text []byte, encoding string, err error) {
	raw = bytes.TrimRight(raw, "\x00 \t\r\n")
	switch order := utf16Order(raw); {
	case order != nil:
		text, encoding = fromUTF16(raw, order), encodingUTF16
	default:
		raw = bytes.TrimPrefix(raw, utf8Mark)
		if text, encoding, err = fromBytes(raw); err != nil {
			return nil, "", err
		}
	}
	text = bytes.TrimPrefix(text, utf8Mark)
	if at := declaration.FindIndex(text); at != nil {
		text = text[at[1]:]
	}
	return bytes.TrimSpace(text), encoding, nil
}

// utf16Order returns the order of the bytes of a UTF-16 file; nil for any other.
func utf16Order(raw []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return binary.LittleEndian
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return binary.BigEndian
	case len(raw) < 4:
		return nil
	case raw[0] != 0 && raw[1] == 0 && raw[2] != 0: // the last byte may have been trimmed
		return binary.LittleEndian
	case raw[0] == 0 && raw[1] != 0 && raw[2] == 0 && raw[3] != 0:
		return binary.BigEndian
	}
	return nil
}

// fromUTF16 decodes UTF-16. The last byte of a file in the little order is zero, and was trimmed.
func fromUTF16(raw []byte, order binary.ByteOrder) []byte {
	text := make([]byte, 0, len(raw)/2+8)
	for i := 0; i < len(raw); i += 2 {
		pair := [2]byte{raw[i]}
		if i+1 < len(raw) {
			pair[1] = raw[i+1]
		}
		r := rune(order.Uint16(pair[:]))
		if utf16.IsSurrogate(r) && i+3 < len(raw) {
			if both := utf16.DecodeRune(r, rune(order.Uint16(raw[i+2:]))); both != utf8.RuneError {
				r, i = both, i+2
			}
		}
		text = utf8.AppendRune(text, r)
	}
	return text
}

// fromBytes decodes a text of single bytes or UTF-8.
func fromBytes(raw []byte) (text []byte, encoding string, err error) {
	if utf8.Valid(raw) {
		return raw, encodingUTF8, nil
	}
	label := ""
	if found := encodingLabel.FindSubmatch(declaration.Find(raw)); found != nil {
		label = strings.ToLower(string(found[1]))
	}
	switch strings.NewReplacer("_", "-").Replace(label) {
	case "", "utf-8", "utf8", "utf-16":
		if hasUTF8(raw) {
			return markInvalid(raw), encodingUTF8, nil
		}
	case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii", "windows-1252", "cp1252", "ansi":
	default:
		return nil, "", errEncoding
	}
	high := 0
	for _, b := range raw {
		high += int(b >> 7)
	}
	text, encoding = make([]byte, 0, len(raw)+2*high), encodingLatin1
	for _, b := range raw {
		r := charmap.Windows1252.DecodeByte(b)
		if b >= 0x80 && b < 0xA0 {
			if encoding = encoding1252; r == utf8.RuneError || r == rune(b) {
				r = markByte + rune(b) // 0x81, 0x8D, 0x8F, 0x90 and 0x9D are no characters
			}
		}
		text = utf8.AppendRune(text, r)
	}
	return text, encoding, nil
}

// hasUTF8 reports whether a text has a character of several bytes in UTF-8. In another encoding, such bytes hardly ever
// follow each other.
func hasUTF8(raw []byte) bool {
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		if size > 1 && r != utf8.RuneError {
			return true
		}
		raw = raw[size:]
	}
	return false
}

// markInvalid marks the bytes that are not UTF-8.
func markInvalid(raw []byte) []byte {
	text := make([]byte, 0, len(raw)+utf8.UTFMax)
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		if r == utf8.RuneError && size == 1 {
			r = markByte + rune(raw[0])
		}
		text, raw = utf8.AppendRune(text, r), raw[size:]
	}
	return text
}

// clean marks the characters that XML does not allow, and escapes an ampersand that begins nothing.
func clean(text []byte) ([]byte, error) {
	var out []byte
	done, section, marks := 0, 0, 0 // section is where the CDATA section ends
	for i := 0; i < len(text); i++ {
		var instead []byte
		size := 1
		switch c := text[i]; {
		case c == '<' && i >= section && bytes.HasPrefix(text[i:], []byte("<![CDATA[")):
			section = i + max(0, bytes.Index(text[i:], []byte("]]>")))
			continue
		case c == '&' && i >= section:
			instead, size = reference(text[i:])
		case c < ' ' && c != '\t' && c != '\n' && c != '\r':
			instead = utf8.AppendRune(nil, markControl+rune(c))
		case c == 0xEF && (bytes.HasPrefix(text[i:], []byte("\uFFFE")) || bytes.HasPrefix(text[i:], []byte("\uFFFF"))):
			instead, size = []byte(string(utf8.RuneError)), 3
		}
		if instead == nil {
			continue
		}
		if marks++; marks > maxMarks {
			return nil, errMalformed
		}
		out = append(append(out, text[done:i]...), instead...)
		done, i = i+size, i+size-1
	}
	if out == nil {
		return text, nil
	}
	return append(out, text[done:]...), nil
}

var characterReference = regexp.MustCompile(`^&(?:#(x[0-9a-fA-F]{1,6}|[0-9]{1,7})|[A-Za-z][A-Za-z0-9]{0,31});`)

// reference returns what to write instead of a reference, and how many bytes it replaces; nil for one that the parser
// reads.
func reference(text []byte) (instead []byte, size int) {
	found := characterReference.FindSubmatch(text[:min(len(text), 40)])
	if found == nil {
		return []byte("&amp;"), 1
	}
	if len(found[1]) == 0 {
		return nil, 0
	}
	digits, base := string(found[1]), 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseInt(digits, base, 32)
	r := rune(n)
	switch {
	case err != nil || r > 0x10FFFF || !utf8.ValidRune(r) || r == 0xFFFE || r == 0xFFFF:
		return []byte(string(utf8.RuneError)), len(found[0])
	case r < ' ' && r != '\t' && r != '\n' && r != '\r':
		return utf8.AppendRune(nil, markControl+r), len(found[0])
	}
	return nil, 0
}

// readable returns a text with marks as U+FFFD, and why it cannot be used; problem is "" for a text without a mark.
func readable(text, encoding string) (clean, problem string) {
	if !strings.ContainsFunc(text, isMark) {
		return text, ""
	}
	at := 0
	for _, r := range text {
		if at++; isMark(r) {
			problem = markProblem(r, at, encoding)
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if isMark(r) {
			return utf8.RuneError
		}
		return r
	}, text), problem
}

func isMark(r rune) bool { return r == utf8.RuneError || r >= markControl && r < markByte+0x100 }

// markProblem says what is wrong with the character at a position.
func markProblem(r rune, at int, encoding string) string {
	switch {
	case r == utf8.RuneError:
		return fmt.Sprintf("Character %d was lost before the file was written (U+FFFD)", at)
	case r >= markByte:
		return fmt.Sprintf("Character %d (byte 0x%02X) doesn’t exist in this file’s encoding, %s", at, r-markByte, encoding)
	default:
		return fmt.Sprintf("Character %d is a control character (U+%04X)", at, r-markControl)
	}
}
