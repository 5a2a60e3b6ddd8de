package reassign

import (
	"context"
	"encoding/json"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

const (
	ruleLogPage    = 25
	minRuleWaiting = 25 // with as many leads that wait, the page reads no further page of the queue
)

// RulesPage is the rules of the company, what they have decided, and which leads they do not assign now.
type RulesPage struct {
	Rules      lead.AssignmentRules
	SetBy      string // the name; empty for an account that no longer exists
	PausedBy   string // the name; empty when the portal paused them
	People     []RulePerson
	Left       []string // the names of those who were chosen and can no longer get leads
	Unassigned int
	Waiting    []RuleWaitingLead // while the rules are on, those of a part of the queue that they do not assign now
	NextWait   string            // the next part of the queue; "" for none
	Log        []RuleLogEntry    // latest first
	NextLog    string
	names      map[string]string // of all users, by id
}

// Name returns the name of a user, or "" for an account that no longer exists.
func (p RulesPage) Name(userID string) string { return p.names[userID] }

// RulePerson is a user who can take part.
type RulePerson struct {
	lead.Candidate
	Chosen bool
}

// RuleWaitingLead is an unassigned lead that the rules do not assign now.
type RuleWaitingLead struct {
	lead.PipelineRow
	Reason RuleWaitReason
	Choice lead.RuleChoice // for RuleWaitNobody
	Last   lead.RuleAssignment
	// RetryAt is when the rules try again, for RuleWaitLater.
	RetryAt time.Time
}

// RuleLogEntry is one decision of the rules with its result. Name is set only while the user can see the lead.
type RuleLogEntry struct {
	lead.RuleAssignment
	Name       heloc.Name
	Accessible bool
	ToName     string
	Choice     lead.RuleChoice
	Result     lead.RowResult
	Said       string // the lender's messages
}

// RulesQuery selects the parts of RulesPage. The zero value is the beginning of both.
type RulesQuery struct {
	LogBefore string // NextLog of the previous page
	WaitAfter string // NextWait of the previous page
}

// Page reads the rules with one page of their log and one part of the queue.
func (r *Rules) Page(ctx context.Context, q RulesQuery) (RulesPage, error) {
	var page RulesPage
	if err := r.may(); err != nil {
		return page, err
	}
	var err error
	if page.Rules, err = r.d.Store.AssignmentRules(ctx, r.d.Company()); err != nil {
		return page, err
	}
	if page.Unassigned, err = r.d.Store.CountUnassigned(ctx, r.d.Company()); err != nil {
		return page, err
	}
	if err := r.addPeople(ctx, &page); err != nil {
		return page, err
	}
	if err := r.addWaiting(ctx, &page, q.WaitAfter); err != nil {
		return page, err
	}
	return page, r.addLog(ctx, &page, q.LogBefore)
}

func (r *Rules) addPeople(ctx context.Context, page *RulesPage) error {
	users, err := r.d.Store.Users(ctx)
	if err != nil {
		return err
	}
	chosen := map[string]bool{}
	for _, id := range page.Rules.People {
		chosen[id] = true
	}
	page.names = map[string]string{}
	var members []access.User
	for _, u := range core.SortedByName(users) {
		page.names[u.UserID] = u.Name
		switch {
		case u.WorksAt(page.Rules.Company):
			members = append(members, u)
		case chosen[u.UserID]:
			page.Left = append(page.Left, u.Name)
		}
	}
	page.SetBy, page.PausedBy = page.names[page.Rules.SetBy], page.names[page.Rules.PausedBy]
	candidates, err := r.d.CandidatesAmong(ctx, members, "")
	for _, c := range candidates {
		page.People = append(page.People, RulePerson{c, chosen[c.UserID]})
	}
	return err
}

// addWaiting lists the leads of a part of the queue that the rules cannot assign now. Each lead is judged alone, as if
// it were next, because what the next runs assign is not known. The rules act in the name of their manager, but every
// manager of the company sees the same leads.
func (r *Rules) addWaiting(ctx context.Context, page *RulesPage, after string) error {
	if page.Unassigned == 0 || !page.Rules.Running() {
		return nil
	}
	rules := page.Rules
	rules.ScanAfter = after
	chooser, err := newRuleChooser(ctx, r.d, rules)
	if err != nil {
		return err
	}
	var waiting []ruleWaiting
	page.NextWait, err = scanQueue(ctx, r.d, rules, chooser, func(waits []ruleWaiting) scanResult {
		for _, w := range waits {
			if w.reason == "" {
				var at int
				if at, w.choice = chooser.choose(w.row); at >= 0 {
					continue
				}
				w.reason = RuleWaitNobody
			}
			if w.reason != RuleWaitAssigning { // it does not wait for anybody
				waiting = append(waiting, w)
			}
		}
		if len(waiting) >= minRuleWaiting {
			return scanEnough
		}
		return scanOn
	})
	if err != nil {
		return err
	}
	for _, w := range waiting {
		name, err := r.d.BorrowerName(w.row.App, w.row.Borrower)
		if err != nil {
			return err
		}
		page.Waiting = append(page.Waiting, RuleWaitingLead{lead.PipelineRow{Row: &w.row, Name: name}, w.reason, w.choice,
			w.last, store.Instant(w.last.At).Add(ruleRetryAfter)})
	}
	return nil
}

func (r *Rules) addLog(ctx context.Context, page *RulesPage, before string) error {
	rows, err := r.d.Store.RuleAssignments(ctx, page.Rules.Company, before, ruleLogPage+1)
	if err != nil {
		return err
	}
	if len(rows) > ruleLogPage {
		rows = rows[:ruleLogPage]
		page.NextLog = rows[ruleLogPage-1].ID
	}
	apps := make([]heloc.AppID, len(rows))
	for i, row := range rows {
		apps[i] = row.App
	}
	names, err := r.d.NamesAmong(ctx, apps)
	if err != nil {
		return err
	}
	queued, err := r.d.Store.QueuedLeads(ctx, apps)
	if err != nil {
		return err
	}
	for _, row := range rows {
		one, err := r.logEntry(ctx, row, queued[row.App])
		if err != nil {
			return err
		}
		one.Name, one.Accessible = names[row.App]
		page.Log = append(page.Log, one)
	}
	return nil
}

func (r *Rules) logEntry(ctx context.Context, row lead.RuleAssignment, queued store.QueuedLead) (RuleLogEntry, error) {
	one := RuleLogEntry{RuleAssignment: row,
		Said: r.d.Journal.WithMessages(lead.Operation{ID: row.OpID, Messages: row.Messages}).Messages}
	if err := json.Unmarshal([]byte(row.Why), &one.Choice); err != nil {
		return one, err
	}
	o, err := r.d.Store.Originator(ctx, row.Originator)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return one, err
	}
	if err == nil {
		one.ToName = o.Name()
	}
	one.Result = lead.JobRow{State: row.State, Verdict: row.Verdict, Originator: row.Now}.ResultFor(row.Originator)
	// The lead may have gone on to another originator since, or have lost this one.
	if one.Result == lead.RowConfirming && (row.Now != "" || queued.UnassignedAt > row.At) {
		one.Result = lead.RowMoved
	}
	return one, nil
}
