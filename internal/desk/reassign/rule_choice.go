package reassign

import (
	"cmp"
	"context"
	"slices"

	"hearthline/internal/desk/internal/core"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// maxRuleSkips is how many of those who were skipped a decision names.
const maxRuleSkips = 10

// rulePerson is somebody who takes part in the assignment rules.
type rulePerson struct {
	lead.Originator
	userID  string
	active  bool          // an active account at the company with this originator
	absence *lead.Absence // absent now; nil if not
	open    int           // open leads, and those that are being assigned to them
	last    string        // the id of the last decision by which they got a lead; "" for never
}

// ruleChooser decides who gets a lead by the rules.
type ruleChooser struct {
	people   []rulePerson
	licenses lead.LicenseTable
	limit    int // of open leads per person; 0 for none
}

// choose returns who gets a lead, as an index of people, or -1 for nobody, and why. It is the one who got a lead
// longest ago and who can take this one; somebody with a license on file in its state goes before those about whom
// nothing is on file, and somebody who may not act there never gets it. A reassignment by hand treats licenses the
// same way.
func (c *ruleChooser) choose(row lead.Row) (int, lead.RuleChoice) {
	choice := lead.RuleChoice{State: row.State}
	order := c.order()
	chosen, unlicensed := -1, -1
	problems := make([]lead.RuleSkip, len(order))
	for i, at := range order {
		problems[i] = c.problem(at, row)
		switch status := c.status(at, row); {
		case problems[i].Reason != "":
		case status == lead.LicenseHeld && chosen < 0:
			chosen = at
		case status != lead.LicenseHeld && unlicensed < 0:
			unlicensed = at
		}
	}
	if chosen < 0 {
		chosen = unlicensed
		choice.Unlicensed = unlicensed >= 0
	}
	var before, licensed []lead.RuleSkip
	past := false // the chosen one's turn
	for i, at := range order {
		past = past || at == chosen
		skip := problems[i]
		switch skip.Licensed = choice.Unlicensed && c.status(at, row) == lead.LicenseHeld; {
		case skip.Licensed:
			licensed = append(licensed, skip)
			continue
		case past:
			continue
		case skip.Reason == "":
			skip.Reason = lead.RuleSkipNotOnFile
		}
		before = append(before, skip)
	}
	choice.Skipped = append(licensed, before...)
	if choice.More = len(choice.Skipped) - maxRuleSkips; choice.More > 0 {
		choice.Skipped = choice.Skipped[:maxRuleSkips]
	}
	choice.More = max(choice.More, 0)
	return chosen, choice
}

// order lists the people by turn. Those who never got a lead come first, by name.
func (c *ruleChooser) order() []int {
	order := make([]int, len(c.people))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		p, q := c.people[a], c.people[b]
		return cmp.Or(cmp.Compare(p.last, q.last), cmp.Compare(p.Name(), q.Name()), cmp.Compare(p.userID, q.userID))
	})
	return order
}

func (c *ruleChooser) status(at int, row lead.Row) lead.LicenseStatus {
	return c.licenses.Status(c.people[at].Originator, row.State)
}

// problem says why somebody cannot get a lead; its Reason is empty when they can.
func (c *ruleChooser) problem(at int, row lead.Row) lead.RuleSkip {
	p := c.people[at]
	skip := lead.RuleSkip{UserID: p.userID}
	switch {
	case !p.active || p.RemovedAt != 0:
		skip.Reason = lead.RuleSkipInactive
	case lead.AssigneeProblem(row, p.Originator) != "":
		skip.Reason = lead.RuleSkipOtherGroup
	case p.absence != nil:
		skip.Reason, skip.Until = lead.RuleSkipAbsent, p.absence.LastDay
	case c.status(at, row) == lead.LicenseMissing:
		skip.Reason = lead.RuleSkipMissing
	case c.limit > 0 && p.open >= c.limit:
		skip.Reason, skip.Open = lead.RuleSkipAtLimit, p.open
	}
	return skip
}

// give counts a lead that somebody gets by a decision.
func (c *ruleChooser) give(at int, decision string) {
	c.people[at].open++
	c.people[at].last = decision
}

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
	apps := lead.Apps(rows)
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
		reasons := map[lead.OpState]RuleWaitReason{lead.OpUnknown: RuleWaitUnknown, lead.OpSent: RuleWaitAssigning}
		return cmp.Or(reasons[l.State], RuleWaitConfirming)
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
