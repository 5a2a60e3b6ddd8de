package team

import (
	"slices"
	"strconv"
	"strings"

	deskreassign "hearthline/internal/desk/reassign"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// review is what the page that reassigns many leads shows.
type review struct {
	req     deskreassign.BulkReassignRequest
	plan    deskreassign.Plan
	all     []deskreassign.PlannedLead // the leads of the page, also those that are not selected
	targets deskreassign.Targets
	typed   string // the search for a colleague
}

// presentReview maps a review. The caller sets Page and Form.
func presentReview(v text.Viewer, r review) view.BulkReassignView {
	model := view.BulkReassignView{Key: r.req.FormKey, Targets: presentTargets(v, r)}
	if len(r.plan.Assignees) > 0 {
		model.Request, model.Outcome = r.plan.Fingerprints()
	}
	names := assigneeNames(r.targets)
	for _, l := range r.all {
		at := slices.IndexFunc(r.plan.Leads, func(p deskreassign.PlannedLead) bool { return p.App == l.App })
		selected := at >= 0
		if selected {
			l = r.plan.Leads[at]
		}
		row := presentPlannedLead(v, l, r.plan, names)
		row.Selected = selected
		model.Rows = append(model.Rows, row)
	}
	model.Owner = commonOwner(r.all)
	movable := r.plan.Movable()
	verb := " can be reassigned"
	if len(r.plan.Assignees) > 0 {
		verb = " ready to reassign"
	}
	model.Summary = strconv.Itoa(movable) + " of " + strconv.Itoa(len(r.plan.Leads)) + verb + ". Nothing has been sent."
	model.Selected = strconv.Itoa(len(r.plan.Leads)) + " selected"
	if model.Button = "Reassign leads"; movable > 0 {
		model.Button = "Reassign " + text.Pluralize(movable, "lead", "leads")
	}
	model.Spread, model.Warning, model.Hint = spreadText(r, names), warningText(r.plan), hintText(v, r, movable)
	return model
}

// commonOwner returns who has all of the leads; empty when several have them.
func commonOwner(leads []deskreassign.PlannedLead) string {
	if len(leads) == 0 || slices.ContainsFunc(leads, func(l deskreassign.PlannedLead) bool {
		return l.Row.Originator == "" || l.Row.Originator != leads[0].Row.Originator
	}) {
		return ""
	}
	return leads[0].Originator
}

// assigneeNames returns the names of the listed people, with the NMLS ID where two have the same name.
func assigneeNames(t deskreassign.Targets) map[heloc.OriginatorID]string {
	people := make([]lead.Originator, len(t.List))
	for i, one := range t.List {
		people[i] = one.Originator
	}
	return text.OriginatorNames(people)
}

// spreadText says how many leads each of the chosen people would get.
func spreadText(r review, names map[heloc.OriginatorID]string) string {
	var parts []string
	for _, id := range r.plan.Assignees {
		parts = append(parts, strconv.Itoa(r.plan.Gets(id))+" to "+text.OrDash(names[id]))
	}
	return strings.Join(parts, ", ")
}

// warningText says how many leads go to somebody who may not be allowed to act on them, or would not see them.
func warningText(plan deskreassign.Plan) string {
	var warnings []string
	for _, w := range []struct {
		n       int
		without string
	}{{plan.Unlicensed(), "a license on file"}, {plan.WithoutAccount(), "an account"}} {
		if w.n > 0 {
			warnings = append(warnings, text.Pluralize(w.n, "lead goes", "leads go")+" to someone without "+w.without+".")
		}
	}
	return strings.Join(warnings, " ")
}

// hintText says what reassigning does, as far as it is known before.
func hintText(v text.Viewer, r review, movable int) string {
	if len(r.plan.Leads) == 0 {
		return "Check at least one lead."
	}
	if len(r.plan.Assignees) == 0 {
		return "Choose one or more originators."
	}
	var hints []string
	if left := len(r.plan.Leads) - movable; left > 0 {
		hints = append(hints, text.Pluralize(left, "lead", "leads")+" can’t be reassigned.")
	}
	if movable > 0 && r.targets.Team && allNotified(v, r) {
		hints = append(hints, "Each new originator gets one notification.")
	}
	if movable > 0 && !slices.ContainsFunc(r.plan.Leads,
		func(l deskreassign.PlannedLead) bool { return l.To != "" && l.Row.Originator == "" }) {
		hints = append(hints, "You can undo for 15 minutes.")
	}
	return strings.Join(hints, " ")
}

// allNotified reports whether everybody who would get leads has an account and is not the user.
func allNotified(v text.Viewer, r review) bool {
	return !slices.ContainsFunc(r.targets.List, func(t deskreassign.Target) bool {
		return t.Gets > 0 && (!t.HasAccount || string(t.UUID) == v.Who.OriginatorUUID)
	})
}

func presentPlannedLead(v text.Viewer, l deskreassign.PlannedLead, plan deskreassign.Plan,
	names map[heloc.OriginatorID]string) view.BulkReassignRow {
	row := view.BulkReassignRow{App: string(l.App), ShortID: "Not available", Problem: l.Problem, To: names[l.To]}
	if l.CreatedAt != 0 { // otherwise the user cannot access it
		shown := page.PresentRow(v, &l.PipelineRow, nil)
		row.Name, row.ShortID, row.Place, row.Step, row.Timing, row.Late, row.Mine = shown.Name, shown.ShortID,
			shown.CityState, shown.Chip, shown.Timing, shown.Overdue, shown.YourMove
		if l.Row.HasScheduledRepull() { // the row does not show whose move it is
			row.Timing.Before = "re-pull scheduled "
		}
		if row.Owner = l.Originator; l.Row.Originator == "" {
			row.Owner = "Unassigned"
		}
	}
	if l.To == "" {
		return row
	}
	row.Initials, row.Why = page.Initials(l.ToName), whyText(l, plan)
	if len(plan.Assignees) < 2 {
		return row
	}
	bySplit := ui.Option{Label: names[l.To], Selected: !l.Chosen}
	if l.Chosen {
		bySplit.Label = "By the split"
	}
	row.Choices = append(row.Choices, bySplit)
	for _, id := range plan.Assignees {
		if id == l.To && !l.Chosen {
			continue
		}
		row.Choices = append(row.Choices, ui.Option{Value: string(id), Label: names[id], Selected: l.Chosen && id == l.To})
	}
	return row
}

// splitReason is the reason of the split; "" where one of the chosen people has the lead now, so that the split had
// fewer people.
func splitReason(l deskreassign.PlannedLead, plan deskreassign.Plan, reason string) string {
	if slices.Contains(plan.Assignees, l.Row.Originator) {
		return ""
	}
	return reason
}

// whyText says why an originator would get a lead.
func whyText(l deskreassign.PlannedLead, plan deskreassign.Plan) string {
	license := ""
	switch {
	case l.State == "":
	case l.License == lead.LicenseHeld:
		license = "Licensed in " + l.State
	case len(plan.Assignees) == 1:
		return "No license on file in " + text.State(l.State) + ". Check with the originator first."
	default:
		license = "No license on file: " + l.State
	}
	switch {
	case l.Chosen:
		return text.JoinNonEmpty(" · ", "Your choice", license)
	case len(plan.Assignees) > 1 && plan.Split == deskreassign.SplitLoad:
		return text.JoinNonEmpty(" · ", splitReason(l, plan, "Fewest open leads"), license)
	case len(plan.Assignees) > 1 && plan.Split == deskreassign.SplitEven:
		return text.JoinNonEmpty(" · ", splitReason(l, plan, "Even split"), license)
	default:
		return license
	}
}

func presentTargets(v text.Viewer, r review) view.TargetsView {
	t := view.TargetsView{Query: r.typed, Sub: "With an account and licensed first"}
	labels := map[deskreassign.Split]string{deskreassign.SplitEven: "Evenly", deskreassign.SplitLoad: "By open leads",
		deskreassign.SplitLicense: "By license"}
	for _, split := range deskreassign.Splits() {
		if split != deskreassign.SplitLoad || r.targets.Team {
			t.Splits = append(t.Splits, ui.Option{Value: string(split), Label: labels[split], Selected: split == r.plan.Split})
		}
	}
	if r.targets.Team {
		t.Sub = "With an account and licensed first, then fewest open leads"
	}
	titles := map[deskreassign.TargetGroup]string{
		deskreassign.LicensedInAll:   "Licensed in every state of these leads",
		deskreassign.LicensedInSome:  "Licensed in some of these states",
		deskreassign.LicensesUnknown: "No license on file for these states",
		deskreassign.LicensedNowhere: "Not licensed in these states",
		deskreassign.NoAccount:       "No account: no one signs in for their leads",
		deskreassign.AccountDisabled: "Can’t work on leads",
	}
	if len(r.targets.States) == 0 {
		titles[deskreassign.LicensesUnknown] = "Originators"
	}
	for _, one := range r.targets.List {
		if title := titles[one.Group()]; len(t.Groups) == 0 || t.Groups[len(t.Groups)-1].Title != title {
			t.Groups = append(t.Groups, view.TargetGroup{Title: title})
		}
		in := &t.Groups[len(t.Groups)-1]
		in.Targets = append(in.Targets, presentTarget(v, one, r.targets.Team))
	}
	if r.targets.Total > len(r.targets.List) || r.targets.Total == 0 {
		t.Result = page.SearchResultText(r.typed, r.targets.DirectoryResult)
	}
	return t
}

func presentTarget(v text.Viewer, t deskreassign.Target, team bool) view.Target {
	shown := view.Target{
		Value: string(t.UUID), Name: t.Name(), NMLS: text.NMLSOrUnknown(t.NMLS), Chosen: t.Chosen, Held: t.Held,
		Disabled: t.Barred() && !t.Chosen, Licenses: page.MissingLicensesText(t.Candidate),
	}
	if len(t.Held) > 1 && len(t.Unknown)+len(t.Missing) == 0 {
		shown.Held, shown.Licenses = nil, "Licensed in all "+strconv.Itoa(len(t.Held))+" states"
	}
	if t.Gets > 0 {
		shown.Gets = "+" + strconv.Itoa(t.Gets)
	}
	if team {
		shown.Available, shown.Open = page.AvailabilityText(v, t.Candidate), strconv.Itoa(t.Open)+" open"
	}
	return shown
}

// tooManyText says why the leads of a list cannot be reassigned together.
func tooManyText(n int) string {
	return text.CappedCount(n) + " leads match. You can reassign up to " + strconv.Itoa(lead.MaxBulkLeads) +
		" at a time. Nothing was sent."
}

// overdueLeads counts the leads of a plan that are overdue.
func overdueLeads(plan deskreassign.Plan, now int64) int {
	n := 0
	for _, l := range plan.Leads {
		if lead.OnlyOverdue.Passes(*l.Row, now) && l.CreatedAt != 0 {
			n++
		}
	}
	return n
}

func overdueLabel(n int) string { return "Only the " + strconv.Itoa(n) + " overdue" }
