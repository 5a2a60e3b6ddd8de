package lead

import (
	"reflect"
	"slices"
	"time"

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

// InToday reports whether the list is Today in its own order, filtered by nothing but an originator.
func (q Query) InToday() bool {
	rest := q
	rest.YourMove = false
	return q.YourMove && q.Lane == "" && rest.ByOriginatorOnly() && (q.Sort == "" || q.Sort == SortDue)
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

// PipelineRow is one lead of a list.
type PipelineRow struct {
	*Row
	Name       heloc.Name
	Masked     bool   // for users that only a CRM vouches for: shows only the step and whose move it is
	Originator string // the originator's name, for users who see more than their own leads
	AsDeputy   bool   // the user sees the lead because they cover for its originator
	Unseen     Unseen
	Unknown    bool       // the outcome of a write is unknown
	Today      TodayEntry // its place, in Today
}

// Unseen is what happened to a lead since this user last viewed it, for its row in a list.
type Unseen struct {
	Condition bool
	Wire      string // as store.Lead.WireStatus; empty when no wire transfer has failed since
}

// The one rule for whose move it is and whether it is overdue. The amber label of a lead in a list, Today, the
// overdue leads and every count of them use it: rows by the methods, queries by the conditions. A test of the store
// compares the two.

// YourMoveCondition is YourMove as an SQL condition, and OverdueCondition is Overdue, with the instant as its argument.
const (
	YourMoveCondition = "whose_move = 'you'"
	OverdueCondition  = YourMoveCondition + " AND due_sort < ?"
)

// YourMove reports whether the lead's originator has to do something now, which includes following up. That does not
// depend on the lane.
func (r *Row) YourMove() bool { return r.WhoseMove == heloc.MoverYou }

// Overdue reports whether the originator's move is past due at an instant in milliseconds.
func (r *Row) Overdue(now int64) bool { return r.YourMove() && r.DueSort < now }

// ListCounts counts leads by lane, and those whose move is the originator's, up to CountLimit each.
type ListCounts struct {
	Lanes map[heloc.Lane]int
	MoveCounts
}

// MoveCounts counts leads in Today, up to CountLimit each. A team's counts include only leads whose move is the
// originator's; the other reasons concern only the originator.
type MoveCounts struct {
	Today   int `db:"today"`
	Overdue int `db:"overdue"` // whose move is the originator's, and past due
}

// A lead is stuck when it has been at its step for longer than stuckFactor times the usual stay, but never before its
// move is due, nor before minStuck has passed.
const (
	stuckFactor = 3
	minStuck    = 15 * time.Minute

	MaxStays = 100 // the last leads of the company from which a usual stay is computed
	minStays = 8   // with fewer, the due time of the step counts
)

// CountedStep returns the step under which a step is counted: an empty step counts as UNKNOWN, because the lender is
// working at both.
func CountedStep(s heloc.Step) heloc.Step {
	if s == "" {
		return heloc.StepUnknown
	}
	return s
}

// UsualStayOf returns how long leads usually stay at a step, from the stays of the last ones in milliseconds.
func UsualStayOf(step heloc.Step, stays []int64) UsualStay {
	if len(stays) < minStays {
		due, _ := step.MoveWithin()
		return UsualStay{Usual: due}
	}
	sorted := slices.Sorted(slices.Values(stays))
	return UsualStay{Usual: time.Duration(sorted[(len(sorted)-1)/2]) * time.Millisecond, Records: len(sorted)}
}

// StuckStepOf returns how long a lead can be at a step before it is stuck. It returns false if leads cannot be stuck
// there: there are neither past stays nor a due time, or the inquiry is complete and waits for nobody here.
func StuckStepOf(step heloc.Step, usual UsualStay) (StuckStep, bool) {
	if usual.Usual <= 0 || step == heloc.StepComplete {
		return StuckStep{}, false
	}
	due, _ := step.MoveWithin()
	return StuckStep{Step: step, UsualStay: usual, After: max(stuckFactor*usual.Usual, due, minStuck)}, true
}

// UsualStay is how long the leads of a company stay at a step.
type UsualStay struct {
	// the median of the company's last leads that left the step, or else the time after which a move is due
	Usual   time.Duration
	Records int // how many leads Usual is the median of; 0 when there are too few, and Usual is the due time
}

// StuckStep is a step at which leads can be stuck, and after how long they are.
type StuckStep struct {
	Step heloc.Step
	UsualStay
	After time.Duration
}

// StuckCount counts the stuck leads of an originator at a step.
type StuckCount struct {
	Step       heloc.Step         `db:"step"`
	Originator heloc.OriginatorID `db:"originator"` // empty for unassigned leads
	Leads      int                `db:"leads"`
	Since      int64              `db:"since"` // of the lead that has been there for longest
}
