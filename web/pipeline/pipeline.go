package pipeline

import (
	"cmp"
	"net/http"

	deskpipeline "hearthline/internal/desk/pipeline"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	pageview "hearthline/views/page"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// LeadsPage shows the pipeline. All of its state is in the URL.
func (h *Handlers) LeadsPage(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	return h.renderLeads(w, r, p, listOutcome{})
}

// listOutcome is an error to show with the list, after an id could not be adopted.
type listOutcome struct {
	adoptError string
	typed      string // the id, as it was entered
	status     int
}

func (h *Handlers) renderLeads(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline,
	outcome listOutcome) error {
	model, err := h.readLeads(r, p, outcome)
	if err != nil {
		return err
	}
	status := max(outcome.status, http.StatusOK)
	return h.Render(w, r, status, page.PartOrWhole(r, view.PipelinePart(model), view.Pipeline(model)))
}

// readLeads reads everything that the page shows from one state of the database. Rendering comes after it: a slow
// browser must not hold a connection.
func (h *Handlers) readLeads(r *http.Request, p *deskpipeline.Pipeline,
	outcome listOutcome) (view.PipelineView, error) {
	ctx, end, err := p.Snapshot(r.Context())
	if err != nil {
		return view.PipelineView{}, err
	}
	defer end()
	v, q := h.Viewer(r), ParseLeadsQuery(r)
	list, err := page.VisitOf(r).Desk.ListPage(ctx, deskpipeline.ListRequest{
		Query: page.LeadQuery(q, v.Now), Typed: q.Q, Start: q.Start(), Reassignments: !v.Base.Embedded(),
		Views: !v.Base.Embedded(),
	})
	if err != nil {
		return view.PipelineView{}, err
	}
	page.VisitOf(r).Unread = &list.Unread
	model := presentPipeline(v, q, chosenColumns(r), list)
	model.TypedID, model.TypedIDError = outcome.typed, outcome.adoptError
	model.Page = h.Layout(r.WithContext(ctx), "Leads")
	model.Page.IsList, model.Page.Query = true, q.Q
	model.Notices = listNotices(v, q, list, outcome)
	return model, nil
}

// listNotices returns the notices that a list shows above its rows.
func listNotices(v text.Viewer, q to.LeadsQuery, list desk.ListPage, outcome listOutcome) (notices []ui.Notice) {
	if outcome.adoptError != "" {
		notices = append(notices, ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not added.",
			Text: outcome.adoptError, Role: "alert",
			Actions: []ui.Action{{Label: "Correct the ID", Popover: "adopt"}}})
	}
	for _, c := range list.Covers {
		notices = append(notices, coverNotice(v, q, c))
	}
	return append(notices, unsettledNotices(v, list.Unsettled)...)
}

// unsettledNotices returns one notice for the starts whose outcome is unknown, which would otherwise push the list out
// of view.
func unsettledNotices(v text.Viewer, all []deskpipeline.UnsettledStart) []ui.Notice {
	if len(all) == 0 {
		return nil
	}
	if len(all) == 1 {
		op := all[0]
		return []ui.Notice{pageview.UnsettledNotice(v.Base, op.ID, string(op.Kind), text.FullName(op.Name),
			text.SinceOf(op.Operation))}
	}
	links := make([]ui.NavLink, len(all))
	for i, op := range all {
		at := v.DateTimeInText(text.TimeOfMillis(op.CreatedAt))
		links[i] = ui.NavLink{Label: cmp.Or(text.FullName(op.Name), "Receipt") + " (" + at + ")",
			Href: v.Base.Operation(op.ID)}
	}
	return []ui.Notice{pageview.UnsettledInquiriesNotice(links, len(all) == lead.UnsettledLimit)}
}

// ParseLeadsQuery parses the query of the URL.
func ParseLeadsQuery(r *http.Request) to.LeadsQuery { return page.ParseLeadsQuery(r.URL.Query()) }

// AdoptLead adds an inquiry that exists at the lender, by its id.
func (h *Handlers) AdoptLead(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	typed := page.Posted(r).Get("appUuid")
	app, err := p.Adopt(r.Context(), typed)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		return h.renderLeads(w, r, p, listOutcome{adoptError: fields[0].Message + ".", typed: typed,
			status: http.StatusUnprocessableEntity})
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(app)))
}
