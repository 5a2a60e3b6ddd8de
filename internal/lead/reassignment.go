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

	// What the lead is now; empty when it no longer exists.
	ShortID        string             `db:"short_id"`
	LeadOriginator heloc.OriginatorID `db:"lead_originator"`
	LeadCompany    string             `db:"lead_company"`
	LatestOpID     string             `db:"latest_op_id"` // of its last reassignment that the lender may have accepted
	Undone         bool               `db:"undone"`       // this reassignment was undone, or may have been
}

// LeftBoth reports whether the lead is now with neither the former nor the new originator of this reassignment. Until
// the lender's details name the new originator, the lead is still with the former one.
func (r Reassignment) LeftBoth() bool {
	return r.LeadOriginator != r.ToOriginator && r.LeadOriginator != r.FromOriginator
}

// ReassignedAgain reports whether the lead may have been reassigned again since.
func (r Reassignment) ReassignedAgain() bool { return r.LatestOpID != "" && r.LatestOpID != r.OpID }

// MovedOn reports whether the lead is no longer where the reassignment left it. company is the company in which the
// reassignment was made.
func (r Reassignment) MovedOn(company string) bool {
	return r.LeadCompany != company || r.LeftBoth() || r.ReassignedAgain()
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
