// Package mismo reads the loan file that a loan origination system (LOS) exports: MISMO 3.4 XML, as ARIVE, LendingPad,
// Encompass and Calyx write it for Desktop Underwriter. It takes from it what the inquiry for a home equity line asks
// for, and names what it did not take, never with its value.
//
// A file comes from outside and is not trusted. Read limits its size, its depth, the number of its elements and the
// length of a tag, and it refuses every document type declaration, so that there are no entities to expand or to fetch.
// A Social Security number is dropped while the file is read: nothing here holds it.
package mismo

import (
	"io"
	"slices"

	"hearthline/internal/heloc"
)

// MaxSize is the largest file that is read, in bytes. A file with several borrowers has about 300 KB.
const MaxSize = 2 << 20

// namespace is the namespace of MISMO 3.0 and later.
const namespace = "http://www.mismo.org/residential/2009/schemas"

// File is what was taken from a loan file. Texts are as in the file, without surrounding whitespace; "" means that the
// file does not say.
type File struct {
	Borrower Borrower
	Property Property
	Income   Income
	Liens    []Lien // the mortgages and lines that the file ties to the property
	// Requested is the amount of the loan if it is a home equity line; nil for any other loan.
	Requested *heloc.Money
	Unused    []Unused // what else has a value in the file, by group; bounded
}

// Borrower is the first borrower.
type Borrower struct {
	First, Middle, Last, Suffix, Prefix string
	BirthDate                           string // yyyy-mm-dd
	Phone, Email                        string
	Home                                heloc.Address // the current residence
}

// Property is the subject property.
type Property struct {
	Address   heloc.Address
	Value     *heloc.Money
	Usage     heloc.PropertyType  // "" if the file does not say, or says something else
	Ownership heloc.OwnershipType // from the title holders; "" if there are none
}

// Income is the first borrower's income, in cents a year; nil for none.
type Income struct {
	SelfEmployed                                   bool // in the current or primary employment
	Gross, Other, Retirement, Investment, Business *heloc.Money
}

// Lien is a loan that the property secures.
type Lien struct {
	Holder  string
	Balance *heloc.Money
	Payment *heloc.Money // a month
}

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
	deals := root.all("DEAL")
	if len(deals) == 0 {
		return File{}, errNoLoan
	}
	d := deal{root: root, element: deals[0], subject: subjectOf(deals[0]), links: links(deals[0])}
	if d.borrower = firstBorrower(deals[0]); d.borrower == nil {
		return File{}, errNoBorrower
	}
	var f File
	f.Borrower = d.readBorrower()
	f.Property = d.readProperty()
	f.Income = d.readIncome()
	f.Liens = d.readLiens()
	f.Requested = d.readRequested()
	f.Unused = d.unused()
	return f, nil
}

// deal is one loan of the file while it is read.
type deal struct {
	root     *element
	element  *element
	subject  *element          // SUBJECT_PROPERTY; nil if there is none
	borrower *element          // the PARTY of the first borrower
	links    map[string][]link // by the label that they start from
	liens    map[*element]bool // the LIABILITY elements that were taken
	tied     map[string]bool   // the labels of the debts that the file ties to any property
}

// link is a relationship between two labeled elements.
type link struct{ role, to string }

// links reads the relationships of a deal.
func links(d *element) map[string][]link {
	all := map[string][]link{}
	for _, r := range d.path("RELATIONSHIPS").each("RELATIONSHIP") {
		if r.from != "" && r.to != "" {
			all[r.from] = append(all[r.from], link{r.role, r.to})
		}
	}
	return all
}

// firstBorrower returns the party of the borrower with the lowest sequence number; nil if there is none.
func firstBorrower(d *element) *element {
	var all []*element
	for _, p := range d.path("PARTIES").each("PARTY") {
		if borrowerRole(p) != nil {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return slices.MinFunc(all, func(a, b *element) int { return a.sequence - b.sequence })
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
