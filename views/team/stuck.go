package team

import (
	"hearthline/views/to"
	"hearthline/views/ui"
)

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
