// Package intake contains the screens for new inquiries: the form, drafts, the quick estimate, and the link for
// borrowers.
package intake

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// intakeSection is a link of the page's table of contents.
type intakeSection struct {
	id, label, note string
	done            bool
	entered         []string
}

func (s intakeSection) icon() string {
	if s.done {
		return "circle-check"
	}
	return "circle-dashed"
}

func (v IntakeView) sections() []intakeSection {
	all := []intakeSection{
		{id: "property", label: "Property"}, {id: "borrower", label: "Borrower"},
		{id: "income", label: "Income"}, {id: "liens", label: "Liens", note: "optional"},
		{id: "business", label: "Business", note: "optional"}, {id: "reference", label: "Reference", note: "optional"},
	}
	if v.CanSend {
		all = append(all, intakeSection{id: "consent", label: "Consent", note: "needed"},
			intakeSection{id: "ssn", label: "SSN", note: "optional"})
	}
	for i := range all {
		for _, d := range v.Progress.Done {
			if d == all[i].id {
				all[i].done, all[i].note = true, ""
			}
		}
		for _, e := range v.Progress.Entered {
			if e.Section == all[i].id {
				all[i].entered = e.Lines
			}
		}
		for _, n := range v.Progress.Needs {
			if n.Section == all[i].id {
				all[i].note = n.Text
			}
		}
	}
	return all
}

// hasContent reports whether an optional block has a value, so that it is not collapsed.
func (v IntakeView) hasContent(group string) bool { return hasContent(v.Form, group) }

func hasContent(f ui.Form, group string) bool {
	for _, t := range f.Values {
		if t.Value != "" && strings.HasPrefix(t.Name, group+".") {
			return true
		}
	}
	for _, w := range f.FieldErrors {
		if strings.HasPrefix(w.Name, group+".") {
			return true
		}
	}
	return false
}

// summaryForm is the form for the error summary, without what the duplicate notice already reports.
func (v IntakeView) summaryForm() ui.Form {
	f := v.Form
	f.FieldErrors = slices.DeleteFunc(slices.Clone(f.FieldErrors), func(w ui.FieldError) bool {
		return w.Name == "confirm.duplicate" && len(v.Duplicates) > 0
	})
	return f
}

// duplicateTitle does not claim that there is an inquiry when all that is known is that one was sent.
func (v IntakeView) duplicateTitle() string {
	if slices.ContainsFunc(v.Duplicates, func(d DuplicateRow) bool { return !d.Sent }) {
		return "There’s already an inquiry for this borrower and property."
	}
	return "An inquiry for this borrower and property was already sent. The lender may have received it."
}

// lostHint says what the user can do about a start whose outcome is unknown, before sending another one; empty if there
// is none.
func (v IntakeView) lostHint() string {
	if !slices.ContainsFunc(v.Duplicates, func(d DuplicateRow) bool { return d.Lost }) {
		return ""
	}
	return text.LostStartHint
}

// duplicateField confirms that a duplicate is intended.
func (v IntakeView) duplicateField() ui.Field {
	f := v.Form.Field(ui.Field{Name: "confirm.duplicate", Label: "Send anyway"})
	if f.Error != "" {
		f.Error = "Check this box to send a second inquiry."
		if slices.ContainsFunc(v.Duplicates, func(d DuplicateRow) bool { return !d.Sent && d.Href != "" }) {
			f.Error = "Check this box to send a second inquiry, or open the existing one."
		}
	}
	return f
}

// listedForSaleField is asked, never assumed.
func (v IntakeView) listedForSaleField() ui.Field {
	f := v.Form.Field(ui.Field{Name: "property.isListedForSale"})
	f.Options = ui.Choices(f.Value, [2]string{"false", "No"}, [2]string{"true", "Yes"})
	return f
}

// homeIsPropertyField is not checked on a new form, because only a primary residence can be the borrower's home. The
// page's script checks it when the user chooses that occupancy.
func (v IntakeView) homeIsPropertyField() ui.Field {
	const note = "Primary residence only. Otherwise, enter the home address."
	return v.Form.Field(ui.Field{Name: "homeIsProperty", Optional: note, Span: "c12"})
}

