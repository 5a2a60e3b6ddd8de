package lead

import (
	"maps"
	"strconv"
	"strings"
)

// ImportReport says what was taken from a loan file, and what was not. It contains no values of the file, and is
// stored with the draft until the user closes it.
type ImportReport struct {
	Sections    []string // sections of the form that have values of the file: "property", "borrower", "income", "liens"
	Liens       int
	Unusable    []string // controls that do not accept the value in the file
	Reasons     []string // why, in the same order: "“%” can’t be used"; "" for no particular character
	Unused      []string // groups of values that the form does not ask for: "Assets (4 accounts)"
	SavedBefore bool     // the open form had entries, which are saved as their own draft
}

// The keys under which a report is stored with a draft's values. No control has such a name, so no form can set them.
const (
	importPrefix      = "import."
	importSections    = importPrefix + "sections"
	importLiens       = importPrefix + "liens"
	importUnusable    = importPrefix + "unusable"
	importReasons     = importPrefix + "reasons"
	importUnused      = importPrefix + "unused"
	importSavedBefore = importPrefix + "savedBefore"
)

// With adds the report to a draft's values. A nil report adds nothing.
func (r *ImportReport) With(values FormValues) FormValues {
	if r == nil {
		return values
	}
	values[importSections], values[importUnusable], values[importReasons], values[importUnused] = r.Sections, r.Unusable,
		r.Reasons, r.Unused
	values[importLiens], values[importSavedBefore] = []string{strconv.Itoa(r.Liens)},
		[]string{strconv.FormatBool(r.SavedBefore)}
	return values
}

// WithoutImportReport separates the report of an import from a draft's values; nil for none.
func WithoutImportReport(values FormValues) (FormValues, *ImportReport, error) {
	if values[importLiens] == nil {
		return values, nil, nil
	}
	liens, err := strconv.Atoi(values.Value(importLiens))
	report := &ImportReport{
		Sections: values[importSections], Liens: liens, Unusable: values[importUnusable], Reasons: values[importReasons],
		Unused:      values[importUnused],
		SavedBefore: values.Value(importSavedBefore) == "true",
	}
	maps.DeleteFunc(values, func(name string, _ []string) bool { return strings.HasPrefix(name, importPrefix) })
	return values, report, err
}
