package team

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	deskreassign "hearthline/internal/desk/reassign"
	deskteam "hearthline/internal/desk/team"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// UnassignedPage lists the company's unassigned leads. For the navigation of other pages, it returns only their count.
func (h *Handlers) UnassignedPage(w http.ResponseWriter, r *http.Request, team *deskteam.Team) error {
	layout := h.Layout(r, "Unassigned")
	if link, id, ok := page.NavCountOf(r, layout); ok {
		return h.Render(w, r, http.StatusOK, ui.NavCount(link, id))
	}
	return h.renderUnassigned(w, r, team, layout, &form.Form{})
}

// ReassignDeparted reassigns the work of a departed user to a colleague, and redirects to the run.
func (h *Handlers) ReassignDeparted(w http.ResponseWriter, r *http.Request, team *deskteam.Team, f *form.Form) error {
	departures, err := page.VisitOf(r).Desk.Departures()
	if err != nil {
		return err
	}
	run, err := departures.Reassign(r.Context(), chi.URLParam(r, "id"), f.Text(lead.AssigneeControl))
	switch {
	case page.Rejected(f, err):
		return h.renderUnassigned(w, r, team, h.Layout(r, "Unassigned"), f)
	case err != nil:
		return err
	case run != "":
		return page.NavigateTo(w, r, to.Full.Reassignment(run))
	}
	return page.NavigateTo(w, r, to.Full.TeamPart("unassigned"))
}

func (h *Handlers) renderUnassigned(w http.ResponseWriter, r *http.Request, team *deskteam.Team, layout ui.Page,
	f *form.Form) error {
	after := r.URL.Query().Get("after")
	unassigned, err := team.Unassigned(r.Context(), after)
	if err != nil {
		return err
	}
	n, err := team.UnassignedCount(r.Context())
	if err != nil {
		return err
	}
	rules, err := team.AssignmentRules(r.Context())
	if err != nil {
		return err
	}
	v := h.Viewer(r)
	model := view.UnassignedView{Page: layout, Summary: strconv.Itoa(n) + " without an originator",
		Rules: presentRulesLink(rules), Auto: rules.Running()}
	for _, l := range unassigned.Leads {
		rowView := page.PresentRow(v, &l.PipelineRow, nil)
		rowView.Selectable, rowView.Owner, rowView.OwnerNote = true, unassignedText(l),
			"since "+v.SinceText(text.TimeOfMillis(l.Since))
		if l.Reason == deskteam.UnassignedCannot {
			rowView.OwnerNote = "until " + v.SinceText(text.TimeOfMillis(l.Since))
		}
		model.Rows = append(model.Rows, rowView)
	}
	if len(model.Rows) > 0 {
		list := to.LeadsQuery{View: "all", Originator: to.NoOriginator, Only: string(lead.OnlyOpen)}
		matching := 0
		if after != "" || unassigned.Next != "" {
			matching = n
		}
		model.Bar = page.PresentReassignBar(list, matching, len(model.Rows))
		model.Bar.Button = "Assign selected…"
		if n <= lead.MaxBulkLeads {
			model.AssignAll = ui.Action{Label: "Assign all " + strconv.Itoa(n) + "…", Icon: "users", Href: to.ReassignList(list)}
		}
	}
	model.Pager = ui.PagerView{CountText: text.Pluralize(len(unassigned.Leads), "lead", "leads")}
	model.Pager.Links(after, unassigned.Next, to.UnassignedPage)
	departures, err := page.VisitOf(r).Desk.Departures()
	if err != nil {
		return err
	}
	departed, assignees, err := departures.List(r.Context())
	if err != nil {
		return err
	}
	model.Departed = presentDeparted(h.Viewer(r), departed, assignees, chi.URLParam(r, "id"), f)
	return h.Render(w, r, page.FormStatus(f), view.Unassigned(model))
}

// unassignedText says why a lead has no originator, as far as it is known.
func unassignedText(l deskteam.UnassignedLead) string {
	who := l.Former
	switch l.Reason {
	case deskteam.UnassignedNotListed:
		return cmp.Or(who, "Its originator") + " is no longer in the lender’s directory"
	case deskteam.UnassignedMoved:
		return who + " moved to another company"
	case deskteam.UnassignedCannot:
		return "Was " + who + "’s"
	case deskteam.UnassignedStarted:
		return "Started by " + cmp.Or(who, "an originator") + ", who moved to another company"
	default:
		return "No originator on record"
	}
}

// presentDeparted maps departed users and the work that they left behind. An error appears on the
// form that caused it.
func presentDeparted(v text.Viewer, departed []deskreassign.Departed, candidates []lead.Candidate, submitted string,
	f *form.Form) []view.DepartedRow {
	var rows []view.DepartedRow
	for _, l := range departed {
		choices := page.CandidateChoices(v, slices.DeleteFunc(slices.Clone(candidates), func(c lead.Candidate) bool {
			return c.UserID == "" && l.Drafts > 0
		}), true)
		row := view.DepartedRow{Key: l.Key, Title: "From " + text.OrDash(l.Name),
			Text: text.RemainingWorkText(l.Leads, l.Drafts), Assignees: ui.Choices("", choices...)}
		if l.StillMember {
			row.Title = text.OrDash(l.Name) + " can no longer work on drafts"
		}
		if l.Key == submitted && len(f.FieldErrors) > 0 {
			row.Error = f.FieldErrors[0].Message
		}
		rows = append(rows, row)
	}
	return rows
}
