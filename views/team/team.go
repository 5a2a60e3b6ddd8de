package team

import (
	"time"

	"hearthline/views/to"
	"hearthline/views/ui"
)

// View is the manager's home page: the company's originators with their leads.
type View struct {
	Page   ui.Page
	Facts  []CountLink // "80 open", "16 overdue", "3 unassigned"
	Lanes  []string    // the names of the open lanes, in the order of the counts
	Rows   []MemberRow // unassigned leads first
	Total  MemberRow
	Others string // "15 more originators have no open leads and no active account."; "" for none
	Invite bool   // the user may invite people
	// Settings: the user may change the company's settings
	Settings bool
	Company  string
}

// CountLink is a number that links to the leads that it counts.
type CountLink struct {
	Text  string
	Label string // for screen readers, "Olivia Bennett, Today: 5"
	Href  string // "" if there is nothing to list
	Late  bool
}

// MemberRow is one originator with their leads, the unassigned leads, or the total.
type MemberRow struct {
	ID        string // of the row
	Name      string
	Sub       string // "NMLS 1847220"
	Initials  string
	Href      string // the open leads
	Urgent    bool   // somebody must act: unassigned leads
	Open      CountLink
	Seen      string // "Today 9:41 AM", "Never signed in", "No account"
	SeenKnown bool   // Seen is a time
	Absent    AvailabilityView
	Lanes     []CountLink
	Overdue   CountLink
	Due       DueLead
	States    []string // the first licensed states, short
	More      string   // "+6": how many others there are
	AllState  string   // all of them, for screen readers
	Assign    string   // "Assign 3…", "Reassign 12…"; "" for none
	AssignURL string
	Out       string // URL of the proposal for their leads while they are out; "" for none
}

// AvailabilityView says whether an originator is absent, with a link to enter or change it.
type AvailabilityView struct {
	Text   string // "Absent through Nov 26, 2026"; "" if they are not
	Cover  string // "covered by Marcus Reyes", "not covered"
	Late   bool   // nobody covers
	Href   string // of the absence, or to enter one; "" for neither
	Action string // "Enter absence"; "" with Text
	Of     string // for screen readers after Action, " of Olivia Bennett"
}

// DueLead is the lead that is due first.
type DueLead struct {
	Name string // "" for none
	Href string
	Step string // "Verify liens"
	When string // "due 2 hr ago"
	Late bool
}

// StuckView is the list of the leads that have been at their step for too long.
type StuckView struct {
	Page    ui.Page
	Query   to.StuckQuery
	Summary string // "12 stuck"
	Notice  ui.Notice
	Groups  []StuckGroupRow
	Heading string // of the list: "All stuck leads", "Verify liens, Olivia Bennett"
	Rows    []StuckRow
	Pager   ui.PagerView
}

// StuckGroupRow is the stuck leads of one originator at one step.
type StuckGroupRow struct {
	Step    string
	Usual   string // "usually 1 day, by the last 34 leads"
	Name    string // of the originator
	Count   CountLink
	Oldest  string // "oldest 9 days"
	Current bool   // the list shows this group
}

// StuckRow is one stuck lead with what was tried.
type StuckRow struct {
	App     string // for the row's id, and for the form
	Href    string
	Name    string
	ShortID string
	Chip    ui.ChipView
	Stayed  string // "9 days"
	Usual   string // "usually 1 day"
	Owner   string
	Tried   []string // "Called yesterday 5:40 PM", "2 notes"; empty if nothing is on record
	Nudged  string   // "Asked to follow up today 10:30 AM by Maya Lindqvist"; "" for not asked
	Nudge   string   // label for screen readers of the button, "Ask Tom Okafor to follow up on Elena Rivera"; "" for none
	Instead string   // what to do if nobody can be asked
	Assign  string   // URL to assign an unassigned lead; "" for none
}

// asTypedDate shows a date that a browser's date control cannot show, as it was typed.
func asTypedDate(f ui.Field) ui.Field {
	if _, err := time.Parse(time.DateOnly, f.Value); f.Value != "" && err != nil {
		f.Type = ""
	}
	return f
}
