// Package mismo reads the loan file that a loan origination system (LOS) exports: MISMO 3.4 XML, as ARIVE, LendingPad,
// Encompass and Calyx write it for Desktop Underwriter. It takes from it what the inquiry for a home equity line asks
// for, and names what it did not take, never with its value.
//
// A file comes from outside and is not trusted. Read limits its size, its depth, the number of its elements and the
// length of a tag, and it refuses every document type declaration, so that there are no entities to expand or to fetch.
// A Social Security number is dropped while the file is read: nothing here holds it.
package mismo

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxSize is the largest file that is read, in bytes. A file with several borrowers has about 300 KB.
const MaxSize = 2 << 20

// namespace is the namespace of MISMO 3.0 and later.
const namespace = "http://www.mismo.org/residential/2009/schemas"

// RefusedError is why a file was not read. Its sentence is for the user and has nothing of the file in it.
type RefusedError struct{ Sentence string }

func (e *RefusedError) Error() string { return e.Sentence }

// Read reads a loan file. Every error of the file itself is a *RefusedError.
func Read(from io.Reader) (File, error) {
	raw, err := io.ReadAll(io.LimitReader(from, MaxSize+1))
	if err != nil {
		return File{}, err
	}
	if err := inspect(raw); err != nil {
		return File{}, err
	}
	root, err := parse(raw)
	if err != nil {
		return File{}, err
	}
	if err := checkVersion(root); err != nil {
		return File{}, err
	}
	deals := root.path("DEAL_SETS").all("DEAL") // before the copies that documents have
	if len(deals) == 0 {
		deals = root.all("DEAL")
	}
	if len(deals) == 0 {
		return File{}, errNoLoan
	}
	at := slices.IndexFunc(deals, func(e *element) bool { return applicant(e) != nil })
	if at < 0 {
		return File{}, errNoBorrower
	}
	e := deals[at]
	d := deal{root: root, element: e, subject: subjectOf(e), links: links(e), borrower: applicant(e), borrowers: borrowersOf(e)}
	f := File{Version: versionOf(root.version), Encoding: "UTF-8", Borrowers: []Borrower{d.readBorrower()}, Applicant: 0}
	f.ApplicantBy = BySequence
	switch {
	case borrowerRole(d.borrower).peek("BORROWER", "BORROWER_DETAIL", "BorrowerClassificationType") == "Primary":
		f.ApplicantBy = ByClassification
	case len(d.borrowers) == 1:
		f.ApplicantBy = ByBeingAlone
	}
	for _, party := range d.borrowers {
		if party == d.borrower {
			continue
		}
		name := party.path("INDIVIDUAL", "NAME")
		f.Borrowers = append(f.Borrowers, Borrower{Place: party.name, First: name.fact("FirstName"),
			Last: name.fact("LastName")})
	}
	if d.subject != nil {
		f.Properties = []Property{d.readProperty()}
	}
	f.Title = Title{Ownership: d.readOwnership()}
	f.Liens = d.readLiens()
	f.Requested = d.readRequested()
	f.Unused = d.unused()
	return f, nil
}

// deal is one loan of the file while it is read.
type deal struct {
	root      *element
	element   *element
	subject   *element          // SUBJECT_PROPERTY; nil if there is none
	borrower  *element          // the PARTY of the first borrower
	borrowers []*element        // of all
	links     map[string][]link // by the label that they start from
	liens     map[*element]bool // the LIABILITY elements that were taken
	tied      map[string]bool   // the labels of the debts that the file ties to any property
}

// link is a relationship between two labeled elements.
type link struct{ role, to string }

// links reads the relationships of a deal.
func links(d *element) map[string][]link {
	all := map[string][]link{}
	for _, r := range d.path("RELATIONSHIPS").each("RELATIONSHIP") {
		if r.from != "" && r.to != "" {
			if r.role == "LIABILITY_IsAssociatedWith_ASSET" { // as some write it
				r.from, r.to, r.role = r.to, r.from, "ASSET_IsAssociatedWith_LIABILITY"
			}
			all[r.from] = append(all[r.from], link{r.role, r.to})
		}
	}
	return all
}

// applicant returns the party of the borrower classified as Primary, or else the one with the lowest sequence number
// of party or role; a missing number sorts last. It returns nil if there is no borrower.
func applicant(d *element) *element {
	all := borrowersOf(d)
	if len(all) == 0 {
		return nil
	}
	return slices.MinFunc(all, func(a, b *element) int { return cmp.Compare(applicantRank(a), applicantRank(b)) })
}

// borrowersOf returns the parties of a deal that are borrowers.
func borrowersOf(d *element) []*element {
	var all []*element
	for _, p := range d.path("PARTIES").each("PARTY") {
		if borrowerRole(p) != nil {
			all = append(all, p)
		}
	}
	return all
}

func applicantRank(party *element) int {
	role := borrowerRole(party)
	if role.peek("BORROWER", "BORROWER_DETAIL", "BorrowerClassificationType") == "Primary" {
		return math.MinInt
	}
	return cmp.Or(party.sequence, role.sequence, math.MaxInt)
}

// borrowerRole returns the role of a party as a borrower; nil if it has another role.
func borrowerRole(party *element) *element {
	for _, role := range party.path("ROLES").each("ROLE") {
		if role.path("BORROWER") != nil {
			return role
		}
	}
	return nil
}

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

// versionOf returns the version that a reference model identifier names, "3.4" of "3.4.032420160128".
func versionOf(identifier string) string {
	if isVersion34(identifier) {
		return "3.4"
	}
	return identifier
}

// isVersion34 reports whether a reference model identifier is of version 3.4, such as "3.4.032420160128".
func isVersion34(v string) bool {
	rest, ok := strings.CutPrefix(v, "3.4")
	return ok && (rest == "" || rest[0] < '0' || rest[0] > '9')
}
