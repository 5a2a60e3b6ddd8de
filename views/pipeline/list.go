package pipeline

import (
	"hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// ListView is the list of leads with its navigation and filters.
type ListView struct {
	Page                  ui.Page
	Query                 to.LeadsQuery // the state of the list
	OpenText              string        // "14 open"
	TodayText             string        // "14 to do today"
	OverdueText           string        // "3 overdue", in any lane; "" for none
	OverdueURL            string
	Updated               string // "Last updated 10:41 AM"
	Drafts                string // "2 drafts"; "" for none
	UpdatesSince          UpdatesView
	Returned              ReturnedView
	RecentReassignments   RecentReassignmentsView
	CanReassign           bool // rows can be selected and reassigned together
	Reassign              page.ReassignBarView
	Lanes                 []ui.TabView
	Filters               []ui.Field       // selects: step, state, originator for managers, sort
	ShowOwners            bool             // whether the list has originators
	Columns               page.LeadColumns // of this list
	TypedID, TypedIDError string           // an application ID that could not be added, and why
	Chosen                page.LeadColumns // of all lists in this browser: a list without originators leaves them out
	Rows                  []page.LeadRow
	Today                 *TodayView   // instead of Rows, Filters and Empty
	Empty                 ui.EmptyView // shown when there are no rows
	Pager                 ui.PagerView
	CanNew                bool
	CanAdd                bool
	HasDates              bool        // upcoming dates follow the list
	Notices               []ui.Notice // below the heading
	CSVURL                string      // URL; "" if this user may not export the list
	Views                 ViewsMenu
	Cohort                string // the filters that came from a report, in words; "" for none
}

// CanChooseColumns reports whether the user can choose columns and row height. A browser stores that choice in a
// cookie, which the frame of a CRM has no access to.
func (v ListView) CanChooseColumns() bool { return !v.Page.Base.Embedded() }

func (v ListView) hasRows() bool {
	return len(v.Rows) > 0 || v.Today != nil && len(v.Today.Sections) > 0
}

// UpdatesView is what happened since the user's last visit.
type UpdatesView struct {
	When       string // "Since yesterday 5:40 PM:"; "" displays nothing
	Items      []ui.NavLink
	DismissURL string // URL of the post that dismisses it; "" for none
}
