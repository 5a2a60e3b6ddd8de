package team

import (
	"slices"
	"strconv"

	deskteam "hearthline/internal/desk/team"
	"hearthline/internal/heloc"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// presentAbsences maps the list of absences. The caller sets Page.
func presentAbsences(v text.Viewer, list deskteam.AbsenceList, f *form.Form) view.AbsencesView {
	model := view.AbsencesView{ForCompany: list.ForCompany, Form: presentAbsenceForm(v, list, f)}
	model.Form.URL, model.Form.Submit = to.Full.TeamPart("absences"), "Save absence"
	if list.ForCompany {
		model.Form.People = page.CandidateChoices(v, list.People, false)
	}
	for _, a := range list.Open {
		model.Open = append(model.Open, presentAbsenceRow(a, list.Now))
	}
	for _, a := range list.Past {
		model.Past = append(model.Past, presentAbsenceRow(a, list.Now))
	}
	for _, a := range list.AsDeputy {
		row := presentAbsenceRow(a, list.Now)
		if row.Action = "Details"; a.Covered {
			row.Action, row.Href = "Leads", v.Base.Leads(to.LeadsQuery{Originator: string(a.Originator)})
		}
		model.AsDeputy = append(model.AsDeputy, row)
	}
	return model
}

func presentAbsenceForm(v text.Viewer, list deskteam.AbsenceList, f *form.Form) view.AbsenceFormView {
	return view.AbsenceFormView{Form: f.View(""), NoDeputy: len(list.Deputies) == 0,
		Deputies: page.CandidateChoices(v, list.Deputies, false)}
}

func presentAbsenceRow(a deskteam.Absence, now int64) view.AbsenceRow {
	row := view.AbsenceRow{Name: a.Name, Days: a.Days(), Deputy: a.DeputyName, Note: a.Note, Href: to.Absence(a.ID),
		Action: "Details"}
	switch {
	case a.Coming(now) && a.Uncovered(now):
		row.Chip = ui.ChipView{Label: "Upcoming, not covered", Icon: "clock-alert", Tone: "yours"}
		row.Warning = "Can’t cover: the account was disabled or moved to another company. Choose someone else to cover."
	case a.Coming(now):
		row.Chip = ui.ChipView{Label: "Upcoming", Icon: "calendar"}
	case a.Running(now) && a.Covered:
		row.Chip = ui.ChipView{Label: "Absent now", Icon: "users"}
	case a.Running(now):
		row.Chip = ui.ChipView{Label: "Absent, not covered", Icon: "clock-alert", Tone: "yours"}
		row.Warning = "No access now: the account was disabled, moved to another company or has another role. " +
			"Choose someone else to cover."
	case a.Continued:
		row.Chip = ui.ChipView{Label: "Coverage changed", Icon: "users"}
	case a.EndedAt != 0:
		row.Chip = ui.ChipView{Label: "Ended early", Icon: "check"}
	default:
		row.Chip = ui.ChipView{Label: "Ended", Icon: "check"}
	}
	if len(a.DeputyAbsent) > 0 && row.Warning == "" {
		row.Warning = a.DeputyName + " is absent too: " + a.DeputyAbsent[0].Days() + "."
	}
	if a.MayChange {
		row.Action = "Change"
	}
	return row
}

// presentAbsence maps one absence. The caller sets Page and what the deputy did.
func presentAbsence(v text.Viewer, a deskteam.Absence, list deskteam.AbsenceList, f *form.Form) view.AbsenceView {
	model := view.AbsenceView{ID: a.ID, Row: presentAbsenceRow(a, list.Now), MayChange: a.MayChange,
		Running: a.Running(list.Now), Begun: !a.Coming(list.Now), Form: presentAbsenceForm(v, list, f)}
	model.Form.URL, model.Form.Submit = to.Absence(a.ID), "Save changes"
	if !a.Coming(list.Now) {
		model.Form.Begun = string(a.FirstDay)
	}
	model.Facts = ui.FactsOrDash("First day", text.Date(a.FirstDay), "Last day", text.Date(a.LastDay),
		"Covered by", a.DeputyName, "Entered", v.DateTime(text.TimeOfMillis(a.CreatedAt)), "Note", a.Note)
	if a.EndedAt != 0 {
		label := "Ended early"
		if a.Continued {
			label = "Coverage ended"
		}
		model.Facts = append(model.Facts, ui.Fact{Label: label, Value: v.DateTime(text.TimeOfMillis(a.EndedAt))})
	}
	return model
}

// presentAvailability maps whether an originator is absent.
func presentAvailability(name string, m deskteam.Member) view.AvailabilityView {
	switch {
	case m.Absence != nil && m.Absence.IsOut():
		return view.AvailabilityView{Text: "Out through " + text.Date(m.Absence.LastDay),
			Cover: "leads reassigned until then", Href: to.TeamOut(string(m.UUID))}
	case m.Absence != nil && m.Absence.Covered:
		return view.AvailabilityView{Text: "Absent through " + text.Date(m.Absence.LastDay),
			Cover: "covered by " + m.Absence.DeputyName, Href: to.Absence(m.Absence.ID)}
	case m.Absence != nil:
		return view.AvailabilityView{Text: "Absent through " + text.Date(m.Absence.LastDay), Cover: "not covered", Late: true,
			Href: to.Absence(m.Absence.ID)}
	case m.HasAccount:
		return view.AvailabilityView{Href: to.AbsenceFor(m.UserID), Action: "Enter absence", Of: " for " + name}
	default:
		return view.AvailabilityView{}
	}
}

// coverFilter reads the filter of a URL. Values that are not known do not filter.
func coverFilter(q to.AbsenceQuery) deskteam.CoverFilter {
	f := deskteam.CoverFilter{Status: heloc.StatusKey(q.Status), After: q.After}
	if action := deskteam.CoverAction(q.Did); slices.Contains(deskteam.CoverActions(), action) {
		f.Action = action
	}
	return f
}

// presentCoverWork maps what the deputy did on the originator's leads.
func presentCoverWork(v text.Viewer, a deskteam.Absence, work deskteam.CoverWork,
	f deskteam.CoverFilter) view.CoverWorkView {
	filtered := f.Action != "" || f.Status != ""
	q := to.AbsenceQuery{ID: a.ID, Did: string(f.Action), Status: string(f.Status)}
	model := view.CoverWorkView{
		Text: a.DeputyName + " worked on " + text.Pluralize(work.Total, "lead", "leads") +
			". Each lead’s activity shows the details.", Action: to.Absence(a.ID), Filters: coverFilters(work, f),
	}
	for _, l := range work.Leads {
		row := view.CoveredLeadRow{Name: "A lead you can’t open", Count: text.Pluralize(l.Count, "action", "actions"),
			Last: v.DateTime(text.TimeOfMillis(l.LastAt))}
		if f.Action != "" {
			row.Count = strconv.Itoa(l.Count) + " matching"
		}
		if l.Accessible {
			status := text.StatusOf(string(l.Status), string(l.Step))
			row.Name, row.ShortID, row.Href = text.OrDash(text.FullName(l.Name)), l.ShortID, v.Base.Lead(string(l.App))
			row.Status = ui.StatusChip(status)
		}
		model.Rows = append(model.Rows, row)
	}
	switch {
	case filtered:
		model.Clear = to.Absence(a.ID)
		model.Text = text.Pluralize(work.Total, "lead matches", "leads match") + " the filters."
		if f.After != "" && work.Total == 0 {
			model.Text = "No more leads match the filters."
		}
	case work.Total == 0 && f.After == "":
		model.Text, model.Filters = "No activity by "+a.DeputyName+" during this absence.", nil
	case work.Total == 0:
		model.Text = "No more leads."
	}
	model.Pager.CountText = strconv.Itoa(len(work.Leads)) + " of " + text.Pluralize(work.Total, "lead", "leads")
	model.Pager.Links(f.After, work.Next, func(after string) string {
		q.After = after
		return to.AbsenceWork(q)
	})
	return model
}

// coverFilters are the controls: what can be done, and the statuses that the leads have.
func coverFilters(work deskteam.CoverWork, f deskteam.CoverFilter) []ui.Field {
	did := [][2]string{{"", "All actions"}}
	for _, action := range deskteam.CoverActions() {
		did = append(did, [2]string{string(action), text.CoverAction(string(action))})
	}
	statuses := [][2]string{{"", "All statuses"}}
	for _, s := range work.Statuses {
		statuses = append(statuses, [2]string{string(s.StatusKey), text.StatusOf(string(s.StatusKey), "").Chip})
	}
	return []ui.Field{
		{Name: "did", Label: "What was done", Options: ui.Choices(string(f.Action), did...)},
		{Name: "status", Label: "Lead’s status now", Options: ui.Choices(string(f.Status), statuses...)},
	}
}
