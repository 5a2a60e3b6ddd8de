package mismo

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTag is the longest tag with its attributes, in bytes. The tags of a loan file have under 500.
const maxTag = 8 << 10

// The reasons to refuse a file.
var (
	errEmpty       = refuse("The file is empty. Export it again from your LOS.")
	errTooLarge    = refuse("The file is larger than 2 MB. Export only the loan data, without documents.")
	errDeclaration = refuse("The file has a document type declaration (DOCTYPE). For safety, such files aren’t read. " +
		"Export a MISMO 3.4 file (.xml) from your LOS.")
	errUTF16      = refuse("The file is encoded in UTF-16. Save it as UTF-8, or export it again from your LOS.")
	errEncoding   = refuse("The file isn’t encoded in UTF-8. Save it as UTF-8, or export it again from your LOS.")
	errNotXML     = refuse("This isn’t an XML file. Export a MISMO 3.4 file (.xml) from your LOS.")
	errMalformed  = refuse("The file is damaged or incomplete: it isn’t well-formed XML. Export it again from your LOS.")
	errTooComplex = refuse("The file has more parts than a loan file has, so it wasn’t read. " +
		"Export a MISMO 3.4 file (.xml) of one loan.")
	errFannie32     = refuse("This looks like a Fannie Mae 3.2 file (.fnm). Export a MISMO 3.4 file (.xml) instead.")
	errMISMO2       = refuse("This looks like a MISMO 2.x file. Export a MISMO 3.4 file (.xml) instead.")
	errOtherVersion = refuse("This is a MISMO 3 file, but not version 3.4. " +
		"Export a MISMO 3.4 loan application file (.xml) instead.")
	errOtherRoot  = refuse("This XML file isn’t a MISMO 3.4 loan file. Export a MISMO 3.4 file (.xml) from your LOS.")
	errPDF        = refuse("This is a PDF. Export a MISMO 3.4 file (.xml) from your LOS.")
	errArchive    = refuse("This is a ZIP or Office file. Choose the MISMO 3.4 file (.xml) itself.")
	errNoLoan     = refuse("The file has no loan in it. Export a MISMO 3.4 loan application file (.xml) from your LOS.")
	errNoBorrower = refuse("The file has no borrower in it. " +
		"Export a MISMO 3.4 loan application file (.xml) from your LOS.")
)

func refuse(sentence string) *RefusedError { return &RefusedError{sentence} }

var utf8Mark = []byte("\xef\xbb\xbf")

// inspect refuses what must not reach the XML parser, and names what other formats look like.
func inspect(raw []byte) error {
	switch {
	case len(raw) > MaxSize:
		return errTooLarge
	case bytes.HasPrefix(raw, []byte("\xff\xfe")), bytes.HasPrefix(raw, []byte("\xfe\xff")),
		bytes.IndexByte(raw[:min(len(raw), 4)], 0) >= 0:
		return errUTF16
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(raw, utf8Mark))
	switch {
	case len(text) == 0:
		return errEmpty
	case bytes.HasPrefix(text, []byte("%PDF")):
		return errPDF
	case bytes.HasPrefix(text, []byte("PK\x03\x04")):
		return errArchive
	case bytes.HasPrefix(text, []byte("EH ")):
		return errFannie32
	case text[0] != '<':
		return errNotXML
	case !utf8.Valid(text):
		return errEncoding
	}
	return scanTags(text)
}

// scanTags refuses declarations and long tags without parsing: the parser would collect the attributes of a tag
// before it could be stopped. Where this reads malformed text in another way than the parser, the parser ends there.
func scanTags(text []byte) error {
	for {
		start := bytes.IndexByte(text, '<')
		if start < 0 {
			return nil
		}
		text = text[start:]
		var length int
		switch {
		case bytes.HasPrefix(text, []byte("<!--")):
			length = lengthTo(text, 4, "-->")
		case bytes.HasPrefix(text, []byte("<![CDATA[")):
			length = lengthTo(text, 9, "]]>")
		case bytes.HasPrefix(text, []byte("<?")):
			length = lengthTo(text, 2, "?>")
		case bytes.HasPrefix(text, []byte("<!")):
			return errDeclaration
		default:
			if length = tagLength(text); length > maxTag {
				return errTooComplex
			}
		}
		if length < 0 {
			return errMalformed
		}
		text = text[length:]
	}
}

// lengthTo returns the length up to and including an ending; negative if it is missing.
func lengthTo(text []byte, from int, ending string) int {
	at := bytes.Index(text[from:], []byte(ending))
	if at < 0 {
		return at
	}
	return from + at + len(ending)
}

// tagLength returns the length of a tag. It stops counting above the limit, and returns a negative number for a tag
// that does not end.
func tagLength(text []byte) int {
	quote := byte(0)
	for i, c := range text {
		switch {
		case i > maxTag:
			return i
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return -1
}

// checkVersion refuses other roots, namespaces and versions.
func checkVersion(root *element) error {
	switch {
	case root.name == "MESSAGE" && !strings.HasPrefix(root.name, foreign):
		if v := root.version; v != "" && !isVersion34(v) {
			return errOtherVersion
		}
		return nil
	case slices.Contains([]string{"LOAN_APPLICATION", "REQUEST_GROUP", "LOAN_PUBLISHING"},
		strings.TrimPrefix(root.name, foreign)), strings.HasPrefix(root.version, "2."):
		return errMISMO2
	default:
		return errOtherRoot
	}
}

// isVersion34 reports whether a reference model identifier is of version 3.4, such as "3.4.032420160128".
func isVersion34(v string) bool {
	rest, ok := strings.CutPrefix(v, "3.4")
	return ok && (rest == "" || rest[0] < '0' || rest[0] > '9')
}
