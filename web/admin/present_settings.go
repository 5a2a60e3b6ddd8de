package admin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	deskadmin "hearthline/internal/desk/admin"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// maxTodo is how many tasks of one kind the page lists.
const maxTodo = 10

// presentSettings maps the settings of a company. The caller sets Page and the forms.
func presentSettings(p deskadmin.CompanyPage) view.SettingsView {
	licenses := 0
	for _, person := range p.People {
		for _, l := range person.Licenses {
			if current(l, p.Today) {
				licenses++
			}
		}
	}
	model := view.SettingsView{
		Name: p.Brand.Name, Todo: presentLicenseTasks(p), Grid: presentLicenseGrid(p),
		Facts: []string{text.Pluralize(p.Accounts, "person", "people"),
			text.Pluralize(licenses, "current license", "current licenses")},
		People: []view.TodoItem{
			{Title: text.Pluralize(p.Accounts, "active account", "active accounts"),
				Action: ui.Action{Label: "Open people", Href: to.Full.TeamPart("people")}},
			{Title: text.Pluralize(p.Invited, "pending invitation", "pending invitations") + ", " +
				text.Pluralize(p.Requested, "invitation waiting for an administrator", "invitations waiting for an administrator"),
				Sub:    "Originators from the lender’s directory, assistants and managers",
				Action: ui.Action{Label: "Invite a user", Href: to.Full.Invite()}},
		},
		Automation: []view.TodoItem{
			{Title: "Assignment rules: " + rulesState(p.Rules), Sub: rulesPeople(p.Rules),
				Action: ui.Action{Label: "Open rules", Href: to.Full.TeamPart("rules")}},
			{Title: "Monthly summary by email: " + map[bool]string{true: "on", false: "off"}[p.Monthly],
				Sub: "Your own setting", Action: ui.Action{Label: "Change", Href: to.Full.Account()}},
		},
	}
	if p.Brand.NMLS != "" {
		model.Facts = append([]string{"NMLS " + p.Brand.NMLS}, model.Facts...)
	}
	for _, c := range p.CRMs {
		item := view.TodoItem{Title: c.Name, Sub: "Connected for " + text.Pluralize(c.Connected, "person", "people")}
		if c.Disabled {
			item.Sub = "Disabled"
		}
		model.CRMs = append(model.CRMs, item)
	}
	if len(p.CRMs) == 0 {
		model.CRMs = []view.TodoItem{{Title: "No CRM is set up for this company"}}
	}
	return model
}

func rulesState(r lead.AssignmentRules) string {
	switch {
	case r.Running():
		return "on"
	case r.Active:
		return "paused"
	default:
		return "off"
	}
}

func rulesPeople(r lead.AssignmentRules) string {
	if !r.Active {
		return "Unassigned leads wait until someone assigns them"
	}
	return text.Pluralize(len(r.People()), "person takes part", "people take part")
}

// current reports whether a license on file allows somebody to act today.
func current(l lead.License, today heloc.Date) bool { return l.Allowed && !today.After(l.ExpiresOn) }

// presentLicenseTasks lists what the company should do about its licenses.
func presentLicenseTasks(p deskadmin.CompanyPage) (tasks []view.TodoItem) {
	anything := slices.ContainsFunc(p.People, func(one deskadmin.LicensedPerson) bool { return len(one.Licenses) > 0 })
	if !anything {
		return firstLicenseTasks(p)
	}
	leads, licensed := stateCounts(p)
	for _, state := range sortedStates(leads) {
		if licensed[state] == 0 {
			tasks = append(tasks, view.TodoItem{
				Title: text.State(state) + " has " + text.Pluralize(leads[state], "open lead", "open leads") +
					" and no originator with an account and a current license on file",
				Action: ui.Action{Label: "Add a license in " + text.State(state), Href: to.SettingsLicense("", state)}})
		}
	}
	more := 0
	for _, person := range p.People {
		if soon := expiring(person.Licenses, p.Today); len(soon) > 0 {
			if more++; more > maxTodo {
				continue
			}
			tasks = append(tasks, expiringTask(person, soon, p.Today))
		}
	}
	if soon := expiring(p.Company, p.Today); len(soon) > 0 {
		tasks = append(tasks, expiringTask(deskadmin.LicensedPerson{Originator: lead.Originator{FirstName: p.Brand.Name,
			UUID: heloc.OriginatorID(soon[0].Holder)}}, soon, p.Today))
	}
	if more > maxTodo {
		tasks = append(tasks, view.TodoItem{Title: text.Pluralize(more-maxTodo, "more person has", "more people have") +
			" licenses that expire soon, marked below"})
	}
	return tasks
}

