package team

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	deskteam "hearthline/internal/desk/team"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
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

// presentStuck maps the stuck leads. The caller sets Page and Notice.
func presentStuck(v text.Viewer, q to.StuckQuery, p deskteam.StuckPage) view.StuckView {
	model := view.StuckView{Query: q, Heading: "All stuck leads",
		Pager: ui.PagerView{CountText: text.PageCount(len(p.Leads), "lead", "leads", q.After == "", p.Next != "")}}
	total, more := 0, ""
	for _, g := range p.Groups {
		row := presentStuckGroup(v, g)
		row.Current = q.Step == string(g.Step) && q.Originator == originatorParam(g.Originator)
		if row.Current {
			model.Heading = row.Step + ", " + row.Name
		}
		total += g.Leads
		if g.Capped {
			more = "+"
		}
		model.Groups = append(model.Groups, row)
	}
	if model.Heading == "All stuck leads" && (q.Step != "" || q.Originator != "") {
		model.Heading = "Selected leads"
	}
	model.Summary = strconv.Itoa(total) + more + " stuck"
	for _, l := range p.Leads {
		model.Rows = append(model.Rows, presentStuckLead(v, l))
	}
	model.Pager.Links(q.After, p.Next, func(after string) string {
		return to.Stuck(to.StuckQuery{Step: q.Step, Originator: q.Originator, After: after})
	})
	return model
}

// originatorParam returns an originator as the URL names them.
func originatorParam(id heloc.OriginatorID) string {
	if id == "" {
		return to.NoOriginator
	}
	return string(id)
}

// ownerName returns the name of a lead's originator, or that there is none.
func ownerName(id heloc.OriginatorID, name string) string {
	if id == "" {
		return "Unassigned"
	}
	return cmp.Or(name, "Not in the lender’s directory")
}

func presentStuckGroup(v text.Viewer, g deskteam.StuckGroup) view.StuckGroupRow {
	step := text.StepName(g.Step)
	row := view.StuckGroupRow{Step: step, Usual: usualStayText(g.UsualStay, true),
		Name:   ownerName(g.StuckCount.Originator, g.Name),
		Oldest: "longest " + text.ShortDuration(v.Now.Sub(text.TimeOfMillis(g.Since)))}
	count := strconv.Itoa(g.Leads)
	if g.Capped {
		count += "+"
	}
	row.Count = view.CountLink{Text: count, Label: row.Name + ", " + step + ": " + count,
		Href: to.Stuck(to.StuckQuery{Step: string(g.Step), Originator: originatorParam(g.StuckCount.Originator)})}
	return row
}

// usualStayText says how long leads usually stay at a step, and how that is known.
func usualStayText(u lead.UsualStay, long bool) string {
	switch {
	case u.Records == 0 && long:
		return "due time " + text.ShortDuration(u.Usual) + " (not enough history)"
	case u.Records == 0:
		return "due time " + text.ShortDuration(u.Usual)
	case long:
		return "usually " + text.ShortDuration(u.Usual) + ", by the last " + strconv.Itoa(u.Records) + " leads"
	default:
		return "usually " + text.ShortDuration(u.Usual)
	}
}

func presentStuckLead(v text.Viewer, l deskteam.StuckLead) view.StuckRow {
	name := text.OrDash(text.BorrowerName(l.Borrower, l.Name))
	owner := ownerName(l.Row.Originator, l.PipelineRow.Originator)
	row := view.StuckRow{
		App: string(l.App), Href: v.Base.Lead(string(l.App)), Name: name, ShortID: text.ShortID(l.Row),
		Chip: ui.StatusChip(text.LeadStatus(l.Row)), Owner: owner,
		Stayed: text.ShortDuration(v.Now.Sub(text.TimeOfMillis(l.StepSince))), Usual: usualStayText(l.UsualStay, false),
		Tried: triedTexts(v, l),
	}
	switch {
	case l.Nudge.At != 0:
		row.Nudged = "Asked to follow up " + v.DateTimeInText(text.TimeOfMillis(l.Nudge.At)) + " by " + l.Nudge.By
	case l.CanNudge:
		row.Nudge = "Ask " + owner + " to follow up on " + name
	case l.Row.Originator == "":
		row.Assign = to.Full.TeamPart("unassigned")
	case l.NoAccount:
		row.Instead = "No account to notify"
	default:
		row.Instead = "Your lead"
	}
	return row
}

// triedTexts lists what is on record for a lead, latest kinds first: the last contact, the last request to the
// lender, a planned follow-up and how many notes there are.
func triedTexts(v text.Viewer, l deskteam.StuckLead) []string {
	var all []string
	if l.LastContactAt != 0 {
		all = append(all, strings.TrimSuffix(text.Contact(l.LastContact), ".")+" "+
			v.DateTimeInText(text.TimeOfMillis(l.LastContactAt)))
	}
	if op := l.Operation; op.ID != "" {
		all = append(all, triedText(op)+", "+v.DateTimeInText(text.TimeOfMillis(op.CreatedAt)))
	}
	if l.FollowUpAt != 0 {
		all = append(all, "Reminder set for "+v.DateTimeInText(text.TimeOfMillis(l.FollowUpAt)))
	}
	if l.Notes > 0 {
		all = append(all, text.Pluralize(l.Notes, "note", "notes"))
	}
	return all
}

// triedText says what was sent and what became of it, "SSN sent" or "SSN: not accepted".
func triedText(op lead.Operation) string {
	texts := text.OperationOf(string(op.Kind))
	if op.State == lead.OpSucceeded {
		return texts.Done
	}
	return texts.Subject + ": " + text.LowerFirst(text.OutcomeOf(string(op.Kind), string(op.State),
		text.SinceOf(op)).Label)
}
