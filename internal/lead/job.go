package lead

import (
	"strings"
	"time"

	"hearthline/internal/heloc"
)

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

// JobReturn gives leads back to an originator who was out and whose leads a JobReassign split. Its Target is that
// originator.
const JobReturn JobKind = "return"

// MaxBulkLeads is how many leads one bulk reassignment can have.
const MaxBulkLeads = 200

// JobLease is how long a process has a job after each of its rows: longer than one row can take, a write and two
// readings.
const JobLease = 90 * time.Second

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
	ReturnAt   int64              `db:"return_at"` // when its leads go back; 0 when they do not, or when that has begun
}

// JobRowState is the progress of one lead of a job.
type JobRowState string

// The states of a row. The result of a row that was sent is the outcome of its operation.
const (
	JobRowWaiting JobRowState = "waiting"
	JobRowSent    JobRowState = "sent"
	JobRowStopped JobRowState = "stopped" // nothing was sent; Reason says why
	JobRowAsked   JobRowState = "asked"   // of a JobReturn: a manager chooses who keeps the lead; Reason may say why
	JobRowKept    JobRowState = "kept"    // a manager chose that the lead stays
	JobRowBack    JobRowState = "back"    // a manager chose that the lead goes back, in a run of their own
)

// JobRow is one lead of a job. Verdict is the state of its operation, or empty without one.
type JobRow struct {
	JobID   string      `db:"job_id"`
	N       int         `db:"n"`
	App     heloc.AppID `db:"app"`
	ShortID string      `db:"short_id"`
	State   JobRowState `db:"state"`
	OpID    string      `db:"op_id"`
	Reason  string      `db:"reason"` // the portal's own text, never borrower data
	// Target is the new originator. When a row is read, it is the job's Target unless the row has its own; empty for a
	// lead that nobody was to get.
	Target heloc.OriginatorID `db:"target"`
	Undoes string             `db:"undoes"` // the operation that a row of a JobUndo or JobReturn reverses

	Verdict    OpState            `db:"verdict"`
	Messages   string             `db:"messages"` // the lender's messages, sealed
	AnsweredAt int64              `db:"answered_at"`
	Originator heloc.OriginatorID `db:"originator"` // the lead's originator according to the lender's last answer
}

// RowResult is the result for one lead of a run.
type RowResult string

// The results. Only the first three are still open.
const (
	RowWaiting    RowResult = "waiting"
	RowConfirming RowResult = "confirming" // the lender accepted it; the details do not name the new originator yet
	RowUnknown    RowResult = "unknown"
	RowMoved      RowResult = "moved"
	RowRejected   RowResult = "refused" // by the lender, whose messages are in Messages
	RowStopped    RowResult = "stopped" // by the portal, for Reason; nothing was sent
	RowNotSent    RowResult = "not-sent"
	RowUndone     RowResult = "taken-back"
	RowAsked      RowResult = "asked"  // a manager chooses who keeps the lead
	RowChosen     RowResult = "chosen" // a manager has
)

// Pending reports whether a row's result can still change without a user's action.
func (r RowResult) Pending() bool { return r == RowWaiting || r == RowConfirming || r == RowUnknown }

// Retryable reports whether a retry includes the row: nothing of it can have reached the lender.
func (r RowResult) Retryable() bool { return r == RowRejected || r == RowStopped || r == RowNotSent }

// ResultFor returns the result of a row that was to assign its lead to an originator.
func (j JobRow) ResultFor(to heloc.OriginatorID) RowResult {
	switch j.Verdict {
	case OpSucceeded, OpConfirmed:
		if j.Originator == to {
			return RowMoved
		}
		return RowConfirming
	case OpRejected:
		return RowRejected
	case OpNotSent, OpAbsent, OpAbandoned:
		return RowNotSent
	case OpUnknown:
		return RowUnknown
	}
	switch j.State {
	case JobRowStopped:
		return RowStopped
	case JobRowAsked:
		return RowAsked
	case JobRowKept, JobRowBack:
		return RowChosen
	default:
		return RowWaiting
	}
}

// Work is something that somebody has done on a lead since an operation reassigned it.
type Work struct {
	Reassignment string          `db:"reassignment"` // the operation
	Kind         EventKind       `db:"kind"`         // WorkExported for an export
	Operation    heloc.Operation `db:"operation"`    // that was sent to the lender
	Detail       string          `db:"detail"`       // of a contact: how
	Actor        string          `db:"actor"`        // by name
	At           int64           `db:"at"`
}

// WorkExported is the Kind of Work that downloaded documents or an offer sheet.
const WorkExported EventKind = "exported"

// DepartureRun is the progress of a bulk reassignment of leads.
type DepartureRun struct{ Total, Waiting, Sent, Stopped int }

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
	return map[OpState]int64{OpSucceeded: r.AnsweredAt, OpConfirmed: r.SettledAt}[r.State]
}

