package lead

import (
	"slices"
	"time"

	"hearthline/internal/heloc"
)

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
