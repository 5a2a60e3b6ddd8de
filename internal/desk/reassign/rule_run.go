package reassign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

const (
	maxRuleLeads = 20 // leads that one run assigns
	maxRulePages = 4  // pages of the queue that one run reads; the next run continues where it ended
	// ruleRetryAfter is how long a lead waits whose assignment was stopped before anything reached the lender.
	ruleRetryAfter = 15 * time.Minute
)

// errRulesChanged stops the rest of a run whose rules are no longer those that decided it.
func errRulesChanged() error {
	return fault.New(fault.Denied, "The rules were paused or changed first. Nothing was sent.")
}

// RunAssignmentRules assigns unassigned leads of every company whose rules are on, in the name of the manager who set
// them. It only decides, and adds a job that reassigns the leads like a bulk reassignment; until that job has ended, it
// decides nothing more for the company. The system calls it, so it checks no permission.
func RunAssignmentRules(ctx context.Context, s core.Services) error {
	companies, err := s.Store.RunningRules(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, company := range companies {
		failed = append(failed, assignByRules(ctx, s, company))
	}
	return errors.Join(failed...)
}

func assignByRules(ctx context.Context, s core.Services, company string) error {
	rules, err := s.Store.AssignmentRules(ctx, company)
	if err != nil || !rules.Running() {
		return err
	}
	d, why, err := rulesDesk(ctx, s, rules)
	switch {
	case err != nil:
		return err
	case why != "":
		return pauseRules(ctx, s, rules, why)
	}
	if open, err := s.Store.RuleJobOpen(ctx, company); err != nil || open {
		return err
	}
	if n, err := s.Store.CountUnassigned(ctx, company); err != nil || n == 0 {
		return err
	}
	plan, err := planRules(ctx, d, rules)
	if err != nil {
		return err
	}
	return saveRuleRun(ctx, d, rules, plan)
}

// rulesDesk opens the desk of the manager in whose name rules act, under the name of the rules. why says why they may
// no longer act.
func rulesDesk(ctx context.Context, s core.Services,
	rules lead.AssignmentRules) (d core.Desk, why lead.RulePauseReason, err error) {
	who, err := s.Store.User(ctx, rules.SetBy)
	switch {
	case fault.Is(err, fault.NotFound) || err == nil && who.Disabled:
		return d, lead.RulePauseAccount, nil
	case err != nil:
		return d, "", err
	case who.Company() != rules.Company:
		return d, lead.RulePauseCompany, nil
	case !who.Can(access.SeeTeam) || !who.Can(access.ReassignLead):
		return d, lead.RulePauseRole, nil
	}
	who.Name = lead.RulesActorName(who.Name)
	return s.For(who.Actor), "", nil
}

// pauseRules pauses rules whose manager may no longer assign the company's leads, and notifies its managers.
func pauseRules(ctx context.Context, s core.Services, rules lead.AssignmentRules, why lead.RulePauseReason) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		now, err := tx.AssignmentRules(ctx, rules.Company)
		if err != nil || !now.Running() || now.SetBy != rules.SetBy {
			return err
		}
		now.PausedAt, now.PausedBy, now.PauseReason = store.Millis(s.Now()), "", why
		if err := tx.SaveAssignmentRules(ctx, now); err != nil {
			return err
		}
		if err := tx.Audit(ctx, store.AuditEntry{
			ActorID: "system", Company: now.Company, Action: store.ActionRulesPause, Object: "company:" + now.Company,
			Outcome: "done", Detail: rulesDetail(now),
		}); err != nil {
			return err
		}
		return notifyRulesPaused(ctx, s, tx, now)
	})
}

// notifyRulesPaused notifies the managers of the company. An administrator cannot resume the rules.
func notifyRulesPaused(ctx context.Context, s core.Services, tx *store.Tx, rules lead.AssignmentRules) error {
	keys := s.Vault.NoticeDedupKeys("rules-paused", rules.Company, strconv.FormatInt(rules.PausedAt, 10))
	return core.NotifyManagers(ctx, tx, lead.Notice{
		Company: rules.Company, Kind: lead.NoticeRulesPaused, About: string(rules.PauseReason), DedupKey: keys[0],
		OldDedupKeys: keys[1:], At: rules.PausedAt,
	})
}

// rulesPlan is what a run of the rules would do.
type rulesPlan struct {
	decisions []ruleDecision
	next      string // where the next run continues; "" for the beginning of the queue
}

type ruleDecision struct {
	id     string
	row    lead.Row
	to     rulePerson
	choice lead.RuleChoice
}

// ruleWaiting is an unassigned lead with why the rules do not assign it now.
type ruleWaiting struct {
	row    lead.Row
	reason RuleWaitReason  // "" if they may
	choice lead.RuleChoice // for RuleWaitNobody
	last   lead.RuleAssignment
}

