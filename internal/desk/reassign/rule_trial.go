package reassign

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

const (
	trialPeriod   = 30 * 24 * time.Hour
	maxTrialLeads = 200
)

// RulesTrial is what rules would have done with the leads that had no originator at some time in the last 30 days.
type RulesTrial struct {
	Leads []RuleTrialLead // oldest first
	More  bool            // there were older leads, which were not tried
	Rules []lead.AssignmentRule
}

// RuleTrialLead is a lead with who would have got it; UserID is empty for nobody.
type RuleTrialLead struct {
	lead.PipelineRow
	UserID string
	Choice lead.RuleChoice
}

// Try runs the rules of a form against the leads of the last 30 days and writes nothing. It uses the current
// absences, licenses and open leads, and counts each lead that is still open for the person who would have gotten it,
// not for the one who has it. Turns start as if no one had gotten a lead. Its field errors are those of Save.
func (r *Rules) Try(ctx context.Context, req RulesRequest) (RulesTrial, error) {
	var trial RulesTrial
	if err := r.may(); err != nil {
		return trial, err
	}
	limit, err := req.check()
	if err != nil {
		return trial, err
	}
	if trial.Rules, err = r.rulesOf(ctx, r.d.Store.Queries, req); err != nil {
		return trial, err
	}
	chooser, err := newRuleChooser(ctx, r.d,
		lead.AssignmentRules{Company: r.d.Company(), OpenLimit: limit, Rules: trial.Rules})
	if err != nil {
		return trial, err
	}
	rows, err := r.d.Store.LeadsWithoutOriginatorSince(ctx, r.d.Actor.Scope(),
		store.Millis(r.d.Now().Add(-trialPeriod)), maxTrialLeads+1)
	if err != nil {
		return trial, err
	}
	if trial.More = len(rows) > maxTrialLeads; trial.More {
		rows = rows[:maxTrialLeads]
	}
	chooser.turns = nil
	slices.Reverse(rows)
	for i, to := range tryRules(chooser, rows) {
		to.Row = &rows[i]
		if to.Name, err = r.d.BorrowerName(rows[i].App, rows[i].Borrower); err != nil {
			return trial, err
		}
		trial.Leads = append(trial.Leads, to)
	}
	return trial, nil
}

// tryRules decides who gets each lead, one after the other.
func tryRules(c *ruleChooser, rows []lead.Row) []RuleTrialLead {
	for _, row := range rows {
		for _, p := range c.people {
			if row.Lane != heloc.LaneEnded && row.Originator != "" && p.UUID == row.Originator {
				p.open--
			}
		}
	}
	all := make([]RuleTrialLead, len(rows))
	for i, row := range rows {
		row.Originator = "" // as it was
		all[i].UserID, all[i].Choice = c.choose(row)
		if who := all[i].UserID; who != "" {
			c.give(who, all[i].Choice.Rule)
			if row.Lane == heloc.LaneEnded {
				c.people[who].open--
			}
		}
	}
	return all
}