// incomeFields are the money fields, with monthly pay below annual pay.
func (v IntakeView) incomeFields() []ui.Field {
	all := page.IncomeFields(v.Form, "applicant.income", "")
	all[0].Hint = v.Progress.MonthlyGross
	return all
}

func (v IntakeView) testVariantField() ui.Field {
	pairs := make([][2]string, 0, len(v.Variants)+1)
	pairs = append(pairs, [2]string{"", "None"})
	for _, name := range v.Variants {
		pairs = append(pairs, [2]string{name, name})
	}
	return v.Form.SelectField(ui.Field{Name: "testVariantsRequest.variants.0.name"}, pairs)
}

// sourceControls say where the lead came from; the lender stores them with the inquiry.
var sourceControls = []string{"utmParameters.source", "utmParameters.medium", "utmParameters.campaign",
	"utmParameters.term", "utmParameters.content"}

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
		Name: "file", Secret: true, Span: "c6", Hint: "Up to 10 MB. Nothing is sent to the lender, and the file isn’t kept.",
	})
}

// licenseHx checks the state whenever the address changes; only the state is sent.
func licenseHx(ctx context.Context, base to.Base) templ.OrderedAttributes {
	return ui.Hx{Get: base.StateLicense(), Trigger: "change", Target: "#license",
		Include: `[name="property.address.state"]`}.Attrs(ctx)
}

// DraftStatus is what the page's script shows after it saved the draft: the same texts as on the page, for the values
// that were saved.
type DraftStatus struct {
	Saved       string          `json:"saved"`  // "Saved 10:42 AM"
	Needed      string          `json:"needed"` // "Still needed: consent"; "" for nothing
	Sections    []SectionStatus `json:"sections"`
	Problems    []DraftNote     `json:"problems"`    // entries that cannot be sent as they are
	Corrections []DraftNote     `json:"corrections"` // entries that are sent differently
	Hints       []DraftNote     `json:"hints"`       // texts that depend on an entry; "" for none
	Questions   []DraftNote     `json:"questions"`   // by the checkbox that answers them; the others are not asked
	Places      []DraftPlace    `json:"places"`
}

// DraftPlace is the city and state of an address's ZIP code.
type DraftPlace struct {
	Address string `json:"address"` // "property.address"
	City    string `json:"city"`
	State   string `json:"state"`
}

// SectionStatus is a link of the page's table of contents.
type SectionStatus struct {
	ID   string `json:"id"`
	Note string `json:"note"` // "2 missing"
	Done bool   `json:"done"`

	Entered string `json:"entered"` // the lines of what was entered
}

// DraftNote is a line below a control.
type DraftNote struct {
	Name string `json:"name"` // of the control
	Text string `json:"text"`
}

// Status returns what the script shows. The caller sets the places.
func (v IntakeView) Status() DraftStatus {
	p := v.Progress
	s := DraftStatus{
		Saved: v.SavedText, Needed: v.missingText(), Sections: []SectionStatus{},
		Problems: NotNil(p.Problems), Corrections: NotNil(p.Corrections),
		Questions: NotNil(p.Questions), Hints: []DraftNote{{"applicant.income.grossAnnualIncome", p.MonthlyGross}},
	}
	for _, section := range v.sections() {
		s.Sections = append(s.Sections, SectionStatus{section.id, section.note, section.done,
			strings.Join(section.entered, "\n")})
	}
	return s
}

// NotNil is the list as the script expects it, which has no null.
func NotNil[T DraftNote | DraftPlace](all []T) []T { return append([]T{}, all...) }

// savedText reports whether the draft is saved.
func (v IntakeView) savedText() string { return cmp.Or(v.SavedText, "Not saved yet") }

// missingText names the sections that still need something.
func (v IntakeView) missingText() string {
	if len(v.Progress.Missing) == 0 {
		return ""
	}
	return "Still needed: " + strings.Join(v.Progress.Missing, ", ")
}
