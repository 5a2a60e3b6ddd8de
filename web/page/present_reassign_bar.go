package page

import (
	"strconv"

	"hearthline/internal/lead"
	view "hearthline/views/page"
	"hearthline/views/to"
)

// PresentReassignBar maps the bar for the selected rows of a list. matching counts the leads on all of its pages, up to
// one more than can be reassigned together; 0 when all of them are on this page, which has this many rows.
func PresentReassignBar(q to.LeadsQuery, matching, rows int) view.ReassignBarView {
	bar := view.ReassignBarView{Button: "Reassign…"}
	switch limit := strconv.Itoa(lead.MaxBulkLeads); {
	case matching > lead.MaxBulkLeads:
		bar.TooMany = "More than " + limit + " match. You can reassign up to " + limit + " at a time."
	case matching > 0:
		bar.Matching, bar.List, bar.Rows = "All "+strconv.Itoa(matching)+" that match", q.Encode(), strconv.Itoa(rows)
	}
	return bar
}
