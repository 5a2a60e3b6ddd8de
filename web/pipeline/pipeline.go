package pipeline

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"hearthline/internal/desk"
	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
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
	outcome listOutcome) (view.ListView, error) {
	ctx, end, err := p.Snapshot(r.Context())
	if err != nil {
		return view.ListView{}, err
	}
	defer end()
	v, q := h.Viewer(r), ParseLeadsQuery(r)
	list, err := page.VisitOf(r).Desk.ListPage(ctx, deskpipeline.ListRequest{
		Query: page.LeadQuery(q, v.Now), Typed: q.Q, Start: q.Start(), Reassignments: !v.Base.Embedded(),
		Views: !v.Base.Embedded(),
	})
	if err != nil {
		return view.ListView{}, err
	}
	page.VisitOf(r).Unread = &list.Unread
	if h.DemoControl != nil {
		if err := addMissions(ctx, page.VisitOf(r).Desk, &list); err != nil {
			return view.ListView{}, err
		}
	}
	model := presentPipeline(v, q, chosenColumns(r), list)
	model.TypedID, model.TypedIDError = outcome.typed, outcome.adoptError
	model.Page = h.Layout(r.WithContext(ctx), "Leads")
	model.Page.IsList, model.Page.Query = true, q.Q
	model.Notices = append(listNotices(v, q, list, outcome), waitingNotices(v, list)...)
	if list.FirstDay != nil {
		model.FirstDay = presentFirstDay(v, *list.FirstDay, h.DemoControl != nil)
	}
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
	return append(notices, unsettledNotices(v, list.Unsettled, list.StartsReported)...)
}

// unsettledNotices returns one notice for the starts that may have been sent without a known outcome, which would
// otherwise push the list out of view, and one for a start that is being sent.
func unsettledNotices(v text.Viewer, all []deskpipeline.UnsettledStart, reported bool) (notices []ui.Notice) {
	var lost []deskpipeline.UnsettledStart
	for _, op := range all {
		if op.State == lead.OpUnknown {
			lost = append(lost, op)
		}
	}
	switch len(lost) {
	case 0:
	case 1:
		notices = append(notices, pageview.LostStartNotice(v.Base, lost[0].ID,
			page.LostStart(v, lost[0].Operation, text.FullName(lost[0].Name), reported)))
	default:
		notices = append(notices, lostStartsNotice(v, lost, len(all) == lead.UnsettledLimit, reported))
	}
	if len(lost) == len(all) {
		return notices
	}
	sending := text.OutcomeOf(string(heloc.OpStart), string(lead.OpSent), "")
	return append(notices, ui.Notice{Kind: sending.Kind, Icon: sending.Icon, Title: sending.Title, Text: sending.Text,
		Links: startLinks(v, slices.DeleteFunc(slices.Clone(all), func(op deskpipeline.UnsettledStart) bool {
			return op.State == lead.OpUnknown
		}))})
}

// lostStartsNotice reports several lost starts at once; more reports whether there may be others.
func lostStartsNotice(v text.Viewer, lost []deskpipeline.UnsettledStart, more, reported bool) ui.Notice {
	verdict := text.VerdictOf(string(lead.OpUnknown))
	n := ui.Notice{Kind: verdict.Kind, Icon: verdict.Icon, Links: startLinks(v, lost)}
	n.Title, n.Text = text.LostStarts(len(lost), more, reported)
	return n
}

// startLinks links to the receipts of starts, with the borrower, the time and, for a colleague's, the sender.
func startLinks(v text.Viewer, starts []deskpipeline.UnsettledStart) []ui.NavLink {
	links := make([]ui.NavLink, len(starts))
	for i, op := range starts {
		s := page.LostStart(v, op.Operation, text.FullName(op.Name), false)
		links[i] = ui.NavLink{Label: cmp.Or(s.Borrower, "Receipt") + " (" + text.JoinNonEmpty(", ", s.SentAt, s.SentBy) + ")",
			Href: v.Base.Operation(op.ID)}
	}
	return links
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

// columnsCookie stores the columns of lists in the browser. A phone and a desktop may differ.
const columnsCookie = "columns"

// SetDisplay stores which columns lists have and how high their rows are, and returns to the list.
func (h *Handlers) SetDisplay(w http.ResponseWriter, r *http.Request) error {
	posted, secure := page.Posted(r), strings.HasPrefix(h.Origin, "https:")
	page.SetAppearanceCookie(w, columnsCookie, pageview.ParseLeadColumns(posted["column"]).Cookie(), secure)
	if density := posted.Get("density"); density == "compact" || density == "comfortable" {
		page.SetAppearanceCookie(w, "density", density, secure)
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Leads(ParseLeadsQuery(r)))
}

// chosenColumns returns the columns that the browser stores, or the default ones.
func chosenColumns(r *http.Request) pageview.LeadColumns {
	c, err := r.Cookie(columnsCookie)
	if err != nil {
		return pageview.DefaultLeadColumns()
	}
	return pageview.LeadColumnsOfCookie(c.Value)
}
