package lead

import "hearthline/internal/heloc"

// JobKind is the kind of a job.
type JobKind string

// JobReassign reassigns many leads.
const JobReassign JobKind = "reassign"

// JobUndo undoes a JobReassign.
const JobUndo JobKind = "undo"

// JobDeparture reassigns the leads of a user whose account was closed.
const JobDeparture JobKind = "departure"

// JobRule assigns unassigned leads by the rules that a manager has set for the company.
const JobRule JobKind = "rule"

// Job is background work on behalf of a user.
type Job struct {
	ID         string             `db:"id"`
	Kind       JobKind            `db:"kind"`
	ActorID    string             `db:"actor_id"`
	Company    string             `db:"company"` // the company of the user who started it, at that time
	Target     heloc.OriginatorID `db:"target"`  // of all rows; empty when each row has its own
	Sealed     []byte             `db:"sealed"`  // the job's parameters
	CreatedAt  int64              `db:"created_at"`
	EndedAt    int64              `db:"ended_at"`
	LeaseOwner string             `db:"lease_owner"`
	LeaseUntil int64              `db:"lease_until"`
}

// JobRowState is the progress of one lead of a job.
type JobRowState string

// The states of a row. The result of a row that was sent is the outcome of its operation.
const (
	JobRowWaiting JobRowState = "waiting"
	JobRowSent    JobRowState = "sent"
	JobRowStopped JobRowState = "stopped" // nothing was sent; Reason says why
)

// JobRow is one lead of a job. Verdict is the state of its operation, or empty without one.
type JobRow struct {
	JobID      string      `db:"job_id"`
	N          int         `db:"n"`
	App        heloc.AppID `db:"app"`
	ShortID    string      `db:"short_id"`
	State      JobRowState `db:"state"`
	SignedOpID string      `db:"signed_op_id"`
	OpID       string      `db:"op_id"`
	Reason     string      `db:"reason"` // the portal's own text, never borrower data
	// Target is the new originator. When a row is read, it is the job's Target unless the row has its own; empty for a
	// lead that nobody was to get.
	Target heloc.OriginatorID `db:"target"`
	Undoes string             `db:"undoes"` // the operation that a row of a JobUndo reverses

	Verdict    OpState            `db:"verdict"`
	Messages   string             `db:"messages"` // the lender's messages, sealed
	AnsweredAt int64              `db:"answered_at"`
	Originator heloc.OriginatorID `db:"originator"` // the lead's originator according to the lender's last answer
}
