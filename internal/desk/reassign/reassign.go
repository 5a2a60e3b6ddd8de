// Package reassign has the handles that give leads to other originators: one lead, many at once, and by rules.
//
//	reassign.go, note.go, undo.go  one lead, what goes with it, and undoing it or a whole run
//	bulk.go, plan.go, split.go, targets.go  many leads: who would get which
//	run.go, received.go  the run, and who sees it
//	rules.go, rule_page.go, rule_run.go, rule_choice.go  unassigned leads that are assigned automatically
//	former_colleagues.go  the leads and drafts of users who have left the company
package reassign

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// confirmTimeout is how long a reassignment waits for the details that confirm it. If they come later, the lead's
// refresh moves it.
const confirmTimeout = 4 * time.Second

// Request is a form that reassigns one lead.
type Request struct {
	OperationID string
	Assignee    string // the new originator's uuid
	Note        string // is passed on to the new originator, encrypted

	row *runRow // of a run
}

// Assignees finds who can take this lead: the originators of its organization and broker company, except the current
// one. They are in the order of the targets of a bulk reassignment.
func Assignees(ctx context.Context, l core.Lead, typed string) (Targets, error) {
	if err := l.May(access.ReassignLead); err != nil {
		return Targets{}, err
	}
	facts, err := readFacts(ctx, l.Desk)
	if err != nil {
		return Targets{}, err
	}
	plan := Plan{Leads: []PlannedLead{{PipelineRow: lead.PipelineRow{Row: &l.Row}}}, facts: facts}
	eligible := func(o lead.Originator) bool { return lead.AssigneeProblem(l.Row, o) == "" }
	return reassignTargets(ctx, l.Desk, targetSearch{typed: typed, limit: core.MaxPeople, eligible: eligible}, plan)
}

// Reassign moves the lead to another originator (section 4.7). It needs the permission, but not the new originator's
// consent. It reads the details again before it returns, so that the lead shows the lender's answer.
func Reassign(ctx context.Context, l core.Lead, h Request) (lead.Operation, error) {
	if err := l.May(access.ReassignLead); err != nil {
		return lead.Operation{}, err
	}
	note, err := parseReassignNote(h.Note)
	if err != nil {
		return lead.Operation{}, err
	}
	to, err := heloc.ParseOriginatorID(h.Assignee)
	if err != nil {
		return lead.Operation{}, lead.AssigneeError("Choose an originator")
	}
	departure := ""
	if h.row != nil && h.row.job.Kind == lead.JobDeparture {
		departure = h.row.job.ID
	}
	op, err := l.Submit(ctx, core.LeadWrite{
		DepartureRun: departure,
		Kind:         heloc.OpReassign, Permission: access.ReassignLead, OperationID: h.OperationID,
		DigestContent: []string{string(to), note}, Assignee: to,
		Prepare: func(ctx context.Context, tx *store.Tx, row lead.Row, id string) error {
			if h.row != nil && h.row.job.Kind == lead.JobRule {
				if err := checkRule(ctx, l.Desk, tx, row, to); err != nil {
					return err
				}
			}
			if err := checkAssignee(ctx, tx, row, to); err != nil {
				return err
			}
			return saveReassignment(ctx, l.Desk, tx, row, reassignmentWrite{assignee: to, note: note, row: h.row}, id)
		},
		Send: func(ctx context.Context, _ heloc.OriginatorID) (partner.WriteResult, error) {
			return l.Lender.Reassign(ctx, l.Row.App, to)
		},
	})
	if err == nil && op.State == lead.OpSucceeded {
		confirmReassign(ctx, l.Desk, l.Row.App, to)
	}
	return op, err
}

// checkAssignee refuses an originator outside the lead's organization and broker company, before the lender has to.
func checkAssignee(ctx context.Context, tx *store.Tx, row lead.Row, to heloc.OriginatorID) error {
	o, canWork, err := tx.Assignee(ctx, to)
	if fault.Is(err, fault.NotFound) {
		return lead.AssigneeError("Choose an originator at the same broker company")
	}
	if err != nil {
		return err
	}
	if why := lead.AssigneeProblem(row, o); why != "" {
		return lead.AssigneeError(why)
	}
	if !canWork {
		return lead.AssigneeError(lead.ProblemClosedAccount)
	}
	may, err := core.CheckMayActIn(ctx, tx.Queries(), o.UUID, row.State)
	if err == nil && !may {
		err = lead.AssigneeError(lead.ProblemUnlicensed)
	}
	return err
}

// confirmReassign reads the details until they name the new originator, at most twice: the first reading may have
// begun before the lender received the reassignment.
func confirmReassign(ctx context.Context, d core.Desk, app heloc.AppID, to heloc.OriginatorID) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), confirmTimeout)
	defer stop()
	for range 2 {
		if d.Refresher.Refresh(ctx, app) != nil {
			return // the lead's own refresh tries again
		}
		if row, err := d.Store.AnyLead(ctx, app); err != nil || row.Originator == to {
			return
		}
	}
}
