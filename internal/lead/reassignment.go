package lead

import (
	"time"

	"hearthline/internal/heloc"
)

// Reassignment is the reassignment of one lead from one originator to another. State and the times are those
// of its operation, because only the journal decides the outcome.
type Reassignment struct {
	OpID           string             `db:"op_id"`
	App            heloc.AppID        `db:"app"`
	ActorID        string             `db:"actor_id"`
	ActorName      string             `db:"actor_name"`
	FromOriginator heloc.OriginatorID `db:"from_originator"`
	ToOriginator   heloc.OriginatorID `db:"to_originator"`
	Undoes         string             `db:"undoes"` // the operation that it reverses
	JobID          string             `db:"job_id"` // the job of a bulk reassignment
	Sealed         []byte             `db:"sealed"` // the summary note
	At             int64              `db:"at"`

	State      OpState `db:"state"`
	AnsweredAt int64   `db:"answered_at"`
	SettledAt  int64   `db:"settled_at"`
}

// DoneAt returns when the portal learned that the lender accepted it; 0 before.
func (r Reassignment) DoneAt() int64 {
	switch r.State {
	case OpSucceeded:
		return r.AnsweredAt
	case OpConfirmed:
		return r.SettledAt
	default:
		return 0
	}
}

// RecentReassignments is how long users are shown what they have reassigned.
const RecentReassignments = 7 * 24 * time.Hour
