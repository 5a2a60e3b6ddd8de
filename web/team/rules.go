package team

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// RulesPage shows the rules by which unassigned leads are assigned, with what they did.
func (h *Handlers) RulesPage(w http.ResponseWriter, r *http.Request, rules *deskreassign.Rules) error {
	return h.renderRules(w, r, rules, nil, nil)
}

// SaveRules sets the rules.
func (h *Handlers) SaveRules(w http.ResponseWriter, r *http.Request, rules *deskreassign.Rules, f *form.Form) error {
	req := rulesRequest(f)
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return rules.Save(r.Context(), req) }, Redisplay: func() error {
			return h.renderRules(w, r, rules, f, nil)
		},
		Next: to.Full.TeamPart("rules"), IsSetting: true,
	})
}

// TryRules shows what the rules of the form would have done in the last 30 days. It saves nothing.
func (h *Handlers) TryRules(w http.ResponseWriter, r *http.Request, rules *deskreassign.Rules, f *form.Form) error {
	req := rulesRequest(f)
	if f.HasErrors() {
		return h.renderRules(w, r, rules, f, nil)
	}
	trial, err := rules.Try(r.Context(), req)
	if page.Rejected(f, err) {
		return h.renderRules(w, r, rules, f, nil)
	}
	if err != nil {
		return err
	}
	return h.renderRules(w, r, rules, f, &trial)
}

// renderRules renders the page; f is the form to show again, or nil, and trial what its rules would have done, or nil.
func (h *Handlers) renderRules(w http.ResponseWriter, r *http.Request, rules *deskreassign.Rules, f *form.Form,
	trial *deskreassign.RulesTrial) error {
	q := deskreassign.RulesQuery{LogBefore: r.URL.Query().Get("after"), WaitAfter: r.URL.Query().Get("waiting")}
	found, err := rules.Page(r.Context(), q)
	if err != nil {
		return err
	}
	if f == nil {
		f = page.NewForm(r, rulesValues(found.Rules))
	}
	model := presentRules(h.Viewer(r), found, q, f)
	if trial != nil {
		model.Trial = presentRulesTrial(h.Viewer(r), found, *trial)
	}
	model.Page = h.Layout(r, "Assignment rules")
	return h.Render(w, r, page.FormStatus(f), view.Rules(model))
}

// presentRules maps the assignment rules with the parts of their page that a query selects. The caller sets Page.
func presentRules(v text.Viewer, p deskreassign.RulesPage, q deskreassign.RulesQuery, f *form.Form) view.RulesView {
	model := view.RulesView{
		Summary: text.Pluralize(p.Unassigned, "unassigned lead", "unassigned leads"), Status: presentRulesStatus(v, p),
		Form: labelRuleErrors(f.View("")), Rules: presentRuleForms(v, p, f), Running: p.Rules.Running(),
		Submit: "Leads are assigned in the name of the manager who saved or resumed the rules last. Yours will read “" +
			lead.RulesActorName(v.Who.Name) +
			"”. If your account can no longer assign the company’s leads, the rules pause.",
	}
	if len(p.Left) > 0 {
		model.Left = "No longer able to get leads here: " + strings.Join(p.Left, ", ") + ". Saving removes them."
	}
	for _, l := range p.Waiting {
		model.Waiting = append(model.Waiting, view.RuleWaitingRow{
			Name: text.OrDash(text.FullName(l.Name)), Href: v.Base.Lead(string(l.App)), ShortID: text.ShortID(l.Row),
			State: text.OrDash(l.State), Why: ruleWaitText(v, p, l),
		})
	}
	if model.NoneWaiting = "None."; q.WaitAfter != "" || p.NextWait != "" {
		model.NoneWaiting = "None in this part of the queue."
		model.WaitingPager = ui.PagerView{CountText: text.Pluralize(len(p.Waiting), "lead", "leads"),
			Label: "Leads that can’t be assigned now"}
	}
	model.WaitingPager.Links(q.WaitAfter, p.NextWait,
		func(after string) string { return to.RulesPage(q.LogBefore, after) })
	for _, e := range p.Log {
		model.Log = append(model.Log, presentRuleLogRow(v, p, e))
	}
	model.LogPager.CountText = text.Pluralize(len(p.Log), "lead", "leads")
	model.LogPager.Links(q.LogBefore, p.NextLog, func(before string) string { return to.RulesPage(before, q.WaitAfter) })
	return model
}

