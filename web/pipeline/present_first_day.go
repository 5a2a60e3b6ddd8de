package pipeline

import (
	"context"
	"strconv"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	deskpipeline "hearthline/internal/desk/pipeline"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// addMissions counts a practice mission as a first inquiry, in the demo.
func addMissions(ctx context.Context, d *desk.Desk, list *desk.ListPage) error {
	if list.FirstDay == nil || list.FirstDay.Started {
		return nil
	}
	rehearsal, err := d.Rehearsal()
	if err != nil {
		return err
	}
	progress, err := rehearsal.Progress(ctx)
	if err != nil {
		return err
	}
	if list.FirstDay.Started = progress.Done() > 0; list.FirstDay.Done() {
		list.FirstDay = nil
	}
	return nil
}

// presentFirstDay maps what a new user has still to do; demo reports whether there are practice missions.
func presentFirstDay(v text.Viewer, f deskpipeline.FirstDay, demo bool) *view.FirstDayView {
	var all view.FirstDayView
	if f.Originator {
		all.Steps = append(all.Steps, view.FirstStep{Done: f.Licenses, Label: "License states.",
			Text: "None on file for you. Assignment rules choose colleagues with a license on file first."})
		if v.Who.Can(access.ManageCompany) {
			all.Steps[0].Links = []ui.NavLink{{Label: "Company settings", Href: to.Full.TeamPart("settings")}}
		} else {
			all.Steps[0].Text += " Ask your manager to add them."
		}
	}
	inquiry := view.FirstStep{Done: f.Started, Label: "First inquiry.", Text: "No inquiry accepted by the lender yet.",
		Links: []ui.NavLink{{Label: "New inquiry", Href: v.Base.NewLead("")}}}
	if demo {
		inquiry.Label = "First inquiry or practice mission."
		inquiry.Links = append(inquiry.Links, ui.NavLink{Label: "Practice missions", Href: to.DemoMissions()})
	}
	all.Steps = append(all.Steps, view.FirstStep{Done: f.SecondFactor, Label: "Second factor.",
		Text:  "It protects your account if your password is stolen.",
		Links: []ui.NavLink{{Label: "Add a sign-in method", Href: v.Base.Account() + "#factors"}}}, inquiry)
	if f.Invites {
		all.Steps = append(all.Steps, view.FirstStep{Done: f.Assistant, Label: "Invite an assistant.",
			Text:  "Assistants prepare inquiries for your originators.",
			Links: []ui.NavLink{{Label: "Invite a user", Href: v.Base.Invite()}}})
	}
	done := 0
	for _, s := range all.Steps {
		if s.Done {
			done++
		}
	}
	all.Progress = strconv.Itoa(done) + " of " + strconv.Itoa(len(all.Steps)) + " done"
	return &all
}

// waitingNotices tells a new user about the leads that were theirs before their account existed.
func waitingNotices(v text.Viewer, list desk.ListPage) (notices []ui.Notice) {
	if n := list.WaitingOwn; n > 0 {
		notices = append(notices, ui.Notice{Icon: "users",
			Title:   text.Pluralize(n, "open lead was", "open leads were") + " already yours before you had an account here.",
			Actions: []ui.Action{{Label: "View all leads", Href: v.Base.Leads(to.LeadsQuery{View: "all"})}}})
	}
	if n := list.WaitingFormer; n > 0 {
		notices = append(notices, ui.Notice{Icon: "users",
			Title: text.Pluralize(n, "open lead that was yours has", "open leads that were yours have") + " no originator now.",
			Text:  "Managers at your company can assign unassigned leads."})
	}
	return notices
}
