package reassign

import (
	"context"

	"hearthline/internal/desk/internal/core"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// RuleWaitReason is why the rules do not assign an unassigned lead now.
type RuleWaitReason string

// The reasons. An outcome that is unknown, or that the lender refused, waits for a manager: the rules never repeat it.
const (
	RuleWaitNobody     RuleWaitReason = "nobody"     // nobody who takes part can get it
	RuleWaitAssigning  RuleWaitReason = "assigning"  // it is being reassigned, by the rules or by a user
	RuleWaitConfirming RuleWaitReason = "confirming" // the lender accepted an originator, whom its details do not name yet
	RuleWaitUnknown    RuleWaitReason = "unknown"    // whether the lender received the last reassignment
	RuleWaitRejected   RuleWaitReason = "rejected"   // the lender refused the last assignment
	RuleWaitNotArrived RuleWaitReason = "absent"     // the lender did not receive the last assignment
	RuleWaitLater      RuleWaitReason = "later"      // the last assignment was stopped before anything was sent
)

// pending reports whether somebody may be about to get the lead.
func (r RuleWaitReason) pending() bool {
	return r == RuleWaitAssigning || r == RuleWaitConfirming || r == RuleWaitUnknown
}

// ruleWaits returns, for each lead of a page of the queue, why the rules do not assign it; the reason is empty where
// they may. busy are the leads that wait in a job.
func ruleWaits(ctx context.Context, d core.Desk, rules lead.AssignmentRules, rows []lead.Row,
	busy map[heloc.AppID]bool) ([]ruleWaiting, error) {
	apps := make([]heloc.AppID, len(rows))
	for i, row := range rows {
		apps[i] = row.App
	}
	last, err := d.Store.LastRuleAssignments(ctx, rules.Company, apps)
	if err != nil {
		return nil, err
	}
	queued, err := d.Store.QueuedLeads(ctx, apps)
	if err != nil {
		return nil, err
	}
	waits := make([]ruleWaiting, len(rows))
	for i, row := range rows {
		waits[i] = ruleWaiting{row: row, last: last[row.App], reason: waitReason(d, rules, queued[row.App], last[row.App])}
		if busy[row.App] {
			waits[i].reason = RuleWaitAssigning
		}
	}
	return waits, nil
}

func waitReason(d core.Desk, rules lead.AssignmentRules, l store.QueuedLead, last lead.RuleAssignment) RuleWaitReason {
	if l.Pending() {
		switch l.State {
		case lead.OpUnknown:
			return RuleWaitUnknown
		case lead.OpSent:
			return RuleWaitAssigning
		default:
			return RuleWaitConfirming
		}
	}
	if last.ID == "" || last.At < l.UnassignedAt {
		return "" // whatever was decided was before the lead lost its originator again
	}
	switch {
	case last.Verdict == lead.OpRejected:
		return RuleWaitRejected
	case last.Verdict == lead.OpAbsent || last.Verdict == lead.OpAbandoned:
		return RuleWaitNotArrived
	case last.State == lead.JobRowStopped || last.Verdict == lead.OpNotSent:
		// A longer wait is one from before the clock was set back.
		wait := store.Instant(last.At).Add(ruleRetryAfter).Sub(d.Now())
		if rules.SetAt <= last.At && wait > 0 && wait <= ruleRetryAfter {
			return RuleWaitLater
		}
	}
	return ""
}
