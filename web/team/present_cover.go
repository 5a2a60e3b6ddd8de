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
)

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
