package intake

import (
	"strconv"
	"strings"

	"hearthline/views/ui"
)

// ImportReportView says what was taken from a loan file, without a value of it.
type ImportReportView struct {
	Shown  bool
	Filled []string // ids of the sections that have values of the file: "property", "liens"
	Liens  int
	// labels of fields that do not accept the value in the file, "Phone", "Last name: “%” can’t be used"
	Unusable    []string
	Unused      []string // "Assets (4 accounts)"
	SavedBefore bool     // the form had entries, which are saved as their own draft
}

// filledText names the sections, "Filled in: property, borrower and 2 liens."
func (v ImportReportView) filledText() string {
	if len(v.Filled) == 0 {
		return "The file has nothing that this form asks for."
	}
	names := make([]string, len(v.Filled))
	for i, id := range v.Filled {
		switch names[i] = id; {
		case id != "liens":
		case v.Liens == 1:
			names[i] = "1 lien"
		default:
			names[i] = strconv.Itoa(v.Liens) + " liens"
		}
	}
	last := len(names) - 1
	if last == 0 {
		return "Filled in: " + names[0] + "."
	}
	return "Filled in: " + strings.Join(names[:last], ", ") + " and " + names[last] + "."
}

// importField is the control for the file. The page's script must not save a draft because a file was chosen, so the
// control is marked like a secret one.
func (v IntakeView) importField() ui.Field {
	return v.Form.Field(ui.Field{
		Name: "file", Secret: true, Span: "c6", Hint: "Up to 2 MB. Nothing is sent to the lender, and the file isn’t kept.",
	})
}