// planRules decides who gets the next unassigned leads, in the order of the queue.
func planRules(ctx context.Context, d core.Desk, rules lead.AssignmentRules) (rulesPlan, error) {
	var plan rulesPlan
	chooser, err := newRuleChooser(ctx, d, rules)
	if err != nil {
		return plan, err
	}
	plan.next, err = scanQueue(ctx, d, rules, chooser, func(waits []ruleWaiting) scanResult {
		for _, w := range waits {
			if len(plan.decisions) == maxRuleLeads {
				return scanUnfinished
			}
			if w.reason != "" {
				continue
			}
			who, choice := chooser.choose(w.row)
			if who == "" {
				continue
			}
			plan.decisions = append(plan.decisions, ruleDecision{d.NewID(), w.row, *chooser.people[who], choice})
			chooser.give(who, choice.Rule)
		}
		return scanOn
	})
	return plan, err
}

// scanResult is what follows a page of the queue.
type scanResult int

const (
	scanOn         scanResult = iota // the next page
	scanEnough                       // nothing; a later scan continues with the next page
	scanUnfinished                   // nothing; a later scan continues with this page
)

// scanQueue passes the unassigned leads to consider, a page of the queue at a time and at most maxRulePages, from where
// the rules continue. It returns where a later scan continues; "" is the beginning.
func scanQueue(ctx context.Context, d core.Desk, rules lead.AssignmentRules, chooser *ruleChooser,
	consider func(waits []ruleWaiting) scanResult) (next string, err error) {
	busy, err := d.Store.WaitingInJobs(ctx)
	if err != nil {
		return "", err
	}
	after := rules.ScanAfter
	for range maxRulePages {
		page, err := d.Store.UnassignedLeads(ctx, d.Actor.Scope(), after)
		if err != nil {
			return "", err
		}
		waits, err := ruleWaits(ctx, d, rules, page.Leads, busy)
		if err != nil {
			return "", err
		}
		chooser.countPending(waits)
		result := consider(waits)
		if result == scanUnfinished {
			break
		}
		if after = page.Next; after == "" || result == scanEnough {
			break
		}
	}
	return after, nil
}

// ruleChooser reads what decides who gets a lead.
func newRuleChooser(ctx context.Context, d core.Desk, rules lead.AssignmentRules) (*ruleChooser, error) {
	c := &ruleChooser{rules: rules.Rules, limit: rules.OpenLimit, people: map[string]*rulePerson{}}
	var err error
	if c.licenses, err = d.CompanyLicenses(ctx); err != nil {
		return nil, err
	}
	open, err := d.Store.OpenCounts(ctx, d.Company())
	if err != nil {
		return nil, err
	}
	available, err := d.Availability(ctx)
	if err != nil {
		return nil, err
	}
	turns, err := d.Store.RuleTurns(ctx, rules.Company)
	if err != nil {
		return nil, err
	}
	originators, err := d.Colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization)
	if err != nil {
		return nil, err
	}
	known := map[heloc.OriginatorID]lead.Originator{}
	for _, o := range originators {
		known[o.UUID] = o
	}
	for _, turn := range turns {
		var why lead.RuleChoice
		if err := json.Unmarshal([]byte(turn.Why), &why); err != nil {
			return nil, err
		}
		c.turns = append(c.turns, lead.RuleTurn{Rule: why.Rule, UserID: turn.UserID})
	}
	for _, id := range rules.People() {
		user, err := d.Store.User(ctx, id)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		o, listed := known[heloc.OriginatorID(user.OriginatorUUID)]
		p := rulePerson{Originator: o, userID: id, active: err == nil && listed && user.WorksAt(rules.Company),
			open: open[o.UUID]}
		if listed {
			p.absence = available[o.UUID].Absence
		}
		c.people[id] = &p
	}
	return c, nil
}

// countPending counts the leads that people are about to get, besides their open ones.
func (c *ruleChooser) countPending(waits []ruleWaiting) {
	for _, w := range waits {
		if p := c.people[w.last.UserID]; p != nil && w.reason.pending() {
			p.open++
		}
	}
}

// saveRuleRun stores the decisions of a run and the job that executes them, in one transaction: whatever stops the
// process, each decision has its row, which is sent once.
func saveRuleRun(ctx context.Context, d core.Desk, rules lead.AssignmentRules, plan rulesPlan) error {
	if len(plan.decisions) == 0 && plan.next == rules.ScanAfter {
		return nil
	}
	job, err := d.NewRun(d.NewID(), lead.JobRule, core.RunPayload{})
	if err != nil {
		return err
	}
	return d.Store.Write(ctx, func(tx *store.Tx) error {
		current, err := tx.AssignmentRules(ctx, rules.Company)
		if err != nil || !current.Running() || current.SetAt != rules.SetAt {
			return err // the next run decides by the new rules
		}
		if open, err := tx.RuleJobOpen(ctx, rules.Company); err != nil || open {
			return err // of another process
		}
		if err := tx.SaveRuleScan(ctx, rules.Company, plan.next); err != nil || len(plan.decisions) == 0 {
			return err
		}
		return addRuleRun(ctx, tx, job, plan.decisions)
	})
}

