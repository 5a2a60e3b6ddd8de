package lead

import (
	"time"

	"hearthline/internal/heloc"
)

// UsualStay is how long the leads of a company stay at a step.
type UsualStay struct {
	Usual   time.Duration // the median of the company's last leads that left the step, or else the time after which a move is due
	Records int           // how many leads Usual is the median of; 0 when there are too few, and Usual is the due time
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
