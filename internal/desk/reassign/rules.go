package reassign

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// maxOpenLimit is the highest limit of open leads per person that can be set.
const maxOpenLimit = 9999

// Rules are the company's rules for assigning unassigned leads automatically.
type Rules struct{ d core.Desk }

// OpenRules returns the assignment rules; fault.Denied without the permissions.
func OpenRules(d core.Desk) (*Rules, error) {
	r := &Rules{d}
	return core.Opened(r, r.may())
}

// may requires what assigning the company's unassigned leads by hand requires.
func (r *Rules) may() error {
	if err := r.d.May(access.SeeTeam); err != nil {
		return err
	}
	return r.d.May(access.ReassignLead)
}

// RulesRequest is the form of the rules.
type RulesRequest struct {
	Active bool
	Limit  string // open leads per person, as it is typed; empty for no limit
	Rules  []RuleRequest
}

// RuleRequest is one rule of the form.
type RuleRequest struct {
	lead.AssignmentRule
	Control string // the name of the group of its controls, "rule.0"
}

// Save sets the rules, which then act in this user's name. Rules that were paused stay paused. Its field errors name
// the controls limit, and those of a rule: states, source, to and person.
func (r *Rules) Save(ctx context.Context, req RulesRequest) error {
	if err := r.may(); err != nil {
		return err
	}
	limit, err := req.check()
	if err != nil {
		return err
	}
	return r.change(ctx, store.ActionRulesSet, func(tx *store.Tx, rules *lead.AssignmentRules) error {
		set, err := r.rulesOf(ctx, tx.Queries, req)
		if err != nil {
			return err
		}
		if !req.Active || !rules.Active {
			rules.PausedAt, rules.PausedBy, rules.PauseReason = 0, "", ""
		}
		rules.Active, rules.OpenLimit, rules.Rules, rules.ScanAfter = req.Active, limit, set, ""
		return nil
	})
}

// check checks what does not depend on the company, and returns the limit of open leads.
func (req RulesRequest) check() (limit int, err error) {
	var wrong []fault.Field
	add := func(name, message string) { wrong = append(wrong, fault.Field{Name: name, Message: message}) }
	if req.Active && len(req.Rules) == 0 {
		add("rule.0.person", "Choose at least one person")
	}
	for _, rule := range req.Rules {
		if !valid(rule.States, heloc.IsState) {
			add(rule.Control+".states", "Enter states as two letters with commas between them, such as TX, CO")
		}
		if rule.Source != "" && !slices.Contains(lead.Sources(), rule.Source) {
			add(rule.Control+".source", "Choose from the list")
		}
		if rule.To > 0 && rule.To < rule.From {
			add(rule.Control+".to", "Enter an amount that isn’t below the lowest amount")
		}
		inRange := func(s lead.RuleShare) bool { return s.Weight >= 1 && s.Weight <= lead.MaxRuleWeight }
		if len(rule.People) == 0 || !valid(rule.People, inRange) {
			add(rule.Control+".person", "Choose at least one person")
		}
	}
	if len(req.Rules) > lead.MaxAssignmentRules {
		add(req.Rules[lead.MaxAssignmentRules].Control+".person",
			"Use at most "+strconv.Itoa(lead.MaxAssignmentRules)+" rules")
	}
	limit, ok := parseOpenLimit(req.Limit)
	if !ok {
		add("limit", "Enter a whole number from 1 to "+strconv.Itoa(maxOpenLimit)+", or leave it empty")
	}
	if len(wrong) > 0 {
		return 0, fault.InvalidFields(wrong...)
	}
	return limit, nil
}

func valid[T any](all []T, ok func(T) bool) bool {
	return !slices.ContainsFunc(all, func(one T) bool { return !ok(one) })
}

// rulesOf returns the rules of a form, whose people must work at the company. A rule without an id gets one.
func (r *Rules) rulesOf(ctx context.Context, q store.Queries, req RulesRequest) ([]lead.AssignmentRule, error) {
	current, err := q.AssignmentRules(ctx, r.d.Company())
	if err != nil {
		return nil, err
	}
	var set []lead.AssignmentRule
	for _, one := range req.Rules {
		rule := one.AssignmentRule
		known := slices.ContainsFunc(current.Rules, func(c lead.AssignmentRule) bool { return c.ID == rule.ID })
		if twice := slices.ContainsFunc(set, func(c lead.AssignmentRule) bool { return c.ID == rule.ID }); !known || twice {
			rule.ID = r.d.NewID()
		}
		for _, share := range rule.People {
			user, err := q.User(ctx, share.UserID)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return nil, err
			}
			if err != nil || !user.WorksAt(r.d.Company()) {
				return nil, fault.InvalidField(one.Control+".person",
					"Choose originators at your company who have an active account")
			}
		}
		set = append(set, rule)
	}
	return set, nil
}

func parseOpenLimit(typed string) (limit int, ok bool) {
	if typed = strings.TrimSpace(typed); typed == "" {
		return 0, true
	}
	limit, err := strconv.Atoi(typed)
	return limit, err == nil && limit >= 1 && limit <= maxOpenLimit
}

// Pause stops the rules until somebody resumes them. A lead that is being sent is finished.
func (r *Rules) Pause(ctx context.Context) error {
	if err := r.may(); err != nil {
		return err
	}
	return r.change(ctx, store.ActionRulesPause, func(_ *store.Tx, rules *lead.AssignmentRules) error {
		if rules.Running() {
			rules.PausedAt, rules.PausedBy, rules.PauseReason = store.Millis(r.d.Now()), r.d.Actor.UserID, ""
		}
		return nil
	})
}

// Resume lets paused rules act again, in this user's name.
func (r *Rules) Resume(ctx context.Context) error {
	if err := r.may(); err != nil {
		return err
	}
	return r.change(ctx, store.ActionRulesResume, func(_ *store.Tx, rules *lead.AssignmentRules) error {
		rules.PausedAt, rules.PausedBy, rules.PauseReason = 0, "", ""
		return nil
	})
}

// change changes the rules of the company and audits the result. A pause leaves in whose name they act.
func (r *Rules) change(ctx context.Context, action store.AuditAction,
	change func(tx *store.Tx, rules *lead.AssignmentRules) error) error {
	company := r.d.Company()
	return r.d.Store.Write(ctx, func(tx *store.Tx) error {
		now, err := r.d.Reauthorize(ctx, tx, access.SeeTeam)
		if err != nil {
			return err
		}
		if now.Company() != company {
			return fault.New(fault.Denied, "Your account changed after you opened this page. Sign in again.")
		}
		rules, err := tx.AssignmentRules(ctx, company)
		if err != nil {
			return err
		}
		if err := change(tx, &rules); err != nil {
			return err
		}
		if action != store.ActionRulesPause {
			rules.SetBy, rules.SetAt = r.d.Actor.UserID, store.Millis(r.d.Now())
		}
		if err := tx.SaveAssignmentRules(ctx, rules); err != nil {
			return err
		}
		return r.d.AuditAction(ctx, tx, action, "company:"+company, "done", rulesDetail(rules))
	})
}

// rulesDetail describes rules for the audit.
func rulesDetail(rules lead.AssignmentRules) string {
	detail := "off"
	switch {
	case rules.Running():
		detail = "on"
	case rules.Active:
		detail = strings.TrimSpace("paused " + string(rules.PauseReason))
	}
	if rules.OpenLimit > 0 {
		detail += " limit:" + strconv.Itoa(rules.OpenLimit)
	}
	return detail + " rules:" + strconv.Itoa(len(rules.Rules)) + " people:" + strings.Join(rules.People(), ",")
}
