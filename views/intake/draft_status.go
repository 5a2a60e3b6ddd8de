package intake

import (
	"cmp"
	"strings"
)

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
