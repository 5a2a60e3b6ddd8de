package team

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// OutView proposes who works on the open leads of somebody who is out.
type OutView struct {
	Page       ui.Page
	Originator string
	Title      string // "Marcus Reyes is out"
	Name       string
	First      string   // "Marcus"
	Facts      []string // "12 open", "7 states"
	Overdue    string   // "5 overdue"; "" for none
	Key        string   // of the form
	Request    string   // what the proposal was made for
	Outcome    string   // what it says
	Cover      bool     // a deputy is chosen instead of the split
	SplitTitle string   // "Split 12 leads by license"
	SplitSub   string
	CoverTitle string // "Olivia Bennett covers"
	CoverSub   string
	Absence    string // the form of an absence, where any colleague can be chosen; "" if nobody can be absent
	Deputy     string // the user who covers; "" if nobody can
	Rows       []OutRow
	Loads      []OutLoad
	CapText    string // "cap 25 a person"
	LeftOut    string // "Tom Okafor (29 of 25), Kira Eriksen (no license on file in these states)"; "" for nobody
	BackAt     string // "Tue, Nov 24 8:00 AM"; "" if the leads stay
	Sentence   string // "12 leads until Tue, Nov 24: 4 to Olivia Bennett, 4 to Uma Castillo, 4 to Grace Liu"
	Hint       string // "0 without a license on file, 0 without an account. …"
	Button     string // "Split 12 leads"; "" if there is nothing to split
	TooMany    string
	Returns    string // when leads that others have go back; "" if none do
	Form       ui.Form
}

// OutRow is one lead of the proposal.
type OutRow struct {
	App     string
	Name    string
	ShortID string
	Place   string
	Step    string
	Timing  text.RelativeTime
	Late    bool
	Mine    bool
	Choices []ui.Option // none if nobody gets it
	Why     string      // or why nobody does
}

// OutLoad is what somebody who is in would have.
type OutLoad struct {
	Initials, Name, Licenses string
	Gets                     string // "+4"
	Text                     string // "11 → 15 of 25"
	Cap, Open, New           int
}

// previewHx fetches the proposal again after a change.
func (v OutView) previewHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{
		Post: to.TeamOut(v.Originator), Trigger: "change", Target: "#out", Include: "#form-out",
		SyncSelector: "#form-out", SkipValidation: true,
	}.Attrs(ctx)
}

// ReturnView is what became of the leads of somebody who is back.
type ReturnView struct {
	Page     ui.Page
	ID, Key  string
	Title    string // "Marcus Reyes is back"
	When     string // "Today 8:00 AM"
	First    string // "Marcus"
	Note     ui.Notice
	Question string // "Who keeps these 3?"
	Asked    []AskedRow
	Others   []StayedRow // leads that stay, each with why
	Button   string      // "Save 3 choices"
}

// AskedRow is one lead about which a manager chooses.
type AskedRow struct {
	App, Name, ShortID, Place, Step string
	Href                            string
	Done                            string // "Uma Castillo: called the borrower, Nov 20"
	Back                            string // "Back to Marcus"; "" if it cannot go back, and Done says why
	Keep                            string // "Uma keeps it"
	BackFirst                       bool   // going back is chosen
}

// StayedRow is a lead that stays.
type StayedRow struct{ Name, ShortID, Href, Why string }
