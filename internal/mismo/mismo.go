// Package mismo reads the loan file that a loan origination system (LOS) exports: MISMO 3 XML, as ARIVE, LendingPad,
// Encompass and Calyx write it for Desktop Underwriter. It says what the file says about what the inquiry for a home
// equity line asks for, each fact with its place in the file, and names what it did not take. It derives nothing: who
// uses the result decides what goes into a draft. Write writes such a file from what the lender says about a lead.
//
// A file comes from outside and is not trusted. Read limits its size, also after unpacking, its depth, the number of
// its elements and the length of a tag, and it refuses every document type declaration, so that there are no entities
// to expand or to fetch. A Social Security number is dropped while the file is read: nothing here holds it.
package mismo

import (
	"io"
	"regexp"
	"slices"
	"strings"
)

// MaxSize is the largest file that is read, in bytes, also after unpacking. A file with several borrowers has about
// 300 KB.
const MaxSize = 10 << 20

// namespace is the namespace of MISMO 3.0 and later.
const namespace = "http://www.mismo.org/residential/2009/schemas"

// RefusedError is why a file was not read. Its sentence is for the user and has nothing of the file in it.
type RefusedError struct{ Sentence string }

func (e *RefusedError) Error() string { return e.Sentence }

// Read reads a loan file. Every error of the file itself is a *RefusedError.
func Read(from io.Reader) (File, error) {
	raw, err := readAll(from)
	if err != nil {
		return File{}, err
	}
	root, encoding, err := readDocument(raw)
	if err != nil {
		return File{}, err
	}
	d, err := dealOf(root)
	if err != nil {
		return File{}, err
	}
	f := d.read()
	f.Version, f.Encoding = versionOf(root), encoding
	return f, nil
}

// readDocument reads the tree of a document, and the encoding of its text.
func readDocument(raw []byte) (*element, string, error) {
	raw, err := unpack(raw)
	if err != nil {
		return nil, "", err
	}
	if strings.HasPrefix(string(raw[:min(len(raw), 8)]), "%PDF") {
		return nil, "", errPDF
	}
	text, encoding, err := decode(raw)
	if err != nil {
		return nil, "", err
	}
	if err := recognize(text); err != nil {
		return nil, "", err
	}
	if err := scanTags(text); err != nil {
		return nil, "", err
	}
	if text, err = clean(text); err != nil {
		return nil, "", err
	}
	root, err := parse(text, encoding)
	return root, encoding, err
}

// deal is one loan of the file while it is read.
type deal struct {
	root       *element
	element    *element
	borrowers  []*element              // PARTY
	subjects   []*element              // SUBJECT_PROPERTY
	properties []Property              // of the subjects
	links      map[*element][]*element // the relationships, in both directions
	loose      map[*element]bool       // elements related to something missing from the file
	ties       map[*element]tie        // of assets to the properties
	taken      map[*element]bool       // the LIABILITY, LOAN and ASSET elements that became rows
	unusable   []Unusable
}

// dealOf finds the loan of a document: the first one with a borrower.
func dealOf(root *element) (*deal, error) {
	if isMISMO2(root) {
		return nil, errMISMO2
	}
	var deals []*element
	for _, set := range root.all("DEAL_SETS", "DOCUMENT_SETS") { // before the copies that documents have
		deals = append(deals, set.all("DEAL")...)
	}
	if len(deals) == 0 {
		deals = root.all("DEAL")
	}
	if len(deals) == 0 {
		if root.name == "DEAL" {
			deals = []*element{root}
		} else if root.name == "MESSAGE" || len(root.all("MESSAGE")) > 0 {
			return nil, errNoLoan
		} else {
			return nil, errOtherRoot
		}
	}
	at := slices.IndexFunc(deals, func(e *element) bool { return len(borrowersOf(e)) > 0 })
	if at < 0 {
		return nil, errNoBorrower
	}
	return &deal{root: root, element: deals[at], borrowers: borrowersOf(deals[at])}, nil
}

// read takes what the file says.
func (d *deal) read() File {
	d.readLinks()
	d.ties, d.taken = map[*element]tie{}, map[*element]bool{}
	d.readProperties()
	var f File
	f.LoanNumber = d.readLoanNumber()
	for _, party := range d.borrowers {
		f.Borrowers = append(f.Borrowers, d.readBorrower(party))
	}
	f.Applicant, f.ApplicantBy = chooseApplicant(f.Borrowers)
	f.Properties = d.properties
	f.Title = d.readTitle()
	f.Liens = d.readLiens()
	f.Assets = d.readAssets()
	f.Requested = d.readRequested()
	f.Unused = d.unused() // also lists what cannot be read in the rest
	f.Unusable = d.unusable
	return f
}

// isMISMO2 reports whether a document is of the older standard, whose structure is another.
func isMISMO2(root *element) bool {
	return slices.Contains([]string{"LOAN_APPLICATION", "REQUEST_GROUP", "LOAN_PUBLISHING"},
		strings.TrimPrefix(root.name, foreign)) ||
		strings.HasPrefix(root.marked().version, "2.") && len(root.all("DEAL")) == 0
}

var versionNumber = regexp.MustCompile(`\d\.\d+`)

// versionOf returns the version that a document names, "3.4" of "3.4.032420160128"; "" if it names none.
func versionOf(root *element) string {
	message := root
	if root.name != "MESSAGE" {
		if all := root.all("MESSAGE"); len(all) > 0 {
			message = all[0]
		}
	}
	if version := versionNumber.FindString(message.marked().version); version != "" {
		return version
	}
	for _, about := range message.path("ABOUT_VERSIONS").each("ABOUT_VERSION") {
		for _, name := range []string{"DataVersionName", "DataVersionIdentifier"} {
			text := about.peek(name)
			if version := versionNumber.FindString(text); version != "" && strings.HasPrefix(text, "MISMO") {
				return version
			}
		}
	}
	return ""
}
