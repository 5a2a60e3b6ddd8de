package reassign

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
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
	People []string // the users who take part
	Limit  string   // open leads per person, as it is typed; empty for no limit
}

// Save sets the rules, which then act in this user's name. Rules that were paused stay paused. Its field errors name
// the controls person and limit.
func (r *Rules) Save(ctx context.Context, req RulesRequest) error {
	if err := r.may(); err != nil {
		return err
	}
	var wrong []fault.Field
	if req.Active && len(req.People) == 0 {
		wrong = append(wrong, fault.Field{Name: "person", Message: "Choose at least one person"})
	}
	limit, ok := parseOpenLimit(req.Limit)
	if !ok {
		wrong = append(wrong, fault.Field{Name: "limit",
			Message: "Enter a whole number from 1 to " + strconv.Itoa(maxOpenLimit) + ", or leave it empty"})
	}
	if len(wrong) > 0 {
		return fault.InvalidFields(wrong...)
	}
	return r.change(ctx, store.ActionRulesSet, func(tx *store.Tx, rules *lead.AssignmentRules) error {
		people := slices.Compact(slices.Sorted(slices.Values(req.People)))
		for _, id := range people {
			user, err := tx.User(ctx, id)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
			if err != nil || !user.WorksAt(r.d.Company()) {
				return fault.InvalidField("person", "Choose originators at your company who have an active account")
			}
		}
		if !req.Active || !rules.Active {
			rules.PausedAt, rules.PausedBy, rules.PauseReason = 0, "", ""
		}
		rules.Active, rules.OpenLimit, rules.People, rules.ScanAfter = req.Active, limit, people, ""
		return nil
	})
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
	return detail + " people:" + strings.Join(rules.People, ",")
}
