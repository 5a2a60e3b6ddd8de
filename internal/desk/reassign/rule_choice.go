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
}

// ruleChooser decides who gets a lead by the rules.
type ruleChooser struct {
	rules    []lead.AssignmentRule
	people   map[string]*rulePerson // of all rules, by user id
	turns    []lead.RuleTurn        // who got the last leads, latest first
	licenses lead.LicenseTable
	limit    int // of open leads per person; 0 for none
}

// choose returns who gets a lead, as a user id, or "" for nobody, and why. It uses the first rule that fits the lead
// and has someone who can take it and has a license on file in its state. If there is none, it uses the first fitting
// rule that has someone who can take it and about whom nothing is on file. Within the rule, lead.NextTurn chooses.
// Someone who may not act in the state never gets the lead. A reassignment by hand treats licenses the same way.
func (c *ruleChooser) choose(row lead.Row) (string, lead.RuleChoice) {
	choice := lead.RuleChoice{State: row.State}
	var rules []lead.AssignmentRule
	problems := map[string]lead.RuleSkip{}
	for _, rule := range c.rules {
		if !rule.Fits(row) {
			continue
		}
		rule.People = c.byTurn(rule)
		rules = append(rules, rule)
		for _, share := range rule.People {
			problems[share.UserID] = c.problem(share.UserID, row)
		}
	}
	for _, licensed := range []bool{true, false} {
		for n, rule := range rules {
			var able []lead.RuleShare
			for _, share := range rule.People {
				if problems[share.UserID].Reason == "" && c.licensed(share.UserID, row) == licensed {
					able = append(able, share)
				}
			}
			if len(able) == 0 {
				continue
			}
			choice.Rule, choice.Unlicensed = rule.ID, !licensed
			c.addSkips(&choice, row, rules, problems, func(at int, who lead.RuleShare) bool {
				return at < n || at == n && !slices.Contains(able, who) &&
					c.next(rule, append([]lead.RuleShare{who}, able...)) == who
			})
			return c.next(rule, able).UserID, choice
		}
	}
	c.addSkips(&choice, row, rules, problems, func(int, lead.RuleShare) bool { return true })
	return "", choice
}

// addSkips adds to a choice the people of matching rules who came before the chosen one, and those who would have come
// before them because of a license.
func (c *ruleChooser) addSkips(choice *lead.RuleChoice, row lead.Row, rules []lead.AssignmentRule,
	problems map[string]lead.RuleSkip, before func(rule int, who lead.RuleShare) bool) {
	var all, licensed []lead.RuleSkip
	seen := map[string]bool{}
	for at, rule := range rules {
		for _, who := range rule.People {
			skip := problems[who.UserID]
			skip.Licensed = choice.Unlicensed && c.licensed(who.UserID, row)
			if seen[who.UserID] || !skip.Licensed && !before(at, who) {
				continue
			}
			seen[who.UserID] = true
			if skip.Licensed {
				licensed = append(licensed, skip)
				continue
			}
			skip.Reason = cmp.Or(skip.Reason, lead.RuleSkipNotOnFile)
			all = append(all, skip)
		}
	}
	choice.Skipped = append(licensed, all...)
	if choice.More = len(choice.Skipped) - maxRuleSkips; choice.More > 0 {
		choice.Skipped = choice.Skipped[:maxRuleSkips]
	}
	choice.More = max(choice.More, 0)
}

// next returns who of some people of a rule is next in turn.
func (c *ruleChooser) next(rule lead.AssignmentRule, among []lead.RuleShare) lead.RuleShare {
	var latest []int
	for _, turn := range c.turns {
		at := slices.IndexFunc(among, func(s lead.RuleShare) bool { return s.UserID == turn.UserID })
		if turn.Rule == rule.ID && at >= 0 {
			latest = append(latest, at)
		}
	}
	weights := make([]int, len(among))
	for i, share := range among {
		weights[i] = share.Weight
	}
	return among[lead.NextTurn(weights, latest)]
}

// byTurn lists the people of a rule whom the company knows: who got a lead by it longest ago is first, and those who
// never got one come before, by name.
func (c *ruleChooser) byTurn(rule lead.AssignmentRule) []lead.RuleShare {
	last := map[string]int{}
	for i, turn := range slices.Backward(c.turns) {
		if turn.Rule == rule.ID {
			last[turn.UserID] = len(c.turns) - i
		}
	}
	return slices.SortedFunc(slices.Values(rule.People), func(a, b lead.RuleShare) int {
		return cmp.Or(cmp.Compare(last[a.UserID], last[b.UserID]),
			cmp.Compare(c.people[a.UserID].Name(), c.people[b.UserID].Name()), cmp.Compare(a.UserID, b.UserID))
	})
}

func (c *ruleChooser) licensed(id string, row lead.Row) bool {
	return c.licenses.Status(c.people[id].Originator, row.State) == lead.LicenseHeld
}

// problem says why somebody cannot get a lead; its Reason is empty when they can.
func (c *ruleChooser) problem(id string, row lead.Row) lead.RuleSkip {
	p := c.people[id]
	skip := lead.RuleSkip{UserID: p.userID}
	switch {
	case !p.active || p.RemovedAt != 0:
		skip.Reason = lead.RuleSkipInactive
	case lead.AssigneeProblem(row, p.Originator) != "":
		skip.Reason = lead.RuleSkipOtherGroup
	case p.absence != nil:
		skip.Reason, skip.Until = lead.RuleSkipAbsent, p.absence.LastDay
	case c.licenses.Status(p.Originator, row.State) == lead.LicenseMissing:
		skip.Reason = lead.RuleSkipMissing
	case c.limit > 0 && p.open >= c.limit:
		skip.Reason, skip.Open = lead.RuleSkipAtLimit, p.open
	}
	return skip
}

// give counts a lead that somebody gets by a rule.
func (c *ruleChooser) give(id, rule string) {
	c.people[id].open++
	c.turns = append([]lead.RuleTurn{{Rule: rule, UserID: id}}, c.turns...)
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
