package team

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// removeRule is the position that removes a rule.
const removeRule = "remove"

// ruleControl is the name of the group of a rule's controls.
func ruleControl(n int) string { return "rule." + strconv.Itoa(n) }

// rulesRequest reads the rules of a form in the order of their positions. A new rule that is empty is none.
func rulesRequest(f *form.Form) deskreassign.RulesRequest {
	req := deskreassign.RulesRequest{Active: f.IsChecked("active"), Limit: f.Text("limit")}
	positions := map[string]int{}
	for n := range lead.MaxAssignmentRules {
		control := ruleControl(n)
		position := f.Text(control + ".position")
		if position == removeRule || !f.HasAny(control+".") {
			continue
		}
		rule := deskreassign.RuleRequest{Control: control, AssignmentRule: lead.AssignmentRule{
			ID: f.Text(control + ".id"), Source: lead.Source(f.Text(control + ".source")),
			States: ruleStates(f.Text(control + ".states")), People: ruleShares(f.Values[control+".person"]),
		}}
		if m := f.Money(control + ".from"); m != nil {
			rule.From = *m
		}
		if m := f.Money(control + ".to"); m != nil {
			rule.To = *m
		}
		// A rule that moves goes past the one whose position it gets.
		to, err := strconv.Atoi(position)
		if err != nil {
			to = n + 1
		}
		positions[control] = 2*to + cmp.Compare(to, n+1)
		req.Rules = append(req.Rules, rule)
	}
	slices.SortStableFunc(req.Rules, func(a, b deskreassign.RuleRequest) int {
		return cmp.Compare(positions[a.Control], positions[b.Control])
	})
	return req
}

