package team

import (
	"net/http"

	deskteam "hearthline/internal/desk/team"
	"hearthline/internal/heloc"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// StuckPage lists the leads that have been at their step for too long. All of its state is in the URL.
func (h *Handlers) StuckPage(w http.ResponseWriter, r *http.Request, team *deskteam.Team) error {
	params := r.URL.Query()
	q := to.StuckQuery{Step: params.Get("step"), Originator: params.Get("originator"), After: params.Get("after")}
	return h.renderStuck(w, r, team, stuckOutcome{query: q, status: http.StatusOK})
}

// stuckOutcome is what the list shows, and a notice above it.
type stuckOutcome struct {
	query  to.StuckQuery
	notice ui.Notice
	status int
}

func (h *Handlers) renderStuck(w http.ResponseWriter, r *http.Request, team *deskteam.Team,
	outcome stuckOutcome) error {
	q := outcome.query
	filter := deskteam.StuckFilter{Step: heloc.Step(q.Step), After: q.After, Unassigned: q.Originator == to.NoOriginator}
	if !filter.Unassigned {
		filter.Originator = heloc.OriginatorID(q.Originator)
	}
	found, err := team.Stuck(r.Context(), filter)
	if err != nil {
		return err
	}
	model := presentStuck(h.Viewer(r), q, found)
	model.Notice = outcome.notice
	model.Page = h.Layout(r, "Stuck leads")
	return h.Render(w, r, outcome.status, page.PartOrWhole(r, view.StuckPart(model), view.Stuck(model)))
}

// Nudge asks the originator of a lead to follow up on it, once. The list then says who asked and when.
func (h *Handlers) Nudge(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	nudge, fresh, err := l.Nudge(r.Context())
	if err != nil {
		return err
	}
	q := to.StuckQuery{Step: f.Text("step"), Originator: f.Text("originator")}
	if fresh {
		return page.NavigateTo(w, r, to.Stuck(q))
	}
	team, err := page.VisitOf(r).Desk.Team()
	if err != nil {
		return err
	}
	return h.renderStuck(w, r, team, stuckOutcome{query: q, status: http.StatusConflict, notice: ui.Notice{
		Icon: "info", Title: "Already asked to follow up.", Role: "alert",
		Text: nudge.By + " asked the originator " + h.Viewer(r).DateTimeInText(text.TimeOfMillis(nudge.At)) +
			". No one was notified again.",
	}})
}