func addRuleRun(ctx context.Context, tx *store.Tx, job lead.Job, decisions []ruleDecision) error {
	rows := make([]lead.JobRow, len(decisions))
	for i, one := range decisions {
		rows[i] = lead.JobRow{JobID: job.ID, N: i, App: one.row.App, ShortID: one.row.ShortID, State: lead.JobRowWaiting,
			Target: one.to.UUID}
	}
	if err := tx.AddJob(ctx, job, rows); err != nil {
		return err
	}
	for i, one := range decisions {
		why, err := json.Marshal(one.choice)
		if err != nil {
			return err
		}
		if err := tx.AddRuleAssignment(ctx, lead.RuleAssignment{
			ID: one.id, Company: job.Company, App: one.row.App, UserID: one.to.userID, Originator: one.to.UUID, JobID: job.ID,
			N: i, SetBy: job.ActorID, Why: string(why), At: job.CreatedAt,
		}); err != nil {
			return err
		}
	}
	return tx.Audit(ctx, store.AuditEntry{
		At: job.CreatedAt, ActorID: job.ActorID, Company: job.Company, Action: store.ActionRulesAssign,
		Object: "job:" + job.ID, Outcome: "begun",
		Detail: fmt.Sprintf("leads:%d", len(decisions)),
	})
}

// bulkReassignmentsForRule returns the bulk reassignments of a run of the rules. fault.Denied, with the reason, when
// the rules were paused or changed since, or their manager may no longer act.
func bulkReassignmentsForRule(ctx context.Context, s core.Services, job lead.Job) (*Bulk, error) {
	rules, err := s.Store.AssignmentRules(ctx, job.Company)
	if err != nil {
		return nil, err
	}
	if !rules.Running() || rules.SetBy != job.ActorID {
		return nil, errRulesChanged()
	}
	d, why, err := rulesDesk(ctx, s, rules)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return nil, fault.New(fault.Denied, "The manager who set the rules can no longer assign leads. Nothing was sent.")
	}
	return OpenBulk(d)
}

// checkRule checks a decision again, in the transaction that stores its operation: between the two, the rules may have
// been paused, the lead assigned by hand, or the chosen originator become absent or reached the limit.
func checkRule(ctx context.Context, d core.Desk, tx *store.Tx, row lead.Row, to heloc.OriginatorID) error {
	rules, err := tx.AssignmentRules(ctx, d.Company())
	if err != nil {
		return err
	}
	switch {
	case !rules.Running() || rules.SetBy != d.Actor.UserID:
		return errRulesChanged()
	case row.Originator != "":
		return fault.New(fault.Conflict, "The lead was assigned to someone else first. Nothing was sent.")
	}
	return checkRulePerson(ctx, d, tx, rules, row, to)
}

func checkRulePerson(ctx context.Context, d core.Desk, tx *store.Tx, rules lead.AssignmentRules, row lead.Row,
	to heloc.OriginatorID) error {
	fitting := rules
	fitting.Rules = slices.DeleteFunc(slices.Clone(rules.Rules), func(r lead.AssignmentRule) bool { return !r.Fits(row) })
	for _, id := range fitting.People() {
		user, err := tx.User(ctx, id)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err != nil || user.OriginatorUUID != string(to) || !user.WorksAt(rules.Company) {
			continue
		}
		out, err := tx.OutUntil(ctx, id)
		if err != nil {
			return err
		}
		if out != 0 {
			return fault.New(fault.Conflict, "The originator is now out. Nothing was sent.")
		}
		now := store.Millis(d.Now())
		_, err = tx.OverlappingAbsence(ctx, id, now, now+1, "")
		if err == nil {
			return fault.New(fault.Conflict, "The originator is now absent. Nothing was sent.")
		}
		if !fault.Is(err, fault.NotFound) {
			return err
		}
		open, err := tx.OpenCounts(ctx, rules.Company)
		if err == nil && rules.OpenLimit > 0 && open[to] >= rules.OpenLimit {
			err = fault.New(fault.Conflict, "The originator has now reached the limit of open leads. Nothing was sent.")
		}
		return err
	}
	return fault.New(fault.Conflict, "The rules no longer give this lead to the originator. Nothing was sent.")
}
