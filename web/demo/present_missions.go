package demo

import (
	"cmp"
	"fmt"

	deskdemo "hearthline/internal/desk/demo"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	view "hearthline/views/demo"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/page"
)

func presentMissions(v text.Viewer, p deskdemo.RehearsalProgress, samples []page.Sample) view.MissionsView {
	done, all := p.Done(), len(p.Missions)
	model := view.MissionsView{
		Count: fmt.Sprintf("%d of %d done", done, all), Since: "Counts what you’ve sent since " + v.SinceText(p.Since) + ".",
		MayStartOver: done > 0, AllDone: done == all,
	}
	for _, m := range p.Missions {
		model.Missions = append(model.Missions, presentMission(v, m, samples))
	}
	return model
}

// presentMission describes a mission by what was done, by its lead or, without a lead, by the sample that makes one.
func presentMission(v text.Viewer, m deskdemo.Mission, samples []page.Sample) view.Mission {
	words := text.MissionOf(string(m.Status))
	task := words.Task
	if m.Step == "" {
		task = text.ReassignTask(v.Who.Role == access.Manager)
	}
	shown := view.Mission{Key: cmp.Or(string(m.Status), text.ReassignMission), Title: words.Title}
	switch {
	case m.Done != nil:
		at := cmp.Or(max(m.Done.AnsweredAt, m.Done.SettledAt), m.Done.SentAt)
		if m.Step != "" {
			at = m.Done.StepChangedAt // only then the step was resolved
		}
		shown.Happened, shown.Done = text.OperationOf(string(m.Done.Kind)).Done+".",
			"Done "+v.DateTimeInText(text.TimeOfMillis(at))
		shown.Href, shown.Link = to.Full.Operation(m.Done.ID), "View receipt"
	case m.Lead != nil:
		shown.Happened, shown.Tasks = words.Happened, []string{task}
		switch {
		case m.Step == "":
			shown.Happened = reassignHappened(v, *m.Lead)
		case m.Lead.StatusKey == heloc.StatusInProgress:
			shown.Happened, shown.Tasks = "The lender is reviewing what was sent.", nil
		}
		shown.Href, shown.Link = to.Full.Lead(string(m.Lead.App)),
			"Open "+cmp.Or(text.BorrowerName(m.Lead.Borrower, m.Lead.Name), m.Lead.ShortID, "lead")
	default:
		shown.Tasks = []string{words.WithoutLead, task}
		for _, sample := range samples {
			if sample.Step == cmp.Or(m.Step, heloc.StepOffersAvailable) {
				shown.Href, shown.Link = to.Full.NewLeadSample(sample.Key), "Open sample"
				break
			}
		}
	}
	return shown
}

// reassignHappened says whose lead it is.
func reassignHappened(v text.Viewer, l deskdemo.MissionLead) string {
	whose := "you"
	if string(l.Row.Originator) != v.Who.OriginatorUUID {
		whose = cmp.Or(l.Originator, "another originator")
	}
	return "The lender lists " + whose + " as this lead’s originator."
}