// ruleStates reads typed states. One that is no state stays as it was typed.
func ruleStates(typed string) []string {
	var all []string
	for _, one := range strings.FieldsFunc(typed, func(r rune) bool { return r == ',' || r == ';' }) {
		one = strings.TrimSpace(one)
		if code, ok := heloc.StateOf(one); ok {
			one = code
		}
		if one != "" {
			all = append(all, one)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ruleShares reads who takes part in a rule: each value is a user id and a weight.
func ruleShares(values []string) []lead.RuleShare {
	var all []lead.RuleShare
	for _, one := range values {
		id, weight, _ := strings.Cut(one, " ")
		n, _ := strconv.Atoi(weight)
		if id != "" && !slices.ContainsFunc(all, func(s lead.RuleShare) bool { return s.UserID == id }) {
			all = append(all, lead.RuleShare{UserID: id, Weight: n})
		}
	}
	return all
}

func shareValue(id string, weight int) string { return id + " " + strconv.Itoa(weight) }

// rulesValues returns the values of the form for rules.
func rulesValues(rules lead.AssignmentRules) url.Values {
	values := url.Values{"active": {strconv.FormatBool(rules.Active)}}
	if rules.OpenLimit > 0 {
		values.Set("limit", strconv.Itoa(rules.OpenLimit))
	}
	for n, rule := range rules.Rules {
		control := ruleControl(n)
		values.Set(control+".id", rule.ID)
		values.Set(control+".position", strconv.Itoa(n+1))
		values.Set(control+".states", strings.Join(rule.States, ", "))
		values.Set(control+".source", string(rule.Source))
		for name, amount := range map[string]heloc.Money{".from": rule.From, ".to": rule.To} {
			if amount != 0 {
				values.Set(control+name, text.ControlMoney(&amount))
			}
		}
		for _, share := range rule.People {
			values.Add(control+".person", shareValue(share.UserID, share.Weight))
		}
	}
	return values
}

// presentRuleForms maps the controls of the rules in a form, and those of a new rule if there can be one more.
func presentRuleForms(v text.Viewer, p deskreassign.RulesPage, f *form.Form) []view.RuleForm {
	var all []view.RuleForm
	saved := 0
	for n := range lead.MaxAssignmentRules {
		if f.Values.Get(ruleControl(n)+".id") != "" {
			saved = n + 1
		}
	}
	for n := range lead.MaxAssignmentRules {
		control := ruleControl(n)
		one := view.RuleForm{Control: control, ID: f.Values.Get(control + ".id"),
			Row:     ui.RowView{Index: strconv.Itoa(n), Nth: text.Ordinal(n + 1), Noun: "rule"},
			Sources: append([][2]string{{"", "Any source"}}, text.RecordedSources()...)}
		switch {
		case one.ID != "":
			for at := range saved {
				one.Positions = append(one.Positions, [2]string{strconv.Itoa(at + 1), text.Ordinal(at + 1)})
			}
			one.Positions = append(one.Positions, [2]string{removeRule, "Remove this rule"})
		case n < saved:
			continue // removed
		case n > saved && !f.HasAny(control+"."):
			return all
		case n > 0:
			one.Row.Nth = "New"
		}
		for _, person := range p.People {
			one.People = append(one.People, presentRuleShare(v, control, person, f))
		}
		all = append(all, one)
	}
	return all
}

// presentRuleShare maps the control that says how a person takes part in a rule.
func presentRuleShare(v text.Viewer, control string, person deskreassign.RulePerson, f *form.Form) ui.Field {
	option := page.CandidateOption(v, person.Candidate, person.UserID)
	field := ui.Field{Name: control + ".person", ID: control + "." + person.UserID, Label: option.Label, Span: "c4",
		Hint: option.Note}
	if person.Absence != nil {
		field.Hint += ", skipped until then"
	}
	options := [][2]string{{"", "Doesn’t take part"}}
	chosen := ""
	for weight := range lead.MaxRuleWeight {
		value := shareValue(person.UserID, weight+1)
		options = append(options, [2]string{value, text.Pluralize(weight+1, "share", "shares")})
		if slices.Contains(f.Values[field.Name], value) {
			chosen = value
		}
	}
	field.Options = ui.Choices(chosen, options...)
	return field
}

// labelRuleErrors names the controls of rules in the error summary.
func labelRuleErrors(f ui.Form) ui.Form {
	labels := map[string]string{"person": "who takes part", "states": "property states", "source": "source",
		"from": "lowest amount", "to": "highest amount"}
	for _, e := range f.FieldErrors {
		if pieces := strings.Split(e.Name, "."); len(pieces) == 3 && pieces[0] == "rule" {
			n, _ := strconv.Atoi(pieces[1])
			f = f.Labeled(e.Name, text.Ordinal(n+1)+" rule, "+labels[pieces[2]])
		}
	}
	return f.Labeled("limit", "Most open leads per person")
}

// presentRulesTrial maps what rules would have done, by person.
func presentRulesTrial(v text.Viewer, p deskreassign.RulesPage, trial deskreassign.RulesTrial) *view.RulesTrialView {
	p.Rules.Rules = trial.Rules
	model := &view.RulesTrialView{Summary: "last 30 days", Note: "No lead was without an originator in the last 30 days."}
	if n := len(trial.Leads); n > 0 {
		model.Note = "These rules, tried on " + text.Pluralize(n, "lead that was", "leads that were") +
			" without an originator in the last 30 days. Nothing was saved or assigned. The trial uses today’s " +
			"absences, licenses and open leads, counts each lead for the person who would have gotten it, and starts turns " +
			"over. Leads that wait are assigned most urgent first, so they can take other turns."
	}
	if trial.More {
		model.Note += " Older leads were left out."
	}
	groups := map[string]*view.RulesTrialGroup{}
	for _, l := range trial.Leads {
		if groups[l.UserID] == nil {
			groups[l.UserID] = &view.RulesTrialGroup{Name: p.Name(l.UserID)}
		}
		row := view.RuleWaitingRow{Name: text.OrDash(text.FullName(l.Name)), Href: v.Base.Lead(string(l.App)),
			ShortID: text.ShortID(l.Row), State: text.OrDash(l.State), Why: ruleChoiceText(p, l.Choice)}
		if l.UserID == "" {
			row.Why = ruleNobodyText(p, l.Choice)
		}
		groups[l.UserID].Rows = append(groups[l.UserID].Rows, row)
	}
	for id, g := range groups {
		g.Count = text.Pluralize(len(g.Rows), "lead", "leads")
		if id != "" {
			model.Groups = append(model.Groups, *g)
		}
	}
	slices.SortFunc(model.Groups, func(a, b view.RulesTrialGroup) int {
		return cmp.Or(cmp.Compare(len(b.Rows), len(a.Rows)), cmp.Compare(a.Name, b.Name))
	})
	if g := groups[""]; g != nil {
		g.Name = "No one"
		model.Groups = append(model.Groups, *g)
	}
	return model
}