// firstLicenseTasks lists for whom to record licenses first, when none are known.
func firstLicenseTasks(p deskadmin.CompanyPage) (tasks []view.TodoItem) {
	people := slices.SortedStableFunc(slices.Values(p.People), func(a, b deskadmin.LicensedPerson) int {
		return cmp.Compare(b.Open(), a.Open())
	})
	for i, person := range people {
		if i == maxTodo {
			tasks = append(tasks, view.TodoItem{Title: text.Pluralize(len(people)-i, "more person has", "more people have") +
				" no license on file"})
			break
		}
		sub := "No open leads"
		if states := sortedStates(person.Leads); len(states) > 0 {
			sub = text.Pluralize(person.Open(), "open lead", "open leads") + " in " + strings.Join(states, ", ")
		}
		tasks = append(tasks, view.TodoItem{Title: strings.TrimSpace(person.Name()) + " has no license on file", Sub: sub,
			Action: ui.Action{Label: "Add licenses for " + strings.TrimSpace(person.Name()),
				Href: to.SettingsLicense(string(person.UUID))}})
	}
	return tasks
}

func expiring(all []lead.License, today heloc.Date) (soon []lead.License) {
	for _, l := range all {
		if l.ExpiresSoon(today) {
			soon = append(soon, l)
		}
	}
	return soon
}

func expiringTask(person deskadmin.LicensedPerson, soon []lead.License, today heloc.Date) view.TodoItem {
	var when, states []string
	for _, l := range soon {
		states = append(states, l.State)
		when = append(when, text.State(l.State)+" "+expiryText(l, today))
	}
	name := strings.TrimSpace(person.Name())
	return view.TodoItem{
		Title: name + ": renew " + text.Pluralize(len(soon), "license", "licenses"), Sub: strings.Join(when, ", "),
		Action: ui.Action{Label: "Renew for " + name, Href: to.SettingsLicense(string(person.UUID), states...)},
	}
}

// expiryText says when a license expires or did, such as "expires Dec 31, 2026".
func expiryText(l lead.License, today heloc.Date) string {
	if today.After(l.ExpiresOn) {
		return "expired " + text.Date(l.ExpiresOn)
	}
	return "expires " + text.Date(l.ExpiresOn)
}

// daysText says how long a license still runs.
func daysText(l lead.License, today heloc.Date) string {
	last, _ := l.ExpiresOn.Time()
	now, _ := today.Time()
	days := int(last.Sub(now).Hours() / 24)
	switch {
	case days < 0:
		return "expired"
	case days == 0:
		return "today"
	default:
		return text.Pluralize(days, "day", "days")
	}
}

// stateCounts counts the open leads of a company by state, and the originators with a current license there.
func stateCounts(p deskadmin.CompanyPage) (leads, licensed map[string]int) {
	leads, licensed = map[string]int{}, map[string]int{}
	for state, n := range p.Unassigned {
		leads[state] += n
	}
	for _, person := range p.People {
		for state, n := range person.Leads {
			leads[state] += n
		}
		for _, l := range person.Licenses {
			if current(l, p.Today) && person.RemovedAt == 0 && person.HasAccount {
				licensed[l.State]++
			}
		}
	}
	return leads, licensed
}

func sortedStates(counts map[string]int) (states []string) {
	for state := range counts {
		states = append(states, state)
	}
	slices.Sort(states)
	return states
}

// presentLicenseGrid maps the licenses by person and state. The company's own are the last row.
func presentLicenseGrid(p deskadmin.CompanyPage) view.LicenseGrid {
	leads, licensed := stateCounts(p)
	shown := map[string]int{}
	for state := range leads {
		shown[state] = 1
	}
	people := slices.Clone(p.People)
	if len(p.Company) > 0 {
		people = append(people, deskadmin.LicensedPerson{Licenses: p.Company, Originator: lead.Originator{
			FirstName: p.Brand.Name, NMLS: p.Brand.NMLS, UUID: heloc.OriginatorID(p.Company[0].Holder)}})
	}
	for _, person := range people {
		for _, l := range person.Licenses {
			shown[l.State] = 1
		}
	}
	var g view.LicenseGrid
	states := sortedStates(shown)
	for _, state := range states {
		c := view.LicenseColumn{Code: state, Name: text.State(state), Licensed: strconv.Itoa(licensed[state])}
		if leads[state] > 0 {
			c.Leads = text.Pluralize(leads[state], "lead", "leads")
			if c.Gap = licensed[state] == 0; c.Gap {
				c.Licensed = "None"
			}
		}
		g.States = append(g.States, c)
	}
	for _, person := range people {
		name := strings.TrimSpace(person.Name())
		row := view.LicenseGridRow{Name: name, Sub: text.NMLSOrUnknown(person.NMLS), Initials: page.Initials(name),
			AddURL: to.SettingsLicense(string(person.UUID))}
		for _, state := range states {
			row.Cells = append(row.Cells, presentLicenseCell(person.Licenses, state, p.Today))
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

func presentLicenseCell(licenses []lead.License, state string, today heloc.Date) view.LicenseCell {
	at := slices.IndexFunc(licenses, func(l lead.License) bool { return l.State == state })
	if at < 0 {
		return view.LicenseCell{}
	}
	l := licenses[at]
	cell := view.LicenseCell{State: state, Text: "On file", Soon: l.ExpiresSoon(today)}
	if t, ok := l.ExpiresOn.Time(); ok {
		cell.Text = t.Format("01/02/06")
	}
	switch {
	case !l.Allowed:
		cell.Text = "Not licensed"
	case cell.Soon:
		cell.Sub = daysText(l, today)
	}
	return cell
}
