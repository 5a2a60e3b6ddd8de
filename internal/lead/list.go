package lead

import (
	"reflect"

	"hearthline/internal/heloc"
)

// Sort is an order of the pipeline.
type Sort string

// The orders. Due is the default: earliest due time first.
const (
	SortDue     Sort = "due"
	SortOldest  Sort = "oldest"
	SortNewest  Sort = "newest"
	SortUpdated Sort = "updated"
	SortAmount  Sort = "amount"
	SortStarted Sort = "started" // the inquiry that started last first
)

// NoState is the State of a Query for leads whose state is not known.
const NoState = "NONE"

// Query selects one page of the pipeline. Empty fields do not filter.
type Query struct {
	Lane       heloc.Lane // empty is all
	YourMove   bool       // Today: only leads whose move is the originator's, in any lane
	StatusKey  heloc.StatusKey
	State      string // or NoState
	Cohort     CohortFilter
	Originator heloc.OriginatorID
	Unassigned bool  // only leads without an originator; Originator is ignored
	Only       Only  // open or overdue leads only
	Now        int64 // the instant at which leads are overdue, in milliseconds
	Sort       Sort
	After      string // the key of the last row of the previous page, as the list or the search returned it
	Limit      int    // store.PageSize when zero
}

// ByOriginatorOnly reports whether nothing but a lane and an originator filters the list.
func (q Query) ByOriginatorOnly() bool {
	rest := q
	rest.Lane, rest.Originator, rest.Now, rest.Sort, rest.After, rest.Limit = "", "", 0, "", "", 0
	return reflect.ValueOf(rest).IsZero()
}

// Only narrows a list across its lanes.
type Only string

// The ways to narrow a list. Empty does not narrow it.
const (
	OnlyOpen    Only = "open"    // leads that have not ended
	OnlyOverdue Only = "overdue" // leads whose originator's move is past due
)

// Passes reports whether a lead belongs to a list that is narrowed.
func (o Only) Passes(l Row, now int64) bool {
	switch o {
	case OnlyOpen:
		return l.Lane != heloc.LaneEnded
	case OnlyOverdue:
		return l.Overdue(now)
	default:
		return true
	}
}

// CountLimit is the number at which a tab's count stops.
const CountLimit = 1000
