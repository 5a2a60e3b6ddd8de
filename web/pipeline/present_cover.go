package pipeline

import (
	"slices"
	"strconv"
	"strings"

	deskteam "hearthline/internal/desk/team"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/lead"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// coverNotice says for whom the user covers, with the lists of that originator's leads.
func coverNotice(v text.Viewer, q to.LeadsQuery, c deskteam.Cover) ui.Notice {
	n := ui.Notice{Icon: "users", Title: "You’re covering for " + c.Name + " through " + text.Date(c.LastDay) + "."}
	of := to.LeadsQuery{Originator: string(c.Originator)}
	if q.Originator == of.Originator {
		n.Text = "This list shows " + c.Name + "’s leads."
		n.Actions = []ui.Action{{Label: "Your leads", Href: v.Base.Leads(to.LeadsQuery{})}}
		return n
	}
	of.View, of.Only = "all", string(lead.OnlyOpen)
	n.Actions = append(n.Actions, ui.Action{Label: text.CappedCount(c.Open) + " open", Href: v.Base.Leads(of)})
	of.View, of.Only = text.TodayKey, ""
	n.Actions = append(n.Actions, ui.Action{Label: text.CappedCount(c.Today) + " in Today", Href: v.Base.Leads(of)})
	return n
}

// coveredOf is the originator whose leads the list shows because the user covers for them; "" on other lists.
func coveredOf(q to.LeadsQuery, f desk.ListPage) string {
	of := func(c deskteam.Cover) bool { return f.Originators == nil && string(c.Originator) == q.Originator }
	if !slices.ContainsFunc(f.Covers, of) {
		return ""
	}
	return q.Originator
}

// maxReturned is how many leads the list of a user who has returned shows; the others are on the page of the absence.
const maxReturned = 8

// presentReturned maps what was done while the user was absent.
func presentReturned(v text.Viewer, r *deskteam.Returned) view.ReturnedView {
	if r == nil || v.Base.Embedded() { // the absence has no page in a frame
		return view.ReturnedView{}
	}
	model := view.ReturnedView{
		Title: "While you were away (" + r.Days() + ")", SeenURL: to.AbsenceAction(r.ID, "seen"), AllURL: to.Absence(r.ID),
		Text: r.DeputyName + " covered for you. No activity by " + r.DeputyName + " during this absence.",
	}
	if n := r.Total; n > 0 {
		model.Text = r.DeputyName + " covered for you and worked on " + strconv.Itoa(n) + " of your leads."
	}
	for _, l := range r.Leads[:min(len(r.Leads), maxReturned)] {
		shown := view.ReturnedLead{Name: "No longer your lead"}
		if l.Accessible {
			shown.Href = v.Base.Lead(string(l.App))
			shown.Name = strings.TrimSpace(text.OrDash(text.FullName(l.Name)) + " " + l.ShortID)
		}
		shown.Text = text.Pluralize(l.Count, "action", "actions") + ", last " + v.DateTimeInText(text.TimeOfMillis(l.LastAt))
		model.Leads = append(model.Leads, shown)
	}
	if more := r.Total - maxReturned; more > 0 {
		model.More = text.Pluralize(more, "more lead", "more leads")
	}
	model.Keep = presentKeep(v, r)
	return model
}

// presentKeep asks whether the deputy should continue with leads that are still the user's.
func presentKeep(v text.Viewer, r *deskteam.Returned) (k view.ReturnedKeep) {
	for _, l := range r.Leads {
		if l.Accessible {
			k.Apps = append(k.Apps, string(l.App))
		}
	}
	if len(k.Apps) == 0 || r.DeputyOriginator == "" || !r.DeputyActive || !v.Who.Can(access.ReassignLead) {
		return view.ReturnedKeep{}
	}
	k.Question = "Should " + r.DeputyName + " continue with any of them? Otherwise they stay with you."
	if r.Total == 1 {
		k.Question = "Should " + r.DeputyName + " continue with it? Otherwise it stays with you."
	}
	k.Action = ui.Action{Label: "Reassign to " + r.DeputyName + "…"}
	k.Assignee, k.URL = string(r.DeputyOriginator), v.Base.Reassignments()
	return k
}
