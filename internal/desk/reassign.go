package desk

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// confirmTimeout is how long a reassignment waits for the details that confirm it. If they come later, the lead's
// refresh moves it.
const confirmTimeout = 4 * time.Second

// ReassignRequest is a form that reassigns one lead.
type ReassignRequest struct {
	OperationID string
	Assignee    string // the new originator's uuid
	Note        string // is passed on to the new originator, encrypted
	JobID       string // of a bulk run

	forDeparture bool // the run is an administrator's, for a departed user
	byRule       bool // the run is that of assignment rules
}

// Assignees finds who can take this lead: the originators of its organization and broker company, except the current
// one. They are in the order of the targets of a bulk reassignment.
func (l *Lead) Assignees(ctx context.Context, typed string) (ReassignTargets, error) {
	if err := l.may(access.ReassignLead); err != nil {
		return ReassignTargets{}, err
	}
	facts, err := l.d.reassignFacts(ctx)
	if err != nil {
		return ReassignTargets{}, err
	}
	plan := ReassignPlan{Leads: []PlannedLead{{PipelineRow: PipelineRow{Row: &l.row}}}, facts: facts}
	eligible := func(o lead.Originator) bool { return assigneeProblem(l.row, o) == "" }
	return l.d.reassignTargets(ctx, targetSearch{typed: typed, limit: maxPeople, eligible: eligible}, plan)
}

// assigneeProblem explains why an originator cannot take a lead; empty when they can.
func assigneeProblem(row lead.Row, o lead.Originator) string {
	switch {
	case o.UUID == row.Originator:
		return "This originator already has the lead"
	case o.BrokerID != row.BrokerID || row.Organization != "" && o.Organization != row.Organization:
		return "Choose an originator at the same broker company"
	case o.RemovedAt != 0:
		return "This originator is no longer in the lender’s directory"
	default:
		return ""
	}
}

// Reassign moves the lead to another originator (section 4.7). It needs the permission, but not the new originator's
// consent. It reads the details again before it returns, so that the lead shows the lender's answer.
func (l *Lead) Reassign(ctx context.Context, h ReassignRequest) (lead.Operation, error) {
	if err := l.may(access.ReassignLead); err != nil {
		return lead.Operation{}, err
	}
	note, err := parseReassignNote(h.Note)
	if err != nil {
		return lead.Operation{}, err
	}
	to, err := heloc.ParseOriginatorID(h.Assignee)
	if err != nil {
		return lead.Operation{}, assigneeError("Choose an originator")
	}
	departure := ""
	if h.forDeparture {
		departure = h.JobID
	}
	op, err := l.submit(ctx, leadWrite{
		departureRun: departure,
		kind:         heloc.OpReassign, permission: access.ReassignLead, operationID: h.OperationID, digestContent: []string{string(to), note}, assignee: to,
		prepare: func(ctx context.Context, tx *store.Tx, id string) error {
			row, err := tx.Lead(ctx, l.d.Actor.Scope(), l.row.App)
			if err != nil {
				return err
			}
			if h.byRule {
				if err := l.d.checkRule(ctx, tx, row, to); err != nil {
					return err
				}
			}
			if err := checkAssignee(ctx, tx, row, to); err != nil {
				return err
			}
			return l.d.saveReassignment(ctx, tx, row, reassignmentWrite{assignee: to, note: note, jobID: h.JobID}, id)
		},
		send: func(ctx context.Context, _ heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.lender.Reassign(ctx, l.row.App, to)
		},
	})
	if err == nil && op.State == lead.OpSucceeded {
		l.d.confirmReassign(ctx, l.row.App, to)
	}
	return op, err
}

// checkAssignee refuses an originator outside the lead's organization and broker company, before the lender has to.
func checkAssignee(ctx context.Context, tx *store.Tx, row lead.Row, to heloc.OriginatorID) error {
	o, err := tx.Originator(ctx, to)
	if fault.Is(err, fault.NotFound) {
		return assigneeError("Choose an originator at the same broker company")
	}
	if err != nil {
		return err
	}
	if why := assigneeProblem(row, o); why != "" {
		return assigneeError(why)
	}
	if can, err := tx.CanWorkOnLeads(ctx, o.UUID); err != nil {
		return err
	} else if !can {
		return assigneeError(closedAccountMessage)
	}
	may, err := checkMayActIn(ctx, tx, o.UUID, row.State)
	if err == nil && !may {
		err = assigneeError(unlicensedMessage)
	}
	return err
}

// unlicensedMessage explains why an originator cannot take a lead with a property in a state where they may not act.
const unlicensedMessage = "This originator isn’t licensed in the property’s state"

// closedAccountMessage explains why an originator cannot take a lead that nobody could work on.
const closedAccountMessage = "This originator’s account is disabled or has a role that can’t work on leads"

func assigneeError(why string) error {
	return fault.InvalidFields(fault.Field{Name: AssigneeControl, Message: why})
}

// confirmReassign reads the details until they name the new originator, at most twice: the first reading may have
// begun before the lender received the reassignment.
func (d *Desk) confirmReassign(ctx context.Context, app heloc.AppID, to heloc.OriginatorID) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), confirmTimeout)
	defer stop()
	for range 2 {
		if d.refresher.Refresh(ctx, app) != nil {
			return // the lead's own refresh tries again
		}
		if row, err := d.store.AnyLead(ctx, app); err != nil || row.Originator == to {
			return
		}
	}
}

// Accessible reports whether this user can still access the lead.
func (l *Lead) Accessible(ctx context.Context) (bool, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return false, err
	}
	_, err := l.d.store.Lead(ctx, l.d.Actor.Scope(), l.row.App)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}
