package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/vault"
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
func (r *Service) RunAssignmentRules(ctx context.Context) error {
	companies, err := r.store.RunningRules(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, company := range companies {
		failed = append(failed, r.assignByRules(ctx, company))
	}
	return errors.Join(failed...)
}

func (r *Service) assignByRules(ctx context.Context, company string) error {
	rules, err := r.store.AssignmentRules(ctx, company)
	if err != nil || !rules.Running() {
		return err
	}
	d, why, err := r.rulesDesk(ctx, rules)
	switch {
	case err != nil:
		return err
	case why != "":
		return r.pauseRules(ctx, rules, why)
	}
	if open, err := r.store.RuleJobOpen(ctx, company); err != nil || open {
		return err
	}
	if n, err := r.store.CountUnassigned(ctx, company); err != nil || n == 0 {
		return err
	}
	plan, err := d.planRules(ctx, rules)
	if err != nil {
		return err
	}
	return d.saveRuleRun(ctx, rules, plan)
}

// rulesDesk opens the desk of the manager in whose name rules act, under the name of the rules. why says why they may no
// longer act.
func (b *backend) rulesDesk(ctx context.Context, rules lead.AssignmentRules) (d *Desk, why lead.RulePauseReason, err error) {
	who, err := b.store.User(ctx, rules.SetBy)
	switch {
	case fault.Is(err, fault.NotFound) || err == nil && who.Disabled:
		return nil, lead.RulePauseAccount, nil
	case err != nil:
		return nil, "", err
	case store.UserScopeOf(who.Actor).Company != rules.Company:
		return nil, lead.RulePauseCompany, nil
	case !who.Can(access.SeeTeam) || !who.Can(access.ReassignLead):
		return nil, lead.RulePauseRole, nil
	}
	who.Name = lead.RulesActorName(who.Name)
	return &Desk{backend: b, Actor: who.Actor}, "", nil
}

// pauseRules pauses rules whose manager may no longer assign the company's leads, and notifies its managers.
func (b *backend) pauseRules(ctx context.Context, rules lead.AssignmentRules, why lead.RulePauseReason) error {
	var notified []string
	err := b.store.Write(ctx, func(tx *store.Tx) error {
		now, err := tx.AssignmentRules(ctx, rules.Company)
		if err != nil || !now.Running() || now.SetBy != rules.SetBy {
			return err
		}
		now.PausedAt, now.PausedBy, now.PauseReason = store.Millis(b.now()), "", why
		if err := tx.SaveAssignmentRules(ctx, now); err != nil {
			return err
		}
		if err := tx.Audit(ctx, store.AuditEntry{
			ActorID: "system", Company: now.Company, Action: store.ActionRulesPause, Object: "company:" + now.Company, Outcome: "done", Detail: rulesDetail(now),
		}); err != nil {
			return err
		}
		notified, err = b.notifyRulesPaused(ctx, tx, now)
		return err
	})
	if err == nil {
		for _, who := range notified {
			b.hub.Publish(pubsub.Event{Inbox: true}, pubsub.Person(who))
		}
	}
	return err
}

// notifyRulesPaused notifies the managers of the company.
func (b *backend) notifyRulesPaused(ctx context.Context, tx *store.Tx, rules lead.AssignmentRules) (notified []string, err error) {
	people, err := tx.ResponsibleManagers(ctx, rules.Company)
	if err != nil {
		return nil, err
	}
	keys := b.vault.NoticeDedupKeys("rules-paused", rules.Company, strconv.FormatInt(rules.PausedAt, 10))
	for _, u := range people {
		if u.Role != access.Manager {
			continue // an administrator, who cannot resume them
		}
		if _, err := tx.Notify(ctx, lead.Notice{
			UserID: u.UserID, Company: rules.Company, Kind: lead.NoticeRulesPaused, About: string(rules.PauseReason), DedupKey: keys[0], OldDedupKeys: keys[1:], At: rules.PausedAt,
		}); err != nil {
			return nil, err
		}
		notified = append(notified, u.UserID)
	}
	return notified, nil
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
func (d *Desk) planRules(ctx context.Context, rules lead.AssignmentRules) (rulesPlan, error) {
	var plan rulesPlan
	chooser, err := d.ruleChooser(ctx, rules)
	if err != nil {
		return plan, err
	}
	plan.next, err = d.scanQueue(ctx, rules, chooser, func(waits []ruleWaiting) scanResult {
		for _, w := range waits {
			if len(plan.decisions) == maxRuleLeads {
				return scanUnfinished
			}
			if w.reason != "" {
				continue
			}
			at, choice := chooser.choose(w.row)
			if at < 0 {
				continue
			}
			id := ulid.MustNew(uint64(store.Millis(d.now())), ulid.DefaultEntropy()).String()
			plan.decisions = append(plan.decisions, ruleDecision{id, w.row, chooser.people[at], choice})
			chooser.give(at, id)
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
func (d *Desk) scanQueue(ctx context.Context, rules lead.AssignmentRules, chooser *ruleChooser, consider func(waits []ruleWaiting) scanResult) (next string, err error) {
	busy, err := d.store.WaitingInJobs(ctx)
	if err != nil {
		return "", err
	}
	after := rules.ScanAfter
	for range maxRulePages {
		page, err := d.store.UnassignedLeads(ctx, d.Actor.Scope(), after)
		if err != nil {
			return "", err
		}
		waits, err := d.ruleWaits(ctx, rules, page.Leads, busy)
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
func (d *Desk) ruleChooser(ctx context.Context, rules lead.AssignmentRules) (*ruleChooser, error) {
	c := &ruleChooser{limit: rules.OpenLimit}
	var err error
	if c.licenses, err = d.companyLicenses(ctx); err != nil {
		return nil, err
	}
	open, err := d.openLeads(ctx)
	if err != nil {
		return nil, err
	}
	absent, err := d.absentNow(ctx)
	if err != nil {
		return nil, err
	}
	turns, err := d.store.RuleTurns(ctx, rules.Company)
	if err != nil {
		return nil, err
	}
	originators, err := d.colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization)
	if err != nil {
		return nil, err
	}
	known := map[heloc.OriginatorID]lead.Originator{}
	for _, o := range originators {
		known[o.UUID] = o
	}
	for _, id := range rules.People {
		user, err := d.store.User(ctx, id)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		o, listed := known[heloc.OriginatorID(user.OriginatorUUID)]
		p := rulePerson{Originator: o, userID: id, active: err == nil && listed && worksAt(user, rules.Company), open: open[o.UUID], last: turns[id]}
		if a, is := absent[o.UUID]; is && listed {
			p.absence = &a
		}
		c.people = append(c.people, p)
	}
	return c, nil
}

// countPending counts the leads that people are about to get, besides their open ones.
func (c *ruleChooser) countPending(waits []ruleWaiting) {
	for _, w := range waits {
		for at := range c.people {
			if w.reason.pending() && c.people[at].userID == w.last.UserID {
				c.people[at].open++
			}
		}
	}
}

// saveRuleRun stores the decisions of a run and the job that executes them, in one transaction: whatever stops the
// process, each decision has its row, which is sent once.
func (d *Desk) saveRuleRun(ctx context.Context, rules lead.AssignmentRules, plan rulesPlan) error {
	if len(plan.decisions) == 0 && plan.next == rules.ScanAfter {
		return nil
	}
	now := store.Millis(d.now())
	job := lead.Job{ID: ulid.MustNew(uint64(now), ulid.DefaultEntropy()).String(), Kind: lead.JobRule, ActorID: rules.SetBy, Company: rules.Company, CreatedAt: now}
	var err error
	if job.Sealed, err = vault.SealJSON(d.vault, vault.JobAAD(job.ID), runPayload{}); err != nil {
		return err
	}
	return d.store.Write(ctx, func(tx *store.Tx) error {
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
		rows[i] = lead.JobRow{JobID: job.ID, N: i, App: one.row.App, ShortID: one.row.ShortID, State: lead.JobRowWaiting, Target: one.to.UUID}
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
			ID: one.id, Company: job.Company, App: one.row.App, UserID: one.to.userID, Originator: one.to.UUID, JobID: job.ID, N: i, SetBy: job.ActorID, Why: string(why), At: job.CreatedAt,
		}); err != nil {
			return err
		}
	}
	return tx.Audit(ctx, store.AuditEntry{
		At: job.CreatedAt, ActorID: job.ActorID, Company: job.Company, Action: store.ActionRulesAssign, Object: "job:" + job.ID, Outcome: "begun",
		Detail: fmt.Sprintf("leads:%d", len(decisions)),
	})
}

// bulkReassignmentsForRule returns the bulk reassignments of a run of the rules. fault.Denied, with the reason, when the
// rules were paused or changed since, or their manager may no longer act.
func (r *Service) bulkReassignmentsForRule(ctx context.Context, job lead.Job) (*BulkReassignments, error) {
	rules, err := r.store.AssignmentRules(ctx, job.Company)
	if err != nil {
		return nil, err
	}
	if !rules.Running() || rules.SetBy != job.ActorID {
		return nil, errRulesChanged()
	}
	d, why, err := r.rulesDesk(ctx, rules)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return nil, fault.New(fault.Denied, "The manager who set the rules can no longer assign leads. Nothing was sent.")
	}
	return d.BulkReassignments()
}

// checkRule checks a decision again, in the transaction that stores its operation: between the two, the rules may have
// been paused, the lead assigned by hand, or the chosen originator become absent or reached the limit.
func (d *Desk) checkRule(ctx context.Context, tx *store.Tx, row lead.Row, to heloc.OriginatorID) error {
	rules, err := tx.AssignmentRules(ctx, d.company())
	if err != nil {
		return err
	}
	switch {
	case !rules.Running() || rules.SetBy != d.Actor.UserID:
		return errRulesChanged()
	case row.Originator != "":
		return fault.New(fault.Conflict, "The lead was assigned to someone else first. Nothing was sent.")
	}
	return d.checkRulePerson(ctx, tx, rules, to)
}

func (d *Desk) checkRulePerson(ctx context.Context, tx *store.Tx, rules lead.AssignmentRules, to heloc.OriginatorID) error {
	for _, id := range rules.People {
		user, err := tx.User(ctx, id)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err != nil || user.OriginatorUUID != string(to) || !worksAt(user, rules.Company) {
			continue
		}
		now := store.Millis(d.now())
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
	return fault.New(fault.Conflict, "The originator no longer takes part. Nothing was sent.")
}
