package intake

import (
	"strconv"

	"hearthline/views/ui"
)

// ImportReviewView shows what a loan file says beside what goes into a draft.
type ImportReviewView struct {
	Page        ui.Page
	ID          string
	Form        ui.Form
	Meta        []string // "1003.xml", "MISMO 3.4, 48 KB, UTF-8"
	LoanNumber  string   // the LOS's
	Until       string   // when the review is deleted, "11:42 AM"
	SavedBefore bool     // the open form had entries, which are saved as their own draft
	Applicant   ImportChoiceView
	Property    ImportChoiceView
	Missing     string // what we couldn't find in the file
	Sections    []ImportSectionView
	Unusable    []ImportUnusableView
	Unused      []ui.Fact // "Assets (4 accounts)", "CheckingAccount 8214.10"
	UnusedText  string    // "31 values"
}

// ImportChoiceView asks which borrower applies, or which property it is.
type ImportChoiceView struct {
	Name    string // "applicant"
	Title   string
	Count   string // "2 borrowers in the file"
	Note    string
	Options []ui.Option // without any, nothing is asked
	Error   string
}

// ImportSectionView is one section of the review, with a panel for each borrower or property.
type ImportSectionView struct {
	ID     string
	Label  string
	Panels []ImportPanelView
}

// ImportPanelView is one table.
type ImportPanelView struct {
	ID    string
	Title string
	Sub   string
	Fold  string // the class that folds it with its borrower or property; "" for none
	Rows  []ImportRowView
	Sums  []ImportSumView
}

// ImportRowView is one row.
type ImportRowView struct {
	Key               string
	Label, Note       string
	Says, Also, Place string
	Draft, Why        string
	Usable, Checked   bool
	ChoiceName        string // the name of a select; "" for none
	Control, Cents    string // what the amount of the row adds to, and how much; for the page's script
	Options           []ui.Option
}

// ImportSumView is what the checked rows add to one control.
type ImportSumView struct{ Control, Label, Amount string }

// ImportUnusableView is a value that the form cannot take.
type ImportUnusableView struct {
	Fold                       string // the class that folds it with its borrower; "" for none
	Label, Says, Place, Reason string
}

// ImportFold returns the class of what belongs to one option of a choice. A style sheet hides it unless that option is
// chosen.
func ImportFold(choice string, of int) string {
	return "of-" + choice + " of-" + choice + "-" + strconv.Itoa(of)
}

// optionID is the id of a radio button.
func (c ImportChoiceView) optionID(i int) string { return c.Name + "-" + strconv.Itoa(i) }