// RecentReassignments is how long users are shown what they have reassigned.
const RecentReassignments = 7 * 24 * time.Hour

// AssignmentRules say how the unassigned leads of a company are assigned automatically. They act in the name of the
// manager who set them. The zero value is off.
type AssignmentRules struct {
	Company     string           `db:"company"`
	Active      bool             `db:"active"`
	OpenLimit   int              `db:"open_limit"` // open leads per person; 0 for no limit
	SetBy       string           `db:"set_by"`
	SetAt       int64            `db:"set_at"`
	PausedAt    int64            `db:"paused_at"`
	PausedBy    string           `db:"paused_by"`    // empty when the portal paused them
	PauseReason RulePauseReason  `db:"pause_reason"` // why the portal paused them
	ScanAfter   string           `db:"scan_after"`   // where the next run continues in a long queue
	Rules       []AssignmentRule `db:"-"`            // the first one that fits a lead goes first
}

// Running reports whether the rules assign leads.
func (r AssignmentRules) Running() bool { return r.Active && r.PausedAt == 0 }

// RulePauseReason is why the portal paused the rules of a company.
type RulePauseReason string

// The reasons. Each is about the manager in whose name the rules act.
const (
	RulePauseAccount RulePauseReason = "account" // their account was disabled
	RulePauseRole    RulePauseReason = "role"    // their role does not allow it anymore
	RulePauseCompany RulePauseReason = "company" // they are at another company now
)

// RuleAssignment is one decision of the rules: to whom a lead is assigned, and why. The last fields are its result.
type RuleAssignment struct {
	ID         string             `db:"id"` // later decisions have greater ids
	Company    string             `db:"company"`
	App        heloc.AppID        `db:"app"`
	UserID     string             `db:"user_id"`
	Originator heloc.OriginatorID `db:"originator"`
	JobID      string             `db:"job_id"`
	N          int                `db:"n"` // of the job's row
	SetBy      string             `db:"set_by"`
	Why        string             `db:"why"` // a RuleChoice as JSON
	At         int64              `db:"at"`

	ShortID    string             `db:"short_id"`
	State      JobRowState        `db:"state"`
	OpID       string             `db:"op_id"`
	Reason     string             `db:"reason"`
	Verdict    OpState            `db:"verdict"`
	Messages   string             `db:"messages"` // the lender's messages, sealed
	AnsweredAt int64              `db:"answered_at"`
	Now        heloc.OriginatorID `db:"now"` // the lead's current originator
}

// RuleChoice is why a lead is assigned to somebody, or to nobody.
type RuleChoice struct {
	Rule string `json:"rule,omitempty"` // the id of the rule by which somebody gets it
	// those whose turn was earlier or whose rule goes before, and those who would have gone first by a license; all,
	// when nobody gets the lead
	Skipped    []RuleSkip `json:"skipped,omitempty"`
	More       int        `json:"more,omitempty"`       // how many others were skipped
	State      string     `json:"state,omitempty"`      // of the property
	Unlicensed bool       `json:"unlicensed,omitempty"` // no license of the chosen originator is on file in the state
}

// RuleSkip is somebody who takes part and does not get a lead.
type RuleSkip struct {
	UserID string         `json:"user"`
	Reason RuleSkipReason `json:"reason"`
	Until  heloc.Date     `json:"until,omitempty"` // the last day of an absence
	Open   int            `json:"open,omitempty"`  // open leads, at the limit
	// Licensed reports that a license is on file in the state, and the chosen originator has none there.
	Licensed bool `json:"licensed,omitempty"`
}

// RuleSkipReason is why somebody does not get a lead.
type RuleSkipReason string

// The reasons.
const (
	// no active account at the company, or not in the lender's directory there
	RuleSkipInactive   RuleSkipReason = "inactive"
	RuleSkipAbsent     RuleSkipReason = "absent"     // today
	RuleSkipMissing    RuleSkipReason = "unlicensed" // somebody has recorded that they may not act in the state
	RuleSkipNotOnFile  RuleSkipReason = "not-known"  // no license on file, and somebody else has one
	RuleSkipAtLimit    RuleSkipReason = "limit"
	RuleSkipOtherGroup RuleSkipReason = "company" // the lead belongs to another organization
)

// rulesActorSuffix ends the name under which rules act. A name is stored with each operation and event.
const rulesActorSuffix = "’s assignment rules"

// RulesActorName is the name under which the rules act that a user has set.
func RulesActorName(user string) string { return user + rulesActorSuffix }

// IsRulesActor reports whether a stored name is that of rules. The user id beside it is that of the manager who set
// them.
func IsRulesActor(name string) bool { return strings.HasSuffix(name, rulesActorSuffix) }
