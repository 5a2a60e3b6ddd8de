package team

import (
	"slices"
	"strconv"

	"hearthline/internal/access"
	deskteam "hearthline/internal/desk/team"
	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// presentPeople maps who works for the company. The caller sets Page.
func presentPeople(v text.Viewer, list deskteam.People) view.PeopleView {
	model := view.PeopleView{Invite: v.Who.Can(access.InvitePeople)}
	active := 0
	for _, p := range list.People {
		if p.UserID != "" && !p.Disabled {
			active++
		}
		model.People = append(model.People, presentPersonRow(v, p))
	}
	for _, i := range list.Invited {
		sent := v.DateTime(text.TimeOfMillis(i.At.UnixMilli()))
		if i.By != "" {
			sent += " by " + i.By
		}
		model.Invited = append(model.Invited, view.InvitedRow{
			ID: i.ID, Name: i.User.Name, Email: i.User.Email, Role: text.Role(string(i.User.Role)), Sent: sent,
			Expires: v.DateTime(i.Expires), Resend: !i.User.Role.Privileged(),
		})
	}
	model.Summary = []string{strconv.Itoa(active) + " active", strconv.Itoa(len(list.Invited)) + " invited"}
	switch {
	case list.Disabled == deskteam.MaxDisabledPeople:
		model.Disabled = strconv.Itoa(list.Disabled) + " or more disabled accounts"
	case list.Disabled > 0:
		model.Disabled = text.Pluralize(list.Disabled, "disabled account", "disabled accounts")
	}
	if list.Others > 0 {
		model.Others = text.Pluralize(list.Others, "more originator has no account and no open leads. "+
			"To set up an account, they choose “First time signing in?” on the sign-in page.",
			"more originators have no account and no open leads. "+
				"To set up an account, they choose “First time signing in?” on the sign-in page.")
	}
	return model
}

func presentPersonRow(v text.Viewer, p deskteam.Person) view.PersonRow {
	row := view.PersonRow{
		ID: "originator-" + string(p.Originator.UUID), Name: text.OrDash(p.DisplayName()),
		Sub: text.NMLSOrUnknown(p.Originator.NMLS), Role: text.Role(string(access.Originator)),
		Status: ui.ChipView{Label: "No account", Icon: "user-x"}, Seen: "Never", Licenses: presentLicenses(v, p.Licenses),
		HasLeads: p.Originator.UUID != "",
	}
	if row.HasLeads {
		row.Open = view.CountLink{Text: strconv.Itoa(p.OpenLeads),
			Label: row.Name + ", open leads: " + strconv.Itoa(p.OpenLeads)}
		if p.OpenLeads > 0 {
			row.Open.Href = openLeadsURL(v, p)
			if !p.Disabled {
				row.Out = to.TeamOut(string(p.Originator.UUID))
			}
		}
	}
	if p.UserID == "" {
		if p.OpenLeads > 0 {
			row.Remaining = []string{"No one signs in for these leads"}
		}
		return row
	}
	row.ID, row.Sub, row.Role, row.Href = "person-"+p.UserID, p.Email, text.Role(string(p.Role)), to.TeamPerson(p.UserID)
	if p.Role == access.Assistant {
		row.RoleSub = "for " + text.Pluralize(len(p.WorksFor.All()), "originator", "originators")
		if p.WorksFor == access.AllOriginators || p.WorksFor == "" {
			row.RoleSub = "for " + text.WorksFor(p.Actor, nil)
		}
	}
	row.Status, row.Remaining, row.Disabled = personStatus(p), personRemaining(p), p.Disabled
	switch {
	case p.LastSeenAt > 0:
		row.Seen = v.DateTime(text.TimeOfMillis(max(p.SignedInAt, p.LastSeenAt)))
	case p.SignedInAt > 0: // every session has ended, and the last activity with it
		row.Seen = "Signed in " + v.DateTimeInText(text.TimeOfMillis(p.SignedInAt))
	}
	return row
}

func personStatus(p deskteam.Person) ui.ChipView {
	switch {
	case p.Disabled:
		return ui.ChipView{Label: "Disabled", Icon: "user-x", Tone: "yours"}
	case p.NotInDirectory:
		return ui.ChipView{Label: "Not in lender’s directory", Icon: "user-x", Tone: "yours"}
	case p.Absence != nil && p.Absence.IsOut():
		return ui.ChipView{Label: "Out through " + text.Date(p.Absence.LastDay), Icon: "calendar"}
	case p.Absence != nil && p.Absence.Covered:
		return ui.ChipView{Label: "Absent through " + text.Date(p.Absence.LastDay), Icon: "calendar"}
	case p.Absence != nil:
		return ui.ChipView{Label: "Absent, not covered", Icon: "clock-alert", Tone: "yours"}
	default:
		return ui.ChipView{Label: "Active", Icon: "check"}
	}
}

// personRemaining lists what remains until a user can work, as far as it is known.
func personRemaining(p deskteam.Person) (all []string) {
	if p.Disabled {
		if p.OpenLeads > 0 {
			all = append(all, "Reassign the open leads")
		}
		return all
	}
	if p.OneFactor {
		all = append(all, "No second factor")
	}
	held := func(l lead.License) bool { return l.Allowed }
	if p.OriginatorUUID != "" && !slices.ContainsFunc(p.Licenses, held) {
		all = append(all, "No license on file")
	}
	return all
}

func presentLicenses(v text.Viewer, all []lead.License) (shown []view.LicenseView) {
	today := v.Today()
	for _, l := range all {
		one := view.LicenseView{State: l.State, Denied: !l.Allowed}
		switch {
		case l.ExpiresOn == "":
		case l.ExpiresOn < today:
			one.Expires, one.Due = "expired "+text.Date(l.ExpiresOn), true
		default:
			one.Expires, one.Due = "expires "+text.Date(l.ExpiresOn), l.ExpiresSoon(today)
		}
		shown = append(shown, one)
	}
	return shown
}

// presentPerson maps one user with their open work. The caller sets Page.
func presentPerson(v text.Viewer, p deskteam.Colleague, f *form.Form) view.PersonView {
	model := view.PersonView{ID: p.UserID, Row: presentPersonRow(v, p.Person),
		Offboard: view.OffboardView{May: p.MayOffboard, Form: f.View("")}}
	model.Facts = ui.FactsOrDash("Email", p.Email, "NMLS ID", p.NMLS,
		"Account since", v.DateTime(text.TimeOfMillis(p.CreatedAt)), "Last seen", model.Row.Seen)
	if p.Role == access.Assistant && !p.Disabled {
		assistant := page.PresentAssistant(p.Actor, p.Originators, f)
		assistant.Action = to.TeamPersonAssistant(p.UserID)
		model.Assistant = &assistant
	}
	model.Has = presentWork(v, p)
	if p.Leads > 0 {
		model.LeadsText = "Reassign " + text.Pluralize(len(p.LeadApps), "lead", "leads") + "…"
		if len(p.LeadApps) < p.Leads {
			model.LeadsNote = "The first " + strconv.Itoa(len(p.LeadApps)) + " by due time. Come back for the others."
		}
		for _, app := range p.LeadApps {
			model.LeadApps = append(model.LeadApps, string(app))
		}
		model.Offboard.Leave = "Leave " + text.Pluralize(p.Leads, "open lead", "open leads") + " unassigned"
	}
	if p.RemainingWork.Drafts > 0 {
		model.Offboard.Drafts, model.Offboard.DraftsTo = text.Pluralize(p.RemainingWork.Drafts, "draft", "drafts"),
			page.CandidateChoices(v, p.DraftTakers, false)
	}
	switch {
	case p.Disabled:
		model.Offboard.Instead = "This account is disabled. An administrator can reopen it."
	case p.MayOffboard:
	case p.UserID == v.Who.UserID:
		model.Offboard.Instead = "This is your own account. An administrator can disable it."
	default:
		model.Offboard.Instead = "An administrator can disable the account of a manager."
	}
	return model
}

// presentWork lists what a user has, and what happens to it when their account is disabled or, once it is, where it is.
func presentWork(v text.Viewer, p deskteam.Colleague) (has []view.HasRow) {
	add := func(what, href, then, disabled string) {
		if p.Disabled {
			then = disabled
		}
		has = append(has, view.HasRow{What: what, Href: href, Then: then})
	}
	if p.Leads > 0 {
		add(text.Pluralize(p.Leads, "open lead", "open leads"), openLeadsURL(v, p.Person),
			"Reassign first, or leave unassigned.", "Reassign them.")
	}
	if n := p.RemainingWork.Drafts; n > 0 {
		add(text.Pluralize(n, "draft", "drafts"), "", "Transferred to the person you choose, or listed under Unassigned.",
			"Listed under Unassigned.")
	}
	if n := p.Repulls; n > 0 {
		stays := "Moves with its lead when the lead is reassigned. " +
			"Otherwise it isn’t requested, and the managers of the company see the lead."
		add(text.Pluralize(n, "scheduled credit re-pull", "scheduled credit re-pulls"), "", stays, stays)
	}
	if n := p.Shares; n > 0 {
		works := "Works until it expires, is revoked on the lead, or the lead ends."
		add(text.Pluralize(n, "shared link", "shared links"), "", works, works)
	}
	for _, a := range p.AsDeputy {
		add("Covers for "+a.Name+", "+a.Days(), to.Absence(a.ID), "No one covers until you choose someone else.",
			"No one covers until you choose someone else.")
	}
	for _, a := range p.Absences {
		then := "Ends."
		if a.Coming(v.Now.UnixMilli()) {
			then = "Deleted."
		}
		add("Absence "+a.Days(), to.Absence(a.ID), then, then)
	}
	return has
}

// openLeadsURL is the list of a user's open leads.
func openLeadsURL(v text.Viewer, p deskteam.Person) string {
	return v.Base.Leads(to.LeadsQuery{View: "all", Originator: string(p.Originator.UUID), Only: string(lead.OnlyOpen)})
}

// presentDisabled maps the disabled accounts. The caller sets Page.
func presentDisabled(v text.Viewer, people []deskteam.DisabledPerson) view.DisabledView {
	var model view.DisabledView
	if len(people) == deskteam.MaxDisabledPeople {
		model.Note = "The " + strconv.Itoa(len(people)) + " accounts that were disabled last."
	}
	for _, p := range people {
		row := presentPersonRow(v, p.Person)
		model.People = append(model.People, view.DisabledRow{PersonRow: row,
			When: v.DateTime(text.TimeOfMillis(p.DisabledAt)), By: disablerText(v, p)})
	}
	return model
}

// disablerText says who disabled an account.
func disablerText(v text.Viewer, p deskteam.DisabledPerson) string {
	switch p.By {
	case deskteam.DisablerColleague:
		if p.ByID == v.Who.UserID {
			return "You"
		}
		return text.OrDash(p.ByName)
	case deskteam.DisablerAdmin:
		return "An administrator"
	case deskteam.DisablerFormer:
		return "A former user"
	case deskteam.DisablerDirectory:
		return "Hearthline, because the lender’s directory no longer listed this person"
	case deskteam.DisablerSystem:
		return "Hearthline, by a command on the server"
	default:
		return "Not recorded"
	}
}
