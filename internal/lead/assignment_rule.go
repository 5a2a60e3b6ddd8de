package lead

import (
	"strings"

	"hearthline/internal/heloc"
)

// AssignmentRules say how the unassigned leads of a company are assigned automatically. They act in the name of the
// manager who set them. The zero value is off.
type AssignmentRules struct {
	Company     string          `db:"company"`
	Active      bool            `db:"active"`
	OpenLimit   int             `db:"open_limit"` // open leads per person; 0 for no limit
	SetBy       string          `db:"set_by"`
	SetAt       int64           `db:"set_at"`
	PausedAt    int64           `db:"paused_at"`
	PausedBy    string          `db:"paused_by"`    // empty when the portal paused them
	PauseReason RulePauseReason `db:"pause_reason"` // why the portal paused them
	ScanAfter   string          `db:"scan_after"`   // where the next run continues in a long queue
	People      []string        `db:"-"`            // the users who take part
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
	// those whose turn was earlier, and those who would have gone first by a license; all, when nobody gets the lead
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