func presentRulesStatus(v text.Viewer, p deskreassign.RulesPage) view.RulesStatus {
	by := func(id, name string) string {
		if id == v.Who.UserID {
			return "you"
		}
		return cmp.Or(name, "a former user")
	}
	r := p.Rules
	changed := ""
	if r.SetAt != 0 {
		changed = " Last changed by " + by(r.SetBy, p.SetBy) + ", " + v.DateTimeInText(text.TimeOfMillis(r.SetAt)) + "."
	}
	switch {
	case !r.Active:
		return view.RulesStatus{Chip: ui.ChipView{Label: "Off", Icon: "circle-x"},
			Text: "Unassigned leads wait until someone assigns them." + changed}
	case r.PausedAt == 0:
		s := view.RulesStatus{Chip: ui.ChipView{Label: "On", Icon: "circle-check", Tone: "offers"}, Action: "pause",
			Button: ui.Action{Label: "Pause rules", Icon: "clock"}}
		s.Text = "Unassigned leads are assigned automatically, in the name of " + by(r.SetBy, p.SetBy) + "." + changed
		if r.SetBy == v.Who.UserID {
			s.Text = "Unassigned leads are assigned automatically, in your name." + changed
		}
		if !anyoneFree(p) {
			s.Warning = "No one who takes part can get a lead now: " +
				"each is absent, at the limit, or without an active account here."
		}
		return s
	}
	s := view.RulesStatus{Chip: ui.ChipView{Label: "Paused", Icon: "clock-alert", Tone: "yours"}, Action: "resume",
		Button: ui.Action{Label: "Resume rules", Icon: "check", Kind: "pri"}}
	s.Text = "Paused since " + v.SinceText(text.TimeOfMillis(r.PausedAt))
	if r.PausedBy != "" {
		s.Text += " by " + by(r.PausedBy, p.PausedBy)
	} else {
		s.Text += " automatically"
		s.Warning = pauseReasonText(r.PauseReason, cmp.Or(p.SetBy, "The manager who set the rules"))
	}
	s.Text += ". Nothing is assigned, and the rules below are kept. Once you resume, leads are assigned in your name."
	return s
}

// anyoneFree reports whether somebody who takes part could get a lead now, whatever its state.
func anyoneFree(p deskreassign.RulesPage) bool {
	return slices.ContainsFunc(p.People, func(one deskreassign.RulePerson) bool {
		return one.Chosen && one.Absence == nil && (p.Rules.OpenLimit == 0 || one.Open < p.Rules.OpenLimit)
	})
}

// pauseReasonText says why the rules paused themselves.
func pauseReasonText(why lead.RulePauseReason, manager string) string {
	switch why {
	case lead.RulePauseAccount:
		return manager + ", in whose name leads were assigned, no longer has an active account."
	case lead.RulePauseCompany:
		return manager + ", in whose name leads were assigned, is no longer at this company."
	default:
		return manager + ", in whose name leads were assigned, no longer has a role that can assign the company’s leads."
	}
}

func presentRuleLogRow(v text.Viewer, p deskreassign.RulesPage, e deskreassign.RuleLogEntry) view.RuleLogRow {
	row := view.RuleLogRow{
		Name: "A lead you can’t open", ShortID: e.ShortID, To: text.OrDash(cmp.Or(e.ToName, p.Name(e.UserID))),
		When: v.DateTime(text.TimeOfMillis(e.At)), Why: ruleChoiceText(p, e.Choice),
		Chip: rowResultChip(e.Result), Outcome: rowResultText(
			deskreassign.RunRow{JobRow: lead.JobRow{Messages: e.Said, Reason: e.Reason, Verdict: e.Verdict}, Result: e.Result}),
	}
	switch e.Result {
	case lead.RowMoved:
		row.Chip.Label = "Assigned"
	case lead.RowRejected:
		row.Chip.Label = "Refused by the lender"
	case lead.RowStopped:
		row.Chip.Label = "Not assigned"
	}
	if e.Accessible {
		row.Name, row.Href = text.OrDash(text.FullName(e.Name)), v.Base.Lead(string(e.App))
	}
	return row
}

