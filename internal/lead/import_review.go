package lead

import (
	"maps"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
)

// ImportReview is a loan file as its user decides about it: what it says, row by row, and what each row would put into
// a draft. It never has an SSN.
type ImportReview struct {
	FileName, Version, Encoding string
	Size                        int64 // of the file, in bytes
	LoanNumber                  string
	SavedBefore                 bool // the open form had entries, which are saved as their own draft
	Applicants, Properties      ImportChoice
	Rows                        []ImportRow
	Unusable                    []ImportUnusable
	Unused                      []ImportUnused
}

// ImportChoice is which of several borrowers applies, or which of several properties secures the line.
type ImportChoice struct {
	Options []ImportOption
	Chosen  int // -1 if the file does not say
}

// ImportOption is one of them.
type ImportOption struct{ Label, Note string }

// ImportSection is a part of the review.
type ImportSection string

// The sections, in the order of the page.
const (
	ImportApplicant ImportSection = "applicant"
	ImportProperty  ImportSection = "property"
	ImportLiens     ImportSection = "liens"
	ImportIncome    ImportSection = "income"
	ImportAddresses ImportSection = "addresses"
	ImportReference ImportSection = "reference"
)

// AnyOption is the Of of a row that belongs to none of the options.
const AnyOption = -1

// ImportRow is a fact of the file and what it would put into the draft.
type ImportRow struct {
	Key         string // unique
	Section     ImportSection
	Of          int    // which borrower or property it belongs to, or AnyOption
	Group       string // of several rows with the same group, the first that is checked is used; "" for none
	Label, Note string
	Says        string // the file's own words
	Also        string // more of them that are not used
	Place       string // where they are in the file
	// Values are what it puts into the draft, by control, and Amounts what it adds to there. The controls of a lien have
	// no index. A row without any cannot be used.
	Values  FormValues
	Amounts map[string]heloc.Money
	Draft   string // how that reads
	Why     string // why it reads that way, or why it is not used
	Checked bool
	Choice  string // the control whose value the user chooses; Chosen is preselected
	Chosen  string
}

// Usable reports whether the user can check the row.
func (r ImportRow) Usable() bool { return len(r.Values)+len(r.Amounts) > 0 }

// ImportUnusable is a value of the file that the form cannot take.
type ImportUnusable struct {
	Of                         int // which borrower it belongs to, or AnyOption
	Label, Says, Place, Reason string
}

// ImportUnused is a group of values that the form does not ask for.
type ImportUnused struct {
	Label  string // "Assets (2 accounts)"
	Says   string // some of the file's words; "" where they could be sensitive
	Values int    // how many
}

// ImportSelection is what the user takes from a review.
type ImportSelection struct {
	Applicant, Property int             // indexes of options; negative for none
	Rows                map[string]bool // by key
	Choices             map[string]string
}

// Preselected is the selection of a user who has not changed anything.
func (r ImportReview) Preselected() ImportSelection {
	s := ImportSelection{Applicant: r.Applicants.Chosen, Property: r.Properties.Chosen, Rows: map[string]bool{},
		Choices: map[string]string{}}
	for _, row := range r.Rows {
		s.Rows[row.Key], s.Choices[row.Key] = row.Checked, row.Chosen
	}
	return s
}

// Includes reports whether a row belongs to the chosen applicant and property.
func (s ImportSelection) Includes(row ImportRow) bool {
	switch {
	case row.Of == AnyOption:
		return true
	case row.Section == ImportProperty || row.Section == ImportLiens:
		return row.Of == s.Property
	default:
		return row.Of == s.Applicant
	}
}

// Values returns what the selection puts into a draft.
func (r ImportReview) Values(s ImportSelection) FormValues {
	values, sums, used, liens := FormValues{}, map[string]heloc.Money{}, map[string]bool{}, 0
	for _, row := range r.Rows {
		if !s.Includes(row) {
			continue
		}
		if row.Choice != "" {
			if value, ok := ControlValue(row.Choice, s.Choices[row.Key], false); ok {
				values[row.Choice] = []string{value}
			}
			continue
		}
		if !s.Rows[row.Key] || row.Group != "" && used[row.Group] {
			continue
		}
		used[row.Group] = true
		if row.Section == ImportLiens {
			for part, value := range row.Values {
				values["property.liens."+strconv.Itoa(liens)+"."+part] = value
			}
			liens++
			continue
		}
		maps.Copy(values, row.Values)
		for control, amount := range row.Amounts {
			sums[control] += amount
		}
	}
	for control, sum := range sums {
		values[control] = []string{ImportAmount(sum)}
	}
	return values.Storable()
}

// Sums returns what the selected rows of an option add to each control, in the order of the rows; zero where none is
// selected.
func (r ImportReview) Sums(s ImportSelection, section ImportSection, of int) (controls []string,
	sums map[string]heloc.Money) {
	sums = map[string]heloc.Money{}
	for _, row := range r.Rows {
		if row.Section != section || row.Of != of {
			continue
		}
		for control, amount := range row.Amounts { // a row has one
			if _, known := sums[control]; !known {
				controls = append(controls, control)
				sums[control] = 0
			}
			if s.Rows[row.Key] {
				sums[control] += amount
			}
		}
	}
	return controls, sums
}

// ImportAmount writes an amount as the form does.
func ImportAmount(m heloc.Money) string { return strings.TrimSuffix(m.String(), ".00") }
