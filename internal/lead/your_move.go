package lead

import "hearthline/internal/heloc"

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

// MoveCounts counts leads whose move is the originator's, up to CountLimit each.
type MoveCounts struct {
	Today   int `db:"today"` // all of them
	Overdue int `db:"overdue"`
}