// ruleChoiceText says why somebody got a lead.
func ruleChoiceText(p deskreassign.RulesPage, c lead.RuleChoice) string {
	words := "Next in turn"
	rule := slices.IndexFunc(p.Rules.Rules, func(r lead.AssignmentRule) bool { return r.ID == c.Rule })
	if rule >= 0 && len(p.Rules.Rules) > 1 {
		words += " by rule " + strconv.Itoa(rule+1)
	}
	next := words
	licensed := lead.RuleChoice{State: c.State}
	for _, skip := range c.Skipped {
		if skip.Licensed {
			licensed.Skipped = append(licensed.Skipped, skip)
		}
	}
	if len(licensed.Skipped) > 0 {
		words = "No one with a license on file in " + c.State + " was available: " + skipsText(p, licensed) +
			". " + next + " among the others"
		c.Skipped = slices.DeleteFunc(slices.Clone(c.Skipped), func(s lead.RuleSkip) bool { return s.Licensed })
	}
	if skipped := len(c.Skipped) + c.More; skipped > 0 {
		words += "; " + text.Pluralize(skipped, "was skipped", "were skipped") + ": " + skipsText(p, c)
	}
	if words += "."; c.Unlicensed && c.State != "" {
		words += " No license on file in " + c.State + "."
	}
	return words
}

// skipsText lists those who were skipped, with their reasons.
func skipsText(p deskreassign.RulesPage, c lead.RuleChoice) string {
	var all []string
	for _, skip := range c.Skipped {
		all = append(all, cmp.Or(p.Name(skip.UserID), "A former user")+" "+skipReasonText(skip, c.State))
	}
	if c.More > 0 {
		all = append(all, "and "+text.Pluralize(c.More, "more", "more"))
	}
	return strings.Join(all, ", ")
}

func skipReasonText(skip lead.RuleSkip, state string) string {
	switch skip.Reason {
	case lead.RuleSkipAbsent:
		return "is absent through " + text.Date(skip.Until)
	case lead.RuleSkipMissing:
		return "isn’t licensed in " + state
	case lead.RuleSkipNotOnFile:
		return "has no license on file in " + state
	case lead.RuleSkipAtLimit:
		return "has reached the limit with " + text.Pluralize(skip.Open, "open lead", "open leads")
	case lead.RuleSkipOtherGroup:
		return "works for another organization"
	default:
		return "has no active account here or isn’t in the lender’s directory"
	}
}

// ruleWaitText says why the rules do not assign a lead now.
func ruleWaitText(v text.Viewer, p deskreassign.RulesPage, l deskreassign.RuleWaitingLead) string {
	to := text.OrDash(p.Name(l.Last.UserID))
	at := v.DateTimeInText(text.TimeOfMillis(l.Last.At))
	switch l.Reason {
	case deskreassign.RuleWaitConfirming:
		return "The lender accepted a reassignment. Waiting for its details to show the new originator."
	case deskreassign.RuleWaitUnknown:
		return "Its last reassignment isn’t confirmed yet. We’re checking with the lender."
	case deskreassign.RuleWaitRejected:
		return "The lender refused to assign it to " + to + ", " + at + ". Assign it yourself."
	case deskreassign.RuleWaitNotArrived:
		return "Its assignment to " + to + ", " + at + ", didn’t reach the lender. Assign it yourself."
	case deskreassign.RuleWaitLater:
		return "Its assignment to " + to + " was stopped, " + at + ", and nothing was sent. The rules try again after " +
			v.TimeOfDay(l.RetryAt) + "."
	}
	return ruleNobodyText(p, l.Choice)
}

// ruleNobodyText says why the rules give a lead to nobody.
func ruleNobodyText(p deskreassign.RulesPage, c lead.RuleChoice) string {
	if len(c.Skipped) == 0 {
		return "No rule fits this lead."
	}
	return "No one can take it: " + skipsText(p, c) + "."
}

// presentRulesLink says on the unassigned page whether leads are assigned automatically.
func presentRulesLink(rules lead.AssignmentRules) string {
	switch {
	case rules.Running():
		return "Assignment rules: on"
	case rules.Active:
		return "Assignment rules: paused"
	default:
		return "Assignment rules: off"
	}
}
