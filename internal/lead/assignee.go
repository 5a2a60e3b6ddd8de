package lead

import (
	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// AssigneeControl is the control with the new originator of a lead, which field errors name.
const AssigneeControl = "newLoanOriginatorUuid"

// Why an originator cannot take a lead.
const (
	ProblemUnlicensed = "This originator isn’t licensed in the property’s state"
	ProblemNoLicense  = "No license on file in the property’s state"
	// nobody could work on it
	ProblemClosedAccount = "This originator’s account is disabled or has a role that can’t work on leads"
)

// AssigneeError is an error at the control with the new originator.
func AssigneeError(why string) error {
	return fault.InvalidFields(fault.Field{Name: AssigneeControl, Message: why})
}

// AssigneeProblem explains why an originator cannot take a lead; empty when they can.
func AssigneeProblem(row Row, o Originator) string {
	switch {
	case o.UUID == row.Originator:
		return "This originator already has the lead"
	case o.BrokerID != row.BrokerID() || row.Organization != "" && o.Organization != row.Organization:
		return "Choose an originator at the same broker company"
	case o.RemovedAt != 0:
		return "This originator is no longer in the lender’s directory"
	default:
		return ""
	}
}

// Assignee is a colleague who can take leads. Only a colleague with an account can take drafts too.
type Assignee struct {
	Originator
	UserID string
}

// AssigneeOf returns an originator with the account that can take drafts; false if all of their accounts are closed or
// cannot work on leads.
func AssigneeOf(o Originator, users []access.User) (t Assignee, can bool) {
	t, can = Assignee{Originator: o}, true
	for _, u := range users {
		if u.OriginatorUUID != string(o.UUID) {
			continue
		}
		if can = !u.Disabled && u.Can(access.ActOnLead); can {
			t.UserID = u.UserID
			break
		}
	}
	return t, can
}
